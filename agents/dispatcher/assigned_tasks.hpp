// The books of a peer that hands tasks out: the taker of each task, until its result is here.
// Losses are found by asking: a taker is asked for tasks that it has had for long. It reports
// missing ones, and refuses them if they come later; so a slow task is not lost, and no task runs
// twice without need. A taker that does not answer three times is taken for dead.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "agents/dispatcher/fleet.hpp"
#include "agents/dispatcher/messages.hpp"
#include "agents/dispatcher/options.hpp"

namespace rhizome::agents::dispatching {

class AssignedTasks {
 public:
  // Takers are places in the fleet.
  AssignedTasks(Level level, const Options& options, const World& world, Fleet& fleet)
      : level_(level),
        recovers_(recovers(options, world)),
        keep_alive_(std::max(options.keep_alive, 4 * world.longest_delay)),
        fleet_(fleet),
        takers_(fleet.size()) {}

  void start(Env& env);
  void give(Env& env, std::size_t taker, const Task& task, std::uint64_t arrivals = 0);
  // Whether the result is news.
  [[nodiscard]] bool done(Env& env, PeerId from, const Done& message);
  // Tasks that were there, to be handed out again.
  [[nodiscard]] std::vector<Task> missing(Env& env, std::size_t taker, const Missing& message);
  // Anything has come from a taker; whether it was taken for dead.
  bool heard(std::size_t taker);
  // Asks for all tasks that the taker was given, as after a restart.
  void ask_for_all(Env& env, std::size_t taker);
  // Asks servers that have held a task for long.
  struct Asked {
    std::vector<std::size_t> dead;  // taken for dead now
    std::vector<Task> tasks;        // the tasks of the dead servers
  };
  [[nodiscard]] Asked ask(Env& env);
  void stop(Env& env);

 private:
  static constexpr std::uint32_t most_asked = 3;  // our choice

  struct Given {
    Task task;
    core::Time at{};
  };
  struct Taker {
    std::map<std::uint64_t, Given> open;  // by number
    std::uint64_t last = 0;               // number
    std::uint32_t unanswered = 0;
  };
  struct Place {
    std::size_t taker;
    std::uint64_t number;
  };

  [[nodiscard]] std::vector<Item> given_until(const Taker& taker, core::Time until) const;
  void send_ask(Env& env, std::size_t taker, const std::vector<Item>& items) const;
  void take_back(Env& env, std::size_t taker, const char* reason, std::vector<Task>& tasks);
  void close(TaskId task);

  const Level level_;
  const bool recovers_;
  const Duration keep_alive_;
  Fleet& fleet_;
  std::vector<Taker> takers_;
  std::map<TaskId, Place> places_;  // of open ones
  std::set<TaskId> closed_;         // closed tasks whose results may come again
  core::TimerId asking_{};
};

}  // namespace rhizome::agents::dispatching
