// How long a queue the work of a run may build up before a slow line: the messages of jobs that
// come at once, and the files of their tasks, all pass the line of one peer.
#pragma once

#include <optional>
#include <vector>

#include "agents/arrivals.hpp"
#include "core/peer/rate.hpp"
#include "scenarios/world/sections.hpp"
#include "scenarios/world/workload/trace.hpp"

namespace rhizome::scenarios {

// The backlog of one line that all messages of a workload pass, at the slowest rate: a leaky
// bucket.
class Backlog {
 public:
  explicit Backlog(const WorldSections& sections);

  void add(const agents::Job& job);
  // The longest that a message may have to wait there; 0 where no line is slow.
  [[nodiscard]] core::Duration longest() const;

 private:
  [[nodiscard]] double bytes_of(const agents::Job& job) const;

  const WorldSections& sections_;
  double bytes_per_second_ = 0;  // 0: without limit
  double bytes_ = 0;             // bytes that wait, at the latest arrival
  double most_ = 0;              // most bytes that have ever waited
  core::Time arrival_{};
};

// How long the slowest line takes for all messages about the tasks of a run, and for their files; 0
// if no line is slow.
[[nodiscard]] double seconds_on_line(const WorldSections& sections, const agents::Profile& profile);

// Arrivals of another source; adds each job to the backlog as it comes. Each task lists so many
// inputs. Throws core::LimitExceeded for the first of more tasks than can be looked through, an
// input counted like a task.
class MeteredArrivals final : public agents::Arrivals {
 public:
  MeteredArrivals(agents::Arrivals& all, Backlog& backlog, std::size_t inputs,
                  std::uint64_t most = TraceReading{}.tasks)
      : all_(all), backlog_(backlog), inputs_(inputs), most_(most) {}
  [[nodiscard]] std::optional<agents::Job> next() override;

 private:
  agents::Arrivals& all_;
  Backlog& backlog_;
  std::size_t inputs_;
  std::uint64_t most_;
  std::uint64_t seen_ = 0;  // tasks and inputs
};

// Access lines: how slow they may be in a scenario.
// The rate times the factor, at least 1 bit/s; 0, which is unlimited, stays 0.
[[nodiscard]] core::Rate scaled(core::Rate rate, double factor);

// The slowest line that a peer may have up, and the slowest down, but for those without limit.
[[nodiscard]] std::vector<core::Rate> slowest_lines(const NetworkSection& network,
                                                    const PeersSection& peers);

}  // namespace rhizome::scenarios
