// A simulated cluster with other users. Their jobs wait in one queue, strictly first come first
// served: the job on top begins once enough nodes are idle, and no job overtakes it. A system that
// reserves nodes gets idle ones, without queueing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "agents/provision/formula.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::provision {

// A job of another user.
struct OtherJob {
  core::Time submitted{};
  std::uint32_t nodes = 1;
  core::Duration runs{0};
};

class Cluster {
 public:
  // Jobs by time of submission; each needs at most `nodes`.
  Cluster(std::uint32_t nodes, std::vector<OtherJob> jobs)
      : idle_(nodes), coming_(std::move(jobs)) {}

  // Simulates the queue until that time. Times never decrease.
  void advance(core::Time now);
  // Takes one idle node at the time of the last advance; false if there is none.
  [[nodiscard]] bool reserve();
  // Returns one node, which a waiting job may get at once.
  void release();

  // The state of a real cluster, which takes the place of the simulated one from now on.
  void see(const ClusterState& state) { seen_ = state; }

  [[nodiscard]] ClusterState state() const;
  // The waiting times of the jobs that have begun since the last call, in order.
  [[nodiscard]] std::vector<core::Duration> waits() { return std::exchange(waits_, {}); }

 private:
  void serve();

  struct Running {
    core::Time ends{};
    std::uint32_t nodes = 0;
    friend bool operator>(const Running& a, const Running& b) { return a.ends > b.ends; }
  };
  std::optional<ClusterState> seen_{};  // of a real cluster, without reserved nodes
  core::Time now_{};
  std::uint32_t idle_;
  std::vector<OtherJob> coming_;
  std::size_t next_ = 0;  // in coming_
  std::deque<OtherJob> waiting_;
  core::Time on_top_since_{};
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running_;
  std::vector<core::Duration> waits_;
};

}  // namespace rhizome::agents::provision
