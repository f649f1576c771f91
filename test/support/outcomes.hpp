// Outcomes made by hand, for tests of their readers.
#pragma once

#include <chrono>
#include <cstdint>
#include <utility>

#include "agents/facts.hpp"
#include "scenarios/outcome/outcome.hpp"

namespace rhizome::test {

using namespace std::chrono_literals;

inline core::Time at(core::Duration since_start) { return core::Time{} + since_start; }

// Adds a fact at a time that must not be before those of earlier facts.
template <class F>
void say(scenarios::Outcome& outcome, core::Duration when, std::uint32_t peer, F fact) {
  const auto number = static_cast<std::uint32_t>(outcome.facts.size());
  outcome.facts.add({at(when), core::PeerId{peer}, number}, std::move(fact));
}

// Peers that finished and never spoke.
inline scenarios::Outcome quiet_outcome(std::uint32_t peers) {
  scenarios::Outcome outcome;
  outcome.identity = {.scenario = "made by hand",
                      .cell = {},
                      .scheduler = "round-robin",
                      .label = "dealer",
                      .engine = "virtual",
                      .seed = 0xfedcba9876543210,
                      .repetition = 0};
  outcome.ending = core::Ending::finished;
  outcome.ended = at(100s);
  for (std::uint32_t i = 0; i < peers; ++i) {
    scenarios::PeerOutcome peer;
    peer.id = core::PeerId{i};
    peer.finished = true;
    outcome.peers.push_back(peer);
  }
  return outcome;
}

// Two jobs of two tasks each at three peers, done as they should be. Task j.p is submitted at
// second 10j, started a second later and completed after two more by peer p + 1. Peer 0 sends each
// as one job message of 100 bytes and gets one result message of 50 bytes.
inline scenarios::Outcome busy_outcome() {
  scenarios::Outcome outcome = quiet_outcome(3);
  outcome.identity.cell = {{"peers.count", "3"}, {"network.loss", "0, \"none\""}};
  outcome.kinds = {{"dealer", "assign", core::MessageClass::job, 0, 0},
                   {"dealer", "done", core::MessageClass::result, 0, 1}};
  const core::BurdenRow jobs{0, 0, core::MessageClass::job, core::Cause::work, {}, {}};
  const core::BurdenRow results{0, 1, core::MessageClass::result, core::Cause::completion, {}, {}};
  for (auto& peer : outcome.peers) peer.burdens = {jobs, results};
  for (std::uint32_t j = 0; j < 2; ++j) {
    scenarios::JobOutcome job{.id = j, .arrived = at(10s * j), .completed_at = at(10s * j + 3s)};
    job.completed = true;
    job.portions = 2;
    job.work = 3s;
    job.longest = 2s;
    outcome.jobs.push_back(job);
    for (std::uint32_t p = 0; p < 2; ++p) {
      scenarios::TaskOutcome task;
      task.id = {j, p};
      task.duration = p == 0 ? 2s : 1s;
      task.submitted = task.completed = true;
      task.submitted_at = at(10s * j);
      task.started_at = at(10s * j + 1s);
      task.completed_at = at(10s * j + 3s);
      task.executor = core::PeerId{p + 1};
      task.starts = task.executions = task.completions = 1;
      outcome.tasks.push_back(task);
      auto& master = outcome.peers[0];
      auto& worker = outcome.peers[p + 1];
      master.burdens[0].sent += {1, 100, 1};
      worker.burdens[0].received += {1, 100, 1};
      worker.burdens[1].sent += {1, 50, 1};
      master.burdens[1].received += {1, 50, 1};
      outcome.messages.push_back({.sent = at(10s * j),
                                  .received = at(10s * j + 1ms),
                                  .from = master.id,
                                  .to = worker.id,
                                  .cause = core::Cause::work,
                                  .bytes = 100});
      for (auto* peer : {&master, &worker}) {
        ++peer->sent;
        ++peer->received;
      }
      worker.busy += 2s;
      say(outcome, 10s * j + 3s, 0, agents::TaskCompleted{task.id, task.executor});
    }
  }
  return outcome;
}

}  // namespace rhizome::test
