#include "test/fuzz/protocol/physics.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "agents/facts.hpp"

namespace rhizome::fuzz {

namespace {

using agents::TaskId;
using core::Duration;
using core::PeerId;
using core::Time;
using scenarios::Outcome;
using scenarios::PeerOutcome;
using scenarios::TaskOutcome;

std::string text_of(TaskId task) {
  return "task " + std::to_string(task.job) + "." + std::to_string(task.portion);
}

// A finished execution.
struct Execution {
  TaskId task;
  Time begin;
  Time end;
  Duration took;
};

class Physics {
 public:
  Physics(const Outcome& outcome, bool calm) : outcome_(outcome), calm_(calm) {
    for (const auto& noted : outcome.facts.of<agents::TaskSubmitted>())
      submitted_.emplace(noted.fact.task, noted);
    for (const TaskOutcome& task : outcome.tasks) tasks_.emplace(task.id, &task);
  }

  std::vector<std::string> found() {
    outcome_.facts
        .in_order_of<core::OneOf<agents::TaskStarted, agents::TaskExecuted, agents::ServiceLost>>(
            [this](const auto& noted) { see(noted); });
    for (const auto& [peer, executions] : executions_) check_slots(peer, executions);
    check_needs();
    return {kinds_.begin(), kinds_.end()};
  }

 private:
  void see(const scenarios::Noted<agents::TaskStarted>& noted) {
    const TaskId task = noted.fact.task;
    if (calm_)
      for (const auto& [where, since] : under_way_)
        if (where.second == task) add(text_of(task) + " was at two places at a time");
    under_way_[{noted.peer, task}] = noted.at;
    first_begin_.emplace(task, noted.at);
    const auto handed_in = submitted_.find(task);
    if (handed_in == submitted_.end() || handed_in->second.at > noted.at)
      add(text_of(task) + " began before it was handed in");
  }
  // A server gave it up.
  void see(const scenarios::Noted<agents::ServiceLost>& noted) {
    under_way_.erase({noted.peer, noted.fact.task});
  }
  void see(const scenarios::Noted<agents::TaskExecuted>& noted) {
    const TaskId task = noted.fact.task;
    const auto began = under_way_.find({noted.peer, task});
    if (began == under_way_.end()) {
      add(text_of(task) + " ended where it had not begun");
      return;
    }
    const Execution execution{task, began->second, noted.at, noted.fact.took};
    under_way_.erase(began);
    first_end_.emplace(task, noted.at);
    executions_[noted.peer].push_back(execution);
    check_service(outcome_.peers.at(noted.peer.value), execution);
  }

  // Alone on its processors a task takes exactly its service time, except for rounding, and for the
  // time until its end is handled if that has a cost.
  void check_service(const PeerOutcome& peer, const Execution& execution) {
    if (outcome_.facts.any<agents::TaskComputed>()) return;
    const double whole = core::seconds(tasks_.at(execution.task)->duration);
    const double least = whole / (peer.speed / peer.share);
    const double rounding = 2e-9 + 1e-9 * least;
    const double took = core::seconds(execution.took);
    if (took < least - rounding ||
        (peer.share == 1 && !outcome_.queueing && took > least + rounding))
      add(text_of(execution.task) + " took " + std::to_string(took) + " s instead of " +
          std::to_string(least) + " s");
    if (execution.end - execution.begin + std::chrono::nanoseconds(2) < execution.took)
      add(text_of(execution.task) + " had more service than there was time");
    const TaskOutcome& task = *tasks_.at(execution.task);
    if (task.completed && task.executions == 1 && task.completed_at < execution.end)
      add(text_of(task.id) + " was known to be done before it was");
  }

  // Executions that began and ended within a span had their service there. Where tasks share
  // processors, the service of each is rounded by half a nanosecond whenever one of them begins or
  // ends.
  void check_slots(PeerId peer, std::vector<Execution> executions) {
    const std::uint32_t slots = outcome_.peers.at(peer.value).slots;
    std::sort(executions.begin(), executions.end(),
              [](const Execution& a, const Execution& b) { return a.end < b.end; });
    for (const Execution& first : executions) {
      double service = 0;
      double count = 0;
      for (const Execution& each : executions) {
        if (each.begin < first.begin) continue;
        service += core::seconds(each.took) * std::min(cpus_of(each.task), slots);
        ++count;
        const double room = slots * core::seconds(each.end - first.begin);
        const double rounding = 1e-9 * (2 * count + count * count + room);
        if (service <= room + rounding) continue;
        add("peer " + std::to_string(peer.value) + " gave more service than it has slots for");
        return;
      }
    }
  }
  [[nodiscard]] std::uint32_t cpus_of(TaskId task) const {
    const auto known = submitted_.find(task);
    return known == submitted_.end() ? 1 : known->second.fact.cpus;
  }

  void check_needs() {
    for (const scenarios::NeedOutcome& need : outcome_.needs) {
      const auto begin = first_begin_.find({need.job, need.portion});
      if (begin == first_begin_.end()) continue;
      const auto end = first_end_.find({need.job, need.needs});
      if (end == first_end_.end() || end->second > begin->second)
        add(text_of(begin->first) + " began before one that it needs was done");
    }
  }

  // The first of those that differ in their numbers alone.
  void add(const std::string& text) {
    std::string kind = text;
    std::erase_if(kind, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
    if (seen_.insert(kind).second) kinds_.push_back(text);
  }

  const Outcome& outcome_;
  const bool calm_;
  std::map<TaskId, scenarios::Noted<agents::TaskSubmitted>> submitted_;
  std::map<TaskId, const TaskOutcome*> tasks_;
  std::map<std::pair<PeerId, TaskId>, Time> under_way_;
  std::map<TaskId, Time> first_begin_;
  std::map<TaskId, Time> first_end_;
  std::map<PeerId, std::vector<Execution>> executions_;
  std::set<std::string> seen_;
  std::vector<std::string> kinds_;
};

}  // namespace

std::vector<std::string> impossibilities(const Outcome& outcome, bool calm) {
  return Physics(outcome, calm).found();
}

}  // namespace rhizome::fuzz
