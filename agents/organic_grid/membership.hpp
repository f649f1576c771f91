// A worker's side of a group: its leader, and the tasks that it was handed.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string_view>

#include "agents/organic_grid/home.hpp"
#include "agents/organic_grid/messages.hpp"
#include "agents/organic_grid/options.hpp"
#include "agents/server.hpp"
#include "core/peer/env.hpp"

namespace rhizome::agents::grid {

class Membership {
 public:
  // The server is of the same peer.
  Membership(const Options& options, Server& server) : options_(options), server_(server) {}

  [[nodiscard]] PeerId leader() const { return leader_; }
  [[nodiscard]] bool working() const { return leader_ != core::no_peer; }
  // Tasks that it was handed and has not begun.
  [[nodiscard]] std::size_t waiting() const { return server_.waiting(); }

  // Whether that is the present stay at that leader, which may invite twice.
  [[nodiscard]] bool is(PeerId leader, std::uint64_t epoch) const {
    return working() && leader == leader_ && epoch == epoch_;
  }
  void join(Env& env, PeerId leader, Home& home);
  // Drops the assigned tasks: the leader, or the node that lent to it, hands them out again.
  void leave(Env& env, std::string_view reason);
  // An assignment of another stay than this is ignored: it has ended.
  void on(Env& env, PeerId from, const Assign& message);
  void on(Env& env, PeerId from, const LeaderAlive& message);
  // A task that the server has finished, which had so much service.
  void executed(Env& env, const Task& task, Duration service);
  // Called every heartbeat: sends a sign of life if nothing else was sent for a while. False if the
  // leader has been silent for too long.
  [[nodiscard]] bool tick(Env& env);

 private:
  const Options& options_;
  Server& server_;
  PeerId leader_ = core::no_peer;
  std::uint64_t epoch_ = 0;        // of the stay
  std::set<TaskId> held_;          // of this leader's, waiting or begun
  std::map<TaskId, double> done_;  // for this leader, and its pace
  Time last_heard_{};
  Time last_sent_{};
};

}  // namespace rhizome::agents::grid
