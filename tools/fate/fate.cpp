#include "tools/fate/fate.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "tools/compare/figures.hpp"
#include "tools/timeline/executions.hpp"

namespace rhizome::tools {

namespace {

using agents::TaskId;

// How often something happened, and to which peers.
class Tally {
 public:
  void add(TaskId task, std::uint64_t times = 1) {
    times_ += times;
    if (times > 0) tasks_.push_back(task);
  }
  [[nodiscard]] FateRow row(std::string what) {
    std::ranges::sort(tasks_);
    const auto each = std::unique(tasks_.begin(), tasks_.end());
    return {std::move(what), times_, static_cast<std::uint64_t>(each - tasks_.begin())};
  }

 private:
  std::uint64_t times_ = 0;
  std::vector<TaskId> tasks_;
};

std::map<TaskId, Time> completions_of(const Outcome& outcome) {
  std::map<TaskId, Time> completions;
  for (const TaskOutcome& task : outcome.tasks)
    if (task.completed) completions.emplace_hint(completions.end(), task.id, task.completed_at);
  return completions;
}

FatePart peers_part(const Outcome& outcome) {
  FatePart part{.title = "peers that left and returned"};
  for (std::size_t i = 0; i <= static_cast<std::size_t>(core::Fault::Kind::last); ++i) {
    const auto kind = static_cast<core::Fault::Kind>(i);
    const auto times = std::ranges::count_if(
        outcome.faults, [kind](const core::Fault& fault) { return fault.kind == kind; });
    part.rows.push_back({std::string(core::name_of(kind)), static_cast<std::uint64_t>(times)});
  }
  return part;
}

// Executions that did not end, with the reason as far as faults tell.
void add_unended(FatePart& part, const Outcome& outcome) {
  std::map<std::pair<core::PeerId, Time>, core::Fault::Kind> ends;
  for (const core::Fault& fault : outcome.faults)
    if (core::ends_life(fault.kind)) ends[{fault.peer, fault.at}] = fault.kind;
  Tally crashed;
  Tally left;
  Tally open;
  for (const Execution& execution : executions_of(outcome)) {
    if (execution.ended) continue;
    const auto end = ends.find({execution.peer, execution.until});
    Tally& tally = end == ends.end()                         ? open
                   : end->second == core::Fault::Kind::crash ? crashed
                                                             : left;
    tally.add(execution.task);
  }
  part.rows.push_back(crashed.row("cut off by a crash"));
  part.rows.push_back(left.row("cut off by a leave"));
  part.rows.push_back(open.row("given up, or not ended by the end"));
}

FatePart executions_part(const Outcome& outcome, const std::map<TaskId, Time>& completions) {
  Tally started;
  Tally again;
  for (const TaskOutcome& task : outcome.tasks) {
    started.add(task.id, task.starts);
    again.add(task.id, task.starts > 1 ? task.starts - 1 : 0);
  }
  Tally ended;
  Tally vain;
  for (const auto& noted : outcome.facts.of<agents::TaskExecuted>()) {
    ended.add(noted.fact.task);
    const auto completion = completions.find(noted.fact.task);
    if (completion != completions.end() && completion->second < noted.at) vain.add(noted.fact.task);
  }
  FatePart part{.title = "executions"};
  part.rows = {started.row("started"), again.row("  repeated"), ended.row("ended"),
               vain.row("  after the result was known")};
  add_unended(part, outcome);
  return part;
}

FatePart reissues_part(const Outcome& outcome) {
  std::map<std::string, Tally> reasons;
  for (const auto& noted : outcome.facts.of<agents::TaskReissued>())
    reasons[noted.fact.reason].add(noted.fact.task);
  FatePart part{.title = "tasks handed out again, by reason", .ranked = true};
  for (auto& [reason, tally] : reasons) part.rows.push_back(tally.row(reason));
  return part;
}

// A second result is noted as a duplicate, or as a completion once more where its source had
// forgotten the first.
FatePart results_part(const Outcome& outcome) {
  FatePart part{.title = "results that reached their source",
                .runs = results_known(outcome) ? 1U : 0U};
  if (!part.known()) return part;
  std::map<std::uint32_t, Time> over;
  for (const JobOutcome& job : outcome.jobs)
    if (job.completed) over[job.id] = job.completed_at;
  Tally first;
  Tally duplicate;
  Tally late;
  std::set<TaskId> seen;
  outcome.facts.in_order<agents::TaskCompleted, agents::TaskDuplicate>(
      [&]<class F>(const Noted<F>& noted) {
        const TaskId task = noted.fact.task;
        if (std::is_same_v<F, agents::TaskCompleted> && seen.insert(task).second) {
          first.add(task);
          return;
        }
        duplicate.add(task);
        const auto end = over.find(task.job);
        if (end != over.end() && end->second < noted.at) late.add(task);
      });
  part.rows = {first.row("first of a task"), duplicate.row("duplicates"),
               late.row("  after the end of the job")};
  return part;
}

FatePart losses_part(const Outcome& outcome) {
  FatePart part{.title = "tasks never completed", .runs = results_known(outcome) ? 1U : 0U};
  if (!part.known()) return part;
  Tally unknown;
  Tally unstarted;
  Tally unfinished;
  for (const TaskOutcome& task : outcome.tasks) {
    if (task.completed) continue;
    (!task.submitted ? unknown : task.starts == 0 ? unstarted : unfinished).add(task.id);
  }
  part.rows = {unknown.row("never ready to start"), unstarted.row("never started"),
               unfinished.row("started without a result")};
  part.rows.front().times += outcome.unseen;
  *part.rows.front().tasks += outcome.unseen;
  return part;
}

// The words by reason, in the order of core::Drop.
constexpr std::array<std::string_view, core::drops> drop_meanings{"on the way, or with its sender",
                                                                  "the network was parted",
                                                                  "there is no such peer",
                                                                  "its receiver had crashed",
                                                                  "for a former life",
                                                                  "it makes no sense",
                                                                  "it was cut short",
                                                                  "it was too large",
                                                                  "other than it says",
                                                                  "of a kind unheard of there",
                                                                  "it cannot be true",
                                                                  "too much waited for its process",
                                                                  "its process was lost"};

std::string name_of_drop(std::size_t i) {
  return std::string(core::name_of(static_cast<core::Drop>(i)))
      .append(": ")
      .append(drop_meanings[i]);
}

FatePart packets_part(const Outcome& outcome) {
  FatePart part{.title = "packets that were not handled, by reason", .ranked = true};
  for (std::size_t i = 0; i < core::drops; ++i) {
    std::uint64_t packets = 0;
    for (const PeerOutcome& peer : outcome.peers) packets += peer.drops[i];
    if (packets > 0) part.rows.push_back({name_of_drop(i), packets});
  }
  return part;
}

Liveliest liveliest_of(const Outcome& outcome) {
  Liveliest most{.task = {}, .repetition = outcome.identity.repetition};
  const bool known = results_known(outcome);
  for (const TaskOutcome& task : outcome.tasks) {
    const std::uint32_t beyond = std::max(task.starts, 1U) - 1 + task.reissues + task.duplicates;
    const bool undone = !task.completed && known;
    if (std::pair(undone, beyond) > std::pair(most.undone, most.events)) {
      most.task = task.id;
      most.undone = undone;
      most.events = beyond;
    }
  }
  return most;
}

// Puts the rarest causes together. Causes are words of the program, and few; a stranger's store may
// have one for each task.
void join_rarest(FatePart& part) {
  constexpr std::size_t most = 50;
  if (part.rows.size() <= most) return;
  FateRow others{.what = "others", .tasks = 0};
  for (const FateRow& row : std::span(part.rows).subspan(most - 1)) {
    others.times += row.times;
    *others.tasks += row.tasks.value_or(0);
  }
  part.rows.resize(most - 1);
  part.rows.push_back(std::move(others));
}

void rank(FatePart& part) {
  if (!part.ranked) return;
  std::ranges::sort(part.rows, [](const FateRow& a, const FateRow& b) {
    return a.times != b.times ? a.times > b.times : a.what < b.what;
  });
  join_rarest(part);
}

void add(FatePart& sum, const FatePart& other) {
  sum.runs += other.runs;
  sum.tasks += other.tasks;
  for (const FateRow& row : other.rows) {
    const auto same = std::ranges::find_if(
        sum.rows, [&](const FateRow& known) { return known.what == row.what; });
    if (same == sum.rows.end()) {
      sum.rows.push_back(row);
      continue;
    }
    same->times += row.times;
    if (row.tasks) *same->tasks += *row.tasks;
  }
  rank(sum);
}

}  // namespace

double FatePart::per_run(const FateRow& row) const {
  return runs == 0 ? 0 : static_cast<double>(row.times) / static_cast<double>(runs);
}

std::optional<double> FatePart::share(const FateRow& row) const {
  if (!row.tasks || tasks == 0) return std::nullopt;
  return static_cast<double>(*row.tasks) / static_cast<double>(tasks);
}

Fate fate_of(const Outcome& outcome) {
  Fate fate{.name = contestant_name(outcome.identity),
            .label = outcome.identity.label,
            .runs = 1,
            .invalid = outcome.validity.level == Validity::Level::invalid ? 1U : 0U,
            .failed = outcome.failure.empty() ? 0U : 1U,
            .steered = outcome.steered.operator_commands > 0 ? 1U : 0U,
            .cut = outcome.lost.empty() ? 0U : 1U,
            .unknown = results_known(outcome) ? 0U : 1U,
            .tasks = outcome.tasks.size() + outcome.unseen,
            .liveliest = liveliest_of(outcome)};
  fate.parts = {peers_part(outcome),    executions_part(outcome, completions_of(outcome)),
                reissues_part(outcome), results_part(outcome),
                losses_part(outcome),   packets_part(outcome)};
  for (FatePart& part : fate.parts) {
    part.tasks = part.runs * fate.tasks;
    rank(part);
  }
  return fate;
}

void add(Fate& sum, const Fate& other) {
  sum.runs += other.runs;
  sum.invalid += other.invalid;
  sum.failed += other.failed;
  sum.steered += other.steered;
  sum.cut += other.cut;
  sum.unknown += other.unknown;
  sum.tasks += other.tasks;
  const auto rank = [](const Liveliest& task) { return std::pair(task.undone, task.events); };
  if (rank(other.liveliest) > rank(sum.liveliest)) sum.liveliest = other.liveliest;
  for (std::size_t i = 0; i < sum.parts.size(); ++i) add(sum.parts[i], other.parts[i]);
}

void add(std::vector<Fate>& fates, const Fate& other) {
  const auto same =
      std::ranges::find_if(fates, [&](const Fate& fate) { return fate.name == other.name; });
  if (same == fates.end()) {
    fates.push_back(other);
  } else {
    add(*same, other);
  }
}

}  // namespace rhizome::tools
