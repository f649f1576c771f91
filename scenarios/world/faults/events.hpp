// The events that a scenario lists one by one, as outages; and contradictions among them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "scenarios/world/faults/outages.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// An impossible event: a crash of a dead peer, or a restart of a living one.
struct Contradiction {
  std::size_t event = 0;  // its position in the list
  std::string reason;     // a sentence
};

// The first contradiction in order of time, or nothing.
[[nodiscard]] std::optional<Contradiction> find_contradiction(
    std::span<const FaultEventSection> events);

// The events must not contradict each other.
void add_events(Outages& outages, std::span<const FaultEventSection> events);

}  // namespace rhizome::scenarios
