#include "tools/timeline/executions.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace rhizome::tools {

namespace {

using core::PeerId;

// Pairs beginnings with ends, peer by peer.
class Pairing {
 public:
  explicit Pairing(const Outcome& outcome) : outcome_(outcome), fault_(outcome.faults.begin()) {}

  std::vector<Execution> run() {
    outcome_.facts.in_order<agents::TaskStarted, agents::TaskExecuted>([&](const auto& noted) {
      crash_until(noted.at);
      take(noted);
    });
    crash_until(outcome_.ended);
    while (!open_.empty()) close(open_.begin()->first, outcome_.ended, false);
    return std::move(done_);
  }

 private:
  using Key = std::pair<PeerId, agents::TaskId>;

  void take(const Noted<agents::TaskStarted>& noted) {
    close({noted.peer, noted.fact.task}, noted.at, false);  // it was given up, and begins anew
    open_[{noted.peer, noted.fact.task}] = noted.at;
  }
  void take(const Noted<agents::TaskExecuted>& noted) {
    close({noted.peer, noted.fact.task}, noted.at, true);
  }
  void close(const Key& key, Time at, bool ended) {
    const auto found = open_.find(key);
    if (found == open_.end()) return;
    done_.push_back({.peer = key.first,
                     .task = key.second,
                     .from = found->second,
                     .until = at,
                     .ended = ended});
    open_.erase(found);
  }

  // The executions of a peer that crashed or left ended then.
  void crash_until(Time time) {
    for (; fault_ != outcome_.faults.end() && fault_->at <= time; ++fault_) {
      if (!core::ends_life(fault_->kind)) continue;
      for (auto item = open_.lower_bound({fault_->peer, {}});
           item != open_.end() && item->first.first == fault_->peer;
           item = open_.lower_bound({fault_->peer, {}}))
        close(item->first, fault_->at, false);
    }
  }

  const Outcome& outcome_;
  std::vector<core::Fault>::const_iterator fault_;
  std::map<Key, Time> open_;
  std::vector<Execution> done_;
};

// The lanes of one peer. A store of a stranger may have very many at a time.
class Lanes {
 public:
  // The first that is free then, and is busy from now on.
  std::uint32_t take(Time from, Time until) {
    for (; !busy_.empty() && busy_.begin()->first <= from; busy_.erase(busy_.begin()))
      free_.insert(busy_.begin()->second);
    std::uint32_t lane = next_;
    if (free_.empty()) {
      ++next_;
    } else {
      lane = *free_.begin();
      free_.erase(free_.begin());
    }
    busy_.emplace(until, lane);
    return lane;
  }

 private:
  std::multimap<Time, std::uint32_t> busy_;  // by their ends
  std::set<std::uint32_t> free_;
  std::uint32_t next_ = 0;
};

// Executions of a peer follow each other by their beginnings.
void assign_lanes(std::vector<Execution>& executions) {
  Lanes lanes;
  PeerId peer = core::no_peer;
  for (Execution& execution : executions) {
    if (execution.peer != peer) lanes = {};
    peer = execution.peer;
    execution.lane = lanes.take(execution.from, execution.until);
  }
}

}  // namespace

std::vector<Execution> executions_of(const Outcome& outcome) {
  std::vector<Execution> executions = Pairing(outcome).run();
  std::ranges::sort(executions, [](const Execution& a, const Execution& b) {
    return std::tuple(a.peer, a.from, a.task) < std::tuple(b.peer, b.from, b.task);
  });
  assign_lanes(executions);
  return executions;
}

}  // namespace rhizome::tools
