// The latencies of scenarios: a line for each kind says what it is, which keys of [network] are its
// own, and how its link is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/peer/link.hpp"
#include "scenarios/world/model.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// A link, and a bound on what it delays; no link delays nothing.
struct MadeLatency {
  std::unique_ptr<core::Link> link;
  Duration longest{0};
  std::vector<std::string> remarks{};  // what was guessed, in sentences
};

struct LatencyModel : Model {
  std::function<MadeLatency(const WorldSections&, std::uint64_t seed)> make;
  // Nothing where all is well.
  std::function<std::optional<Complaint>(const NetworkSection&)> complaint{};
  // How many hosts its file has; none without a file.
  std::function<std::size_t(const std::string& file)> hosts{};
  // It is that of the network between the processes of a run; one process has none, and can only
  // emulate it.
  bool between_processes = false;
  // All packets take the same time, so that those that leave together arrive at the same instant.
  bool alike = false;
};

// By the positions of LatencyKind.
[[nodiscard]] std::span<const LatencyModel> latency_models();
[[nodiscard]] const LatencyModel& latency_model(LatencyKind kind);
// Of one between processes: how many there are to be thought of where it is emulated.
[[nodiscard]] std::uint32_t machines_of(const NetworkSection& network);

}  // namespace rhizome::scenarios
