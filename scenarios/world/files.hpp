// The files of a scenario: which tasks need which, by chance from the seed alone, and what they
// leave. All are at the source from the start, and whoever hands in a job brings its files along.
#pragma once

#include <cstdint>
#include <memory>

#include "agents/arrivals.hpp"
#include "core/peer/ids.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

[[nodiscard]] agents::files::Options file_options(const FilesSection& files);

// The same jobs, whose tasks have files.
[[nodiscard]] std::unique_ptr<agents::Arrivals> with_files(std::unique_ptr<agents::Arrivals> jobs,
                                                           const FilesSection& files,
                                                           core::PeerId source, std::uint64_t seed);

}  // namespace rhizome::scenarios
