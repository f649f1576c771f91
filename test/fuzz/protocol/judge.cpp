#include "test/fuzz/protocol/judge.hpp"

#include <time.h>

#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "agents/central/rules.hpp"
#include "agents/facts.hpp"
#include "scenarios/experiment/conditions.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/format/unsaid.hpp"
#include "test/fuzz/protocol/bounds.hpp"
#include "test/fuzz/protocol/physics.hpp"

namespace rhizome::fuzz {

namespace {

using scenarios::Outcome;

constexpr double tolerated = 3;  // times the bound

std::string in_seconds(double value) { return std::to_string(value) + " s"; }

class Judgement {
 public:
  Judgement(const scenarios::Scenario& scenario, const Outcome& outcome, const Bounds& bounds)
      : scenario_(scenario), outcome_(outcome), bounds_(bounds) {}

  Verdict verdict() {
    complete_ = outcome_.unseen == 0;
    // A task that its scheduler took back from a server was begun in vain.
    std::map<agents::TaskId, std::uint32_t> in_vain;
    for (const auto& noted : outcome_.facts.of<agents::ServiceLost>()) ++in_vain[noted.fact.task];
    for (const scenarios::TaskOutcome& task : outcome_.tasks) {
      complete_ = complete_ && task.completed;
      makespan_ = std::max(makespan_, core::seconds(task.completed_at));
      verdict_.executions =
          std::max<std::size_t>(verdict_.executions, task.starts - in_vain[task.id]);
    }
    if (outcome_.ending == core::Ending::limit) judge_hanging();
    if (outcome_.ending == core::Ending::interrupted) {
      add("runs away", "the run was stopped after 20 s of processor time");
      return std::move(verdict_);
    }
    judge_failing();
    judge_invariants();
    judge_progress();
    judge_traffic();
    judge_executions();
    if (bounds_.calm) judge_draining();
    for (const std::string& text : impossibilities(outcome_, bounds_.calm)) add("physics", text);
    return std::move(verdict_);
  }

 private:
  void add(std::string kind, std::string text) {
    verdict_.failures.push_back({std::move(kind), std::move(text)});
  }
  [[nodiscard]] bool says_failed() const { return outcome_.facts.any<agents::RunFailed>(); }
  // Work was left, and a peer died that it cannot be done without.
  [[nodiscard]] bool may_fail() const {
    return !complete_ && (bounds_.hopeless || ((bounds_.deserted || headless()) && says_failed()));
  }
  // The last head of a central scheduler died, and so did its standby, or it had none. Where the
  // books are in a store, others succeed it.
  [[nodiscard]] bool headless() const {
    const auto* options =
        std::any_cast<agents::central::Options>(&scenario_.schedulers.front().options);
    if (options == nullptr || options->stores()) return false;
    const auto& heads = outcome_.facts.of<agents::central::HeadElected>();
    const auto& standbys = outcome_.facts.of<agents::central::StandbyChanged>();
    if (heads.empty()) return false;
    const auto died = [this](core::PeerId peer, core::Time since) {
      return std::any_of(outcome_.faults.begin(), outcome_.faults.end(), [=](const auto& fault) {
        return fault.peer == peer && core::ends_life(fault.kind) && fault.at >= since;
      });
    };
    if (!died(heads.back().peer, heads.back().at)) return false;
    if (standbys.empty()) return true;
    const agents::central::StandbyChanged& fact = standbys.back().fact;
    const bool stands_by = fact.epoch == heads.back().fact.epoch && fact.standby != core::no_peer;
    return !stands_by || died(fact.standby, standbys.back().at);
  }

