// A round of questions to servers. A dispatcher has one round at a time, because an answer from
// before the last task went out says too little. Where messages may be lost, servers that do not
// answer are asked again, and taken for dead after the third time.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "agents/dispatcher/fleet.hpp"
#include "agents/dispatcher/messages.hpp"

namespace rhizome::agents::dispatching {

struct Answer {
  std::size_t server = 0;
  Standing standing;
};

class Round {
 public:
  // An answer is overdue after `patience`; 0: never.
  Round(Fleet& fleet, Duration patience) : fleet_(fleet), patience_(patience) {}

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
  static constexpr std::uint32_t most_tries = 3;  // our choice

  [[nodiscard]] bool over(Env& env);
  void expect(Env& env);

  Fleet& fleet_;
  Duration patience_;
  std::uint64_t number_ = 0;
  std::uint32_t tries_ = 0;
  std::vector<std::size_t> missing_;
  std::vector<Answer> answers_;
  core::TimerId due_{};
};

}  // namespace rhizome::agents::dispatching
