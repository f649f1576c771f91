// The files of a scenario: the input files of tasks, drawn at random from the seed alone, and the
// outputs of tasks. All input files are at the source from the start; a client that hands in a job
// brings its files along.
#pragma once

#include <cstdint>
#include <memory>

#include "agents/arrivals.hpp"
#include "core/peer/ids.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

[[nodiscard]] agents::files::Options file_options(const FilesSection& files);

// Whether files have names, for which all of their bytes are made once. A survey of a workload only
// counts them.
enum class FileNames : std::uint8_t { made, left_out };

// The same jobs, with files for their tasks.
[[nodiscard]] std::unique_ptr<agents::Arrivals> with_files(std::unique_ptr<agents::Arrivals> jobs,
                                                           const FilesSection& files,
                                                           core::PeerId source, std::uint64_t seed,
                                                           FileNames names);

}  // namespace rhizome::scenarios