  void judge_hanging() {
    const std::string limit = in_seconds(core::seconds(scenario_.engine.time_limit));
    if (complete_)
      add("hangs at the end", "all tasks are done, but the run had not ended at " + limit);
    else if (bounds_.hopeless)
      add("hangs without hope", "who is needed is dead, but the run had not ended at " + limit);
    else
      add("hangs", "tasks are missing, and the run had not ended at " + limit);
  }
  // A scheduler that hands tasks out again, or declares how soon it notices a death, watches its
  // peers.
  [[nodiscard]] bool watches() const {
    return outcome_.at_least_once || outcome_.patience != agents::Patience{};
  }
  // A run that cannot succeed must say so soon; any other must not. Peers that were cut off may say
  // so of a run that succeeds without them.
  void judge_failing() {
    const bool failed = says_failed();
    if (failed && !complete_ && !may_fail())
      add("gave up", "the run failed although nothing forced it to");
    if (!may_fail() || outcome_.ending == core::Ending::limit) return;
    if (!failed && watches() && bounds_.witnessed)
      add("ends silently", "the run was hopeless and ended without saying that it failed");
    if (core::seconds(outcome_.ended) > tolerated * bounds_.failure)
      add("gives up late", "the run ended after " + in_seconds(core::seconds(outcome_.ended)) +
                               "; the bound is " + in_seconds(bounds_.failure));
  }
  // A run that may fail may lose tasks, and its trees and groups may lack their head.
  void judge_invariants() {
    constexpr std::array<std::string_view, 5> excused{"no-task-lost", "tree", "groups", "leaders",
                                                      "run-failed"};
    for (const scenarios::Violation& violation : outcome_.violations) {
      const bool excusable =
          std::find(excused.begin(), excused.end(), violation.invariant) != excused.end();
      if (!(may_fail() && excusable)) add(violation.invariant, violation.text);
    }
  }
  void judge_progress() {
    if (!complete_) return;
    verdict_.ratio = makespan_ / bounds_.makespan;
    if (outcome_.in_time > core::Duration::zero())
      verdict_.promised = makespan_ / core::seconds(outcome_.in_time);
    if (verdict_.ratio > tolerated)
      add("slow", "the last result came after " + in_seconds(makespan_) + "; the bound is " +
                      in_seconds(bounds_.makespan));
  }

  // For an incomplete run, the makespan ends with the run.
  void judge_executions() {
    const std::size_t most =
        bounds_.executions(complete_ ? makespan_ : core::seconds(outcome_.ended));
    if (verdict_.executions > most)
      add("executions", "a task was begun " + std::to_string(verdict_.executions) +
                            " times; the bound is " + std::to_string(most));
  }
  // A node that drains finishes its tasks: only preempted tasks lose service.
  void judge_draining() {
    if (!scenario_.provision.used()) return;
    std::set<agents::TaskId> preempted;
    for (const auto& noted : outcome_.facts.of<agents::TaskReissued>())
      if (noted.fact.reason == "preempted") preempted.insert(noted.fact.task);
    for (const auto& noted : outcome_.facts.of<agents::ServiceLost>())
      if (!preempted.contains(noted.fact.task)) {
        add("draining", "a node of a calm world has lost service of a task");
        return;
      }
  }
  void judge_traffic() {
    double sent = 0;
    for (const scenarios::PeerOutcome& peer : outcome_.peers)
      sent += static_cast<double>(peer.sent);
    const double most =
        bounds_.packets_for_work + bounds_.packets_a_second * core::seconds(outcome_.ended);
    if (sent > most)
      add("storm", std::to_string(static_cast<std::uint64_t>(sent)) + " packets were sent in " +
                       in_seconds(core::seconds(outcome_.ended)) + "; the bound is " +
                       std::to_string(static_cast<std::uint64_t>(most)));
  }

  const scenarios::Scenario& scenario_;
  const Outcome& outcome_;
  const Bounds& bounds_;
  Verdict verdict_;
  bool complete_ = true;
  double makespan_ = 0;
};

// Processor time of this thread.
std::chrono::nanoseconds processor_time() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

// Stops a run that would never end in real time. Which run is stopped may differ between machines,
// but does not depend on the other load of a machine; all other judgements are the same everywhere.
Outcome run_guarded(const scenarios::Cell& cell) {
  const auto begun = processor_time();
  std::atomic<bool> stop = false;
  const auto tick = [&](core::Time) {
    if (processor_time() - begun > std::chrono::seconds(20)) stop = true;
  };
  return scenarios::run_once(cell, 0, 0, {.stop = &stop, .tick = tick}, nullptr);
}

// A limit that is too short to tell a slow run from one that hangs makes the verdict worthless.
Verdict judge_run(const std::string& text) {
  const auto cells = scenarios::parse_scenario(text, "fuzz.toml");
  const scenarios::Scenario& said = cells.front().scenario;
  const auto around = scenarios::make_surroundings(said, scenarios::repetition_seed(said, 0));
  const scenarios::Scenario scenario = scenarios::complete(said, around.world);
  const Bounds bounds = bounds_of(scenario, around);
  if (core::seconds(scenario.engine.time_limit) <
      tolerated * std::max(bounds.makespan, bounds.failure))
    return {.refusal = "the time limit is less than three times the bound", .failures = {}};
  const Outcome outcome = run_guarded(cells.front());
  return Judgement(scenario, outcome, bounds).verdict();
}

}  // namespace

Verdict judge(const std::string& scenario) {
  try {
    return judge_run(scenario);
  } catch (const scenarios::InputError& error) {
    return {.refusal = error.what(), .failures = {}};
  } catch (const std::exception& error) {
    return {.refusal = {}, .failures = {{"exception", error.what()}}};
  }
}

}  // namespace rhizome::fuzz
