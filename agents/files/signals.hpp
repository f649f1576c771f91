// What the file stager of a peer and the services beside it tell each other. Signals.
#pragma once

#include <cstdint>

#include "core/peer/ids.hpp"

namespace rhizome::agents::files {

// A packet that brings this task there has gone: before that its files were not all here.
struct CargoGone {
  core::PeerId to;
  std::uint64_t subject;
};

// The task will neither begin here nor go on from here: it needs no files any more.
struct CargoDropped {
  std::uint64_t subject;
};

}  // namespace rhizome::agents::files
