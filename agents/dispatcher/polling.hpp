// Policies that ask servers for their state for each task, and take the one with the fewest tasks
// (JSQ) or the least unfinished work (LWL), of all or of a random sample (Mitzenmacher 2001).
#pragma once

#include "agents/dispatcher/policy.hpp"
#include "agents/dispatcher/round.hpp"

namespace rhizome::agents::dispatching {

class Polling final : public Selector {
 public:
  Polling(const Options& options, Fleet& fleet, const RoundTimes& times)
      : options_(options), fleet_(fleet), round_(fleet, times) {}

  // One task at a time: the next is asked for when this one is on its way.
  [[nodiscard]] std::optional<ServerChoice> choose(Env& env) override;
  void on(Env& env, std::size_t server, const Standing& standing) override;
  void on(Env& env, const RoundDue& due) override;
  void lost(Env& env, std::size_t server) override;
  void stop(Env& env) override { round_.stop(env); }

 private:
  void conclude(Env& env);

  const Options& options_;
  Fleet& fleet_;
  Round round_;
  std::optional<ServerChoice> choice_;  // for the task that was asked for
};

}  // namespace rhizome::agents::dispatching
