// A reenactment: a finished run as a recording, with the frames that a monitor would have been
// shown, as far as its outcome allows. Trees, tasks, faults and work come from its facts, and
// messages of all peers from its samples; messages of each peer are shown if they were logged.
#pragma once

#include <cstdint>
#include <filesystem>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios::live {

struct ReenactmentOptions {
  std::uint32_t number = 0;       // of the run in its experiment, from 0
  std::uint64_t runs = 1;         // of the experiment
  std::uint32_t frames = 600;     // about so many: more is smoother, and takes longer
  std::size_t most_facts = 2048;  // in a frame: where there are more, frames are closer
};

// Whether the outcome has anything to show over time.
[[nodiscard]] bool can_be_reenacted(const Outcome& outcome);

// Frames are at their emulated times. False if the file cannot be written.
[[nodiscard]] bool reenact(const Outcome& outcome, const std::filesystem::path& file,
                           const ReenactmentOptions& options);

}  // namespace rhizome::scenarios::live
