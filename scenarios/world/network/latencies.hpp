// The latencies of scenarios: a table with one line for each kind, which gives its meaning, its
// keys of [network] and the function that makes its link.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/peer/latency.hpp"
#include "core/peer/link.hpp"
#include "scenarios/world/model.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// A link, and an upper bound of its delay. No link: there is no delay.
struct MadeLatency {
  std::unique_ptr<core::Link> link;
  Duration longest{0};
  std::vector<std::string> remarks{};  // the guesses that were made, in sentences
};

struct LatencyModel : Model {
  std::function<MadeLatency(const WorldSections&, std::uint64_t seed)> make;
  // Nothing where all is well.
  std::function<std::optional<Complaint>(const NetworkSection&)> complaint{};
  // The number of hosts in the model's file; none for models without a file.
  std::function<std::size_t(const std::string& file)> hosts{};
  // The latency is that of the real network between the processes of a run. A run in one process
  // has no such network and can only emulate it.
  bool between_processes = false;
  // All packets take the same time, so that those that leave together arrive at the same instant.
  bool alike = false;
};

// Indexed by LatencyKind.
[[nodiscard]] std::span<const LatencyModel> latency_models();
[[nodiscard]] const LatencyModel& latency_model(LatencyKind kind);
// For a latency between processes that is emulated: the number of emulated machines.
[[nodiscard]] std::uint32_t machines_of(const NetworkSection& network);

// Measured latencies from a file.
struct MeasuredLatency {
  core::MatrixLatency::Matrix matrix;  // one way
  std::size_t unmeasured = 0;          // pairs that were not measured in either direction
};

// A square matrix of round-trip times in milliseconds, separated by tabs, commas or blanks, one row
// a line; the latency one way is half of it. Lines that begin with # are skipped. A first line of
// names is skipped too; then each row may begin with a name. "nan", "-" and negative numbers stand
// for pairs that were not measured: such a time is taken from the other direction, or is else the
// median of all. Throws InputError with the position of what is wrong.
[[nodiscard]] MeasuredLatency read_latency_file(const std::string& file);

}  // namespace rhizome::scenarios
