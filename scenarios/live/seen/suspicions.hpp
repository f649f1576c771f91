// Suspicions: broken invariants that can be seen while a run goes on, with the peer to look at. The
// checks of a finished run are stricter, and final.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"
#include "scenarios/live/messages.hpp"
#include "scenarios/live/state.hpp"

namespace rhizome::scenarios::live {

struct Suspicion {
  core::Time at{};
  core::PeerId peer = core::no_peer;
  std::string text{};  // a sentence without its end
  friend bool operator==(const Suspicion&, const Suspicion&) = default;
};

// A plan, and the first time at which it has a fault or a parting.
struct KnownPlan : Plan {
  explicit KnownPlan(Plan said);
  core::Time first_trouble = core::Time::max();
};

class Suspicions {
 public:
  static constexpr std::size_t most_tasks = 1'000'000;  // tasks remembered at most
  static constexpr std::size_t most = 100;

  // Takes the latest frame of a state. Tasks are judged only if the plan of the run is known: after
  // a fault or a loss, or if the scheduler promises only at-least-once, repeated executions are
  // right.
  void see(const State& state, const FactSlice& fresh, const Welcome& welcome,
           const KnownPlan* plan);
  // The first of each kind and task.
  [[nodiscard]] const std::vector<Suspicion>& all() const { return all_; }

 private:
  void count_packets(const Frame& frame);
  void count_executions(const LiveFact& fact, const std::string& kind, bool once);
  void add(Suspicion suspicion);

  RunTitle run_;
  core::Time now_{};
  std::uint64_t received_ = 0;  // by the frame before
  bool packets_ = false;        // the suspicion about packets has been raised
  std::unordered_map<std::uint64_t, core::PeerId>
      executed_;  // by the number of the task: its executor
  std::vector<Suspicion> all_;
};

}  // namespace rhizome::scenarios::live
