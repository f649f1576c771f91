// The options of dispatchers, with their defaults and sources; and which peers dispatch and serve.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agents/scheduler.hpp"
#include "core/peer/setting.hpp"

namespace rhizome::agents::dispatching {

enum class Policy : std::uint8_t {
  random,
  round_robin,
  jsq,        // join the shortest queue
  jsq_d,      // join the shortest of d drawn queues
  lwl,        // least work left
  lwl_d,      // the least work left of d drawn servers
  jiq,        // join an idle queue
  jbt_d,      // join below threshold, which is the shortest of d queues
  threshold,  // the same by unfinished work (the report's own)
  last = threshold
};
enum class Ties : std::uint8_t { random, lowest, last = lowest };
// Which peers serve: those that do not dispatch, or all.
enum class Servers : std::uint8_t { others, all, last = all };
// Whether messages and peers may be lost: as the scenario says, or in any case, for faults that
// come by hand.
enum class Recovery : std::uint8_t { where_needed, always, last = always };

struct Options {
  Policy policy = Policy::lwl;
  std::uint32_t dispatchers = 1;
  Servers servers = Servers::others;
  Ties ties = Ties::random;
  std::uint32_t choices = 2;
  Duration renew = std::chrono::seconds(10);
  std::uint32_t sample = 8;
  double busy_rate = 1;
  Recovery recovery = Recovery::where_needed;
  Duration patience = std::chrono::seconds(1);
  Duration keep_alive = std::chrono::seconds(4);
  Duration give_up = std::chrono::minutes(2);

  [[nodiscard]] bool chooses_among_all() const {
    return policy == Policy::jsq || policy == Policy::lwl;
  }
  [[nodiscard]] bool samples() const { return policy == Policy::jsq_d || policy == Policy::lwl_d; }
  [[nodiscard]] bool has_threshold() const {
    return policy == Policy::jbt_d || policy == Policy::threshold;
  }
  [[nodiscard]] bool by_work() const {
    return policy == Policy::lwl || policy == Policy::lwl_d || policy == Policy::threshold;
  }
};

[[nodiscard]] core::Settings<Options> settings();
[[nodiscard]] std::map<std::string_view, TimeoutPurpose> times();

// Why these options cannot work, as a sentence; empty if they can.
[[nodiscard]] std::string refusal(const Options& options, const World& world);

// The source and, of the other peers, the first ones.
[[nodiscard]] std::vector<core::PeerId> dispatchers_of(const Options& options, const World& world);
// Servers in the order of their addresses.
[[nodiscard]] std::vector<core::PeerId> servers_of(const Options& options, const World& world);
// Whether a message or a peer may be lost, so that a dispatcher wants answers.
[[nodiscard]] inline bool recovers(const Options& options, const World& world) {
  return options.recovery == Recovery::always || world.loses;
}
// Time after which an answer is overdue.
[[nodiscard]] inline Duration patience_of(const Options& options, const World& world) {
  return std::max(options.patience, 4 * world.longest_delay);
}

// When a question to servers is repeated for the first time, and when those without an answer are
// taken for dead. Zero: never, since nothing is lost.
struct RoundTimes {
  Duration repeat{0};
  Duration give_up{0};
};
[[nodiscard]] inline RoundTimes round_times(const Options& options, const World& world) {
  if (!recovers(options, world)) return {};
  const Duration patience = patience_of(options, world);
  const Duration there_and_back = 4 * world.longest_way() + std::chrono::milliseconds(100);
  return {.repeat = std::min(patience, there_and_back), .give_up = 3 * patience};
}

}  // namespace rhizome::agents::dispatching
