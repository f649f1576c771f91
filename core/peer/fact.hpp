// A fact: something that happened in the domain of a protocol, for outcomes, checkers, timelines
// and monitors. Flat and small, so that noting one costs as little as counting.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

// The texts must have static storage: a recorder keeps the views.
struct Fact {
  std::string_view name;      // what happened, for example "task-started"
  std::uint64_t subject = 0;  // to what: a task, an epoch; the fact's vocabulary says which
  PeerId other = nobody;      // with whom
  double value = 0;           // how much
  std::string_view reason{};  // why
};

// A fact and when its peer noted it.
struct RecordedFact {
  Time at{};
  Fact fact;
};

}  // namespace rhizome::core
