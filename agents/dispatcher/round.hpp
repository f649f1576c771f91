// A round of questions to servers. A dispatcher has one round at a time, because an answer from
// before the last task went out says too little. Where messages may be lost, servers that do not
// answer are soon asked again, since a task waits for the answers, and in the end taken for dead.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "agents/backoff.hpp"
#include "agents/dispatcher/fleet.hpp"
#include "agents/dispatcher/messages.hpp"
#include "agents/dispatcher/options.hpp"

namespace rhizome::agents::dispatching {

struct Answer {
  std::size_t server = 0;
  Standing standing;
};

class Round {
 public:
  Round(Fleet& fleet, const RoundTimes& times)
      : fleet_(fleet), give_up_(times.give_up), backoff_(times.repeat) {}

  // Whether answers are missing.
  [[nodiscard]] bool open() const { return !missing_.empty(); }
  void ask(Env& env, std::vector<std::size_t> servers);
  // Returns whether it was the last missing answer.
  [[nodiscard]] bool take(Env& env, std::size_t server, const Standing& standing);
  // Asks again; returns whether no server is left to wait for.
  [[nodiscard]] bool repeat(Env& env, const RoundDue& due);
  // Stops waiting for that server; returns whether it was the last one.
  [[nodiscard]] bool drop(Env& env, std::size_t server);
  // The answers in the order of the servers. Each is returned once.
  [[nodiscard]] std::vector<Answer> take_answers();
  void stop(Env& env) {
    missing_.clear();
    env.cancel(std::exchange(due_, {}));
  }

 private:
  [[nodiscard]] bool over(Env& env);
  void expect(Env& env);

  Fleet& fleet_;
  Duration give_up_;
  Backoff backoff_;
  std::uint64_t number_ = 0;
  core::Time asked_{};
  std::uint32_t repetitions_ = 0;
  std::vector<std::size_t> missing_;
  std::vector<Answer> answers_;
  core::TimerId due_{};
};

}  // namespace rhizome::agents::dispatching
