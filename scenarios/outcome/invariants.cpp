#include "scenarios/outcome/invariants.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "scenarios/outcome/failure.hpp"
#include "scenarios/outcome/findings.hpp"
#include "scenarios/text/plain_text.hpp"

namespace rhizome::scenarios {

namespace {

// Whether the receiver refused the packet as malformed or implausible, rather than the network lost
// it.
bool is_refusal(core::Drop why) {
  using core::Drop;
  switch (why) {
    case Drop::malformed:
    case Drop::truncated:
    case Drop::oversized:
    case Drop::mismatched:
    case Drop::unknown:
    case Drop::implausible:
      return true;
    case Drop::lost:
    case Drop::partitioned:
    case Drop::unreachable:
    case Drop::down:
    case Drop::stale:
    case Drop::congested:
    case Drop::machine:
      break;
  }
  return false;
}

// All peers of a run execute the same program, so a refused message shows a defect of its sender.
void check_belief(const Outcome& outcome, Findings& findings) {
  for (const PeerOutcome& peer : outcome.peers)
    for (std::size_t i = 0; i < peer.drops.size(); ++i) {
      const auto why = static_cast<core::Drop>(i);
      if (!is_refusal(why) || peer.drops[i] == 0) continue;
      findings.add("messages-are-believed", peer.id, outcome.ended, [&] {
        return name_of(peer.id) + " refused " + std::to_string(peer.drops[i]) + " messages as " +
               std::string(name_of(why));
      });
    }
}

// Summed over all peers: a packet is counted where it was sent and again where it ended. Lost peers
// have no counts; the packets that other processes exchanged with them stand for those.
void check_conservation(const Outcome& outcome, Findings& findings) {
  std::uint64_t made = 0;
  std::uint64_t ended = 0;
  for (const PeerOutcome& peer : outcome.peers) {
    made += peer.sent + peer.duplicated;
    ended += peer.received + peer.in_flight;
    for (const std::uint64_t count : peer.drops) ended += count;
  }
  for (const core::LostPeers& lost : outcome.lost) {
    made += lost.received;
    ended += lost.handed_over;
  }
  if (made == ended) return;
  findings.add("conservation", core::no_peer, outcome.ended, [&] {
    return std::to_string(made) + " packets were sent or duplicated, but " + std::to_string(ended) +
           " were received, dropped or in flight at the end";
  });
}

// Judges each pair of processes, because in the sum a packet lost by one process could cancel one
// made up by another.
void check_passages(const Outcome& outcome, Findings& findings) {
  for (const core::Passage& passage : outcome.passages) {
    if (passage.handed_over == passage.received) continue;
    findings.add("conservation", core::no_peer, outcome.ended, [&] {
      return passage.from + " sent " + std::to_string(passage.handed_over) + " packets to " +
             passage.to + ", which received " + std::to_string(passage.received);
    });
  }
}

void check_addresses(const Outcome& outcome, Findings& findings) {
  for (const PeerOutcome& peer : outcome.peers) {
    const std::uint64_t lost = peer.drops[static_cast<std::size_t>(core::Drop::unreachable)];
    if (lost == 0) continue;
    findings.add("addresses-resolve", peer.id, outcome.ended, [&] {
      return name_of(peer.id) + " sent " + std::to_string(lost) +
             " packets to addresses that do not exist";
    });
  }
}

void check_results(const Outcome& outcome, Findings& findings) {
  for (const auto& noted : outcome.facts.of<agents::TaskComputed>())
    if (!noted.fact.right)
      findings.add("results-correct", noted.peer, noted.at, [&] {
        return name_of(noted.peer) + " computed a wrong result of " + name_of(noted.fact.task) +
               ": " + noted.fact.result;
      });
}

// The first of them; others follow from it, as when the peers of one process fail together.
std::string first_failure(const Outcome& outcome, const Findings& findings) {
  const auto& failures = outcome.facts.of<agents::RunFailed>();
  if (failures.empty()) return {};
  return findings.trail<agents::RunFailed>(
      [&](const auto& noted) { return noted.peer == failures.front().peer; }, failures.front().at,
      1);
}

// Reports a failed run once, because a violation for each undone task would tell nothing more.
void report_failure(const Outcome& outcome, Findings& findings) {
  const auto undone =
      std::ranges::count_if(outcome.tasks, [](const TaskOutcome& task) { return !task.completed; });
  const std::uint64_t lost = static_cast<std::uint64_t>(undone) + outcome.unseen;
  findings.add("run-failed", core::no_peer, outcome.ended, [&] {
    return "the run failed: " + first_line(outcome.failure) + "; " + std::to_string(lost) + " of " +
           std::to_string(outcome.tasks.size() + outcome.unseen) + " tasks never completed" +
           first_failure(outcome, findings);
  });
}

// Undone tasks of an open run are open, not lost; so are those of a run whose time ran out.
void check_lost_tasks(const Outcome& outcome, Findings& findings) {
  if (ran_out_of_time(outcome)) return;
  if (!outcome.failure.empty()) {
    report_failure(outcome, findings);
    return;
  }
  if (outcome.ending == core::Ending::open) return;
  for (const TaskOutcome& task : outcome.tasks)
    if (!task.completed)
      findings.add("no-task-lost", task.executor, outcome.ended, [&] {
        return name_of(task.id) + " never completed" + trail_of(task.id, findings);
      });
  if (outcome.unseen > 0)
    findings.add("no-task-lost", core::no_peer, outcome.ended, [&] {
      return std::to_string(outcome.unseen) + " tasks were never handed to a peer";
    });
}

// Judges all tasks together, since messages do not say which tasks they carry. Where each task
// travels as far as is promised, for instance from a queue through a leader to a worker, a single
// extra move shows. Runs with files are not judged: a peer whose tasks are held back for their
// files may ask for other tasks meanwhile. Late runs are not judged either: late tasks are asked
// for again.
void check_hops(const Outcome& outcome, Findings& findings) {
  const bool files = !outcome.facts.of<agents::files::FilesWanted>().empty();
  if (outcome.most_hops == 0 || files || !faultless(outcome) || !punctual(outcome)) return;
  std::uint64_t moves = 0;
  for (const PeerOutcome& peer : outcome.peers)
    for (const core::BurdenRow& row : peer.burdens)
      if (row.message_class == core::MessageClass::job) moves += row.sent.units;
  const std::uint64_t most = std::uint64_t{outcome.most_hops} * outcome.tasks.size();
  if (moves <= most) return;
  findings.add("hops", core::no_peer, outcome.ended, [&] {
    return std::to_string(moves) + " portions were sent without a fault, more than " +
           std::to_string(outcome.most_hops) + " for each of " +
           std::to_string(outcome.tasks.size()) + " tasks";
  });
}

// Engines report running work only as a total, so the violation names no peer.
void check_rest(const Outcome& outcome, Findings& findings) {
  for (const PeerOutcome& peer : outcome.peers)
    if (!peer.armed.empty())
      findings.add("comes-to-rest", peer.id, outcome.ended, [&] {
        return name_of(peer.id) + " has timers that are armed still after the end: " + peer.armed;
      });
  if (outcome.working > 0)
    findings.add("comes-to-rest", core::no_peer, outcome.ended, [&] {
      return std::to_string(outcome.working) + " pieces of work were still running after the end";
    });
}

void check_finished(const Outcome& outcome, Findings& findings) {
  for (const PeerOutcome& peer : outcome.peers) {
    if (!peer.alive || peer.finished) continue;
    findings.add("all-finish", peer.id, outcome.ended, [&] {
      return name_of(peer.id) + " lives and has not finished" +
             findings.trail_of_all([&](const FactPlace& place) { return place.peer == peer.id; });
    });
  }
}

// Agents that run an overlay alone check its views and note each broken view.
void check_views(const Outcome& outcome, Findings& findings) {
  for (const auto& noted : outcome.facts.of<agents::ViewBroken>())
    findings.add("views-hold", noted.peer, noted.at, [&] {
      return "a view of " + name_of(noted.peer) + " is wrong at " + name_of(noted.fact.link) +
             ": " + noted.fact.reason;
    });
}

// A task that ran or completed must have been submitted.
void check_origins(const Outcome& outcome, Findings& findings) {
  for (const TaskOutcome& task : outcome.tasks)
    if (!task.submitted && (task.starts > 0 || task.executions > 0 || task.completed))
      findings.add("tasks-are-submitted", task.executor, task.started_at, [&] {
        return name_of(task.id) + " was never submitted" + trail_of(task.id, findings);
      });
}

// Epochs of heads are unique and rise; workers do not obey a head of an older epoch.
void check_heads(const Outcome& outcome, Findings& findings) {
  std::uint64_t last = 0;
  for (const auto& noted : outcome.facts.of<agents::central::HeadElected>()) {
    if (noted.fact.epoch <= last)
      findings.add("one-head", noted.peer, noted.at, [&] {
        return name_of(noted.peer) + " is the head of epoch " + std::to_string(noted.fact.epoch) +
               ", which has begun already" +
               findings.trail<agents::central::HeadElected>([](const auto&) { return true; });
      });
    last = std::max(last, noted.fact.epoch);
  }
}

}  // namespace

std::string Findings::told(Told facts, std::size_t most) {
  std::ranges::sort(facts);
  std::string text;
  const std::size_t skipped = facts.size() - std::min(facts.size(), most);
  for (std::size_t i = skipped; i < facts.size(); ++i) text += "; " + facts[i].second;
  return text.empty() ? "; no fact tells of it" : text;
}

std::string name_of(agents::TaskId id) {
  return "task " + std::to_string(id.job) + "." + std::to_string(id.portion);
}

std::string trail_of(agents::TaskId id, const Findings& findings) {
  using namespace agents;
  return findings.trail<TaskSubmitted, TaskStarted, TaskExecuted, TaskComputed, TaskCompleted,
                        TaskDuplicate, TaskReissued>(
      [id](const auto& noted) { return noted.fact.task == id; });
}

bool punctual(const Outcome& outcome) {
  return outcome.stalls.empty() && outcome.validity.level == Validity::Level::valid &&
         !congested(outcome);
}

bool congested(const Outcome& outcome) {
  return outcome.queueing && 4 * outcome.longest_delay > outcome.patience.notice;
}

bool too_late(const Outcome& outcome) { return outcome.validity.level == Validity::Level::invalid; }

// A refused message is no fault of the network: see check_belief.
bool faultless(const Outcome& outcome) {
  return std::ranges::all_of(outcome.peers, [](const PeerOutcome& peer) {
    std::uint64_t dropped = 0;
    for (std::size_t i = 0; i < peer.drops.size(); ++i)
      if (!is_refusal(static_cast<core::Drop>(i))) dropped += peer.drops[i];
    return peer.alive && peer.restarts == 0 && dropped == 0 && peer.duplicated == 0;
  });
}

Judged PeerTimes::of(std::string invariant) const {
  constexpr auto most = static_cast<double>(std::int64_t{1} << 61U);
  const double scale = whole > most ? most / whole : 1;
  return {.invariant = std::move(invariant),
          .judged = Duration(std::llround(scale * judged)),
          .whole = Duration(std::llround(scale * whole))};
}

void add_judged(std::vector<Judged>& sum, const Judged& part) {
  const auto known =
      std::ranges::find_if(sum, [&](const Judged& one) { return one.invariant == part.invariant; });
  if (known == sum.end()) {
    sum.push_back(part);
    return;
  }
  PeerTimes both;
  both.add(known->judged, known->whole);
  both.add(part.judged, part.whole);
  *known = both.of(part.invariant);
}

Examination examine(const Outcome& outcome) {
  Findings findings(outcome);
  check_conservation(outcome, findings);
  check_passages(outcome, findings);
  check_addresses(outcome, findings);
  check_belief(outcome, findings);
  check_results(outcome, findings);
  // Where peers were lost, their counts and facts are missing, so the rest cannot be judged.
  if (outcome.ending == core::Ending::interrupted || !outcome.lost.empty()) return findings.take();
  check_origins(outcome, findings);
  check_lost_tasks(outcome, findings);
  check_repetition(outcome, findings);
  check_executed(outcome, findings);
  check_precedence(outcome, findings);
  check_timeliness(outcome, findings);
  check_hops(outcome, findings);
  check_service(outcome, findings);
  check_heads(outcome, findings);
  const bool cut_short = outcome.ending == core::Ending::limit && too_late(outcome);
  if (outcome.ending != core::Ending::open && !ran_out_of_time(outcome) && !cut_short) {
    check_rest(outcome, findings);
    check_finished(outcome, findings);
  }
  if (!too_late(outcome)) {
    check_trees(outcome, findings);
    check_groups(outcome, findings);
  }
  check_views(outcome, findings);
  check_outputs(outcome, findings);
  check_locators(outcome, findings);
  return findings.take();
}

}  // namespace rhizome::scenarios
