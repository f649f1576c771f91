#include "scenarios/store/reader.hpp"

#include <charconv>

#include "scenarios/store/fact_tables.hpp"
#include "scenarios/store/schema.hpp"
#include "scenarios/store/soundness.hpp"
#include "scenarios/store/words.hpp"
#include "scenarios/text/plain_text.hpp"

namespace rhizome::scenarios {

namespace {

// "SELECT peer, direction, ... FROM lines WHERE run = ? ORDER BY peer, direction". A position says
// in which order rows come, and no more.
std::string select_sql(const Table& table) {
  std::string columns;
  for (const std::string& name : table.columns())
    if (name != "position") columns += (columns.empty() ? "" : ", ") + name;
  const std::string order = table.key.empty() ? "" : " ORDER BY " + std::string(table.key);
  return "SELECT " + columns + " FROM " + std::string(table.name) + " WHERE run = ?" + order;
}

// Calls f(row) for every row of a table that belongs to the run, in the order of its key.
template <class F>
void each(const Database& database, const std::string& table, std::size_t run, F f) {
  Statement query = database.prepare(select_sql(store_table(table)));
  query.start(run);
  while (query.next()) f(query);
}

std::uint64_t seed_of(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc{} || end != text.data() + text.size())
    throw DatabaseError("\"" + text + "\" is no seed");
  return seed;
}

// A name stands in a page hundreds of times; what is written is shorter by far.
void check_name(std::string& name) {
  constexpr std::size_t longest = 64U << 10U;
  if (name.size() > longest)
    throw DatabaseError("it has a name of " + std::to_string(name.size()) + " bytes, and " +
                        std::to_string(longest) + " are the most");
  name = plain_text(name);
}

void read_cells(const Database& database, std::size_t run, Identity& identity) {
  each(database, "cells", run, [&](Statement& row) {
    auto& [key, value] = identity.cell.emplace_back();
    row.take(key, value);
    check_name(key);
    check_name(value);
  });
}

// The row that every other table refers to.
void read_run(const Database& database, std::size_t run, Outcome& outcome) {
  bool found = false;
  each(database, "runs", run, [&](Statement& row) {
    Identity& id = outcome.identity;
    Validity& validity = outcome.validity;
    std::string seed;
    std::string ending;
    std::string level;
    row.take(id.scenario, id.scheduler, id.label, id.engine, id.time_scale, seed, id.repetition,
             ending, outcome.failure, outcome.at_least_once, outcome.most_hops, outcome.in_time,
             outcome.patience.notice, outcome.patience.mend, outcome.longest_delay,
             outcome.queueing, outcome.unseen, outcome.open_for, outcome.ended, outcome.events,
             outcome.working, level, validity.reason, validity.remedy, validity.worst_lag,
             validity.tolerance);
    for (std::string* name : {&id.scenario, &id.scheduler, &id.label, &id.engine})
      check_name(*name);
    id.seed = seed_of(seed);
    if (id.repetition-- == 0)
      throw DatabaseError("repetitions count from 1, and there is one of 0");
    outcome.ending = enumerator(ending, core::Ending::last);
    validity.level = enumerator(level, Validity::Level::last);
    found = true;
  });
  if (!found) throw DatabaseError("there is no run " + std::to_string(run));
  read_cells(database, run, outcome.identity);
}

void read_kinds(const Database& database, std::size_t run, Outcome& outcome) {
  each(database, "kinds", run, [&](Statement& row) {
    MessageKind& kind = outcome.kinds.emplace_back();
    std::string word;
    row.take(kind.service_index, kind.type, kind.service, kind.name, word);
    kind.message_class = enumerator(word, core::MessageClass::last);
  });
}

// Rows of burdens and drops belong to peers that were read before.
PeerOutcome& peer_of(Outcome& outcome, core::PeerId peer) {
  if (peer.value >= outcome.peers.size())
    throw DatabaseError("there is no peer " + std::to_string(peer.value));
  return outcome.peers[peer.value];
}

void read_burdens(const Database& database, std::size_t run, Outcome& outcome) {
  each(database, "burdens", run, [&](Statement& row) {
    core::PeerId peer;
    core::BurdenRow burden;
    std::string message_class;
    std::string cause;
    row.take(peer, burden.service, burden.type, message_class, cause, burden.sent.messages,
             burden.sent.bytes, burden.sent.units, burden.received.messages, burden.received.bytes,
             burden.received.units);
    burden.message_class = enumerator(message_class, core::MessageClass::last);
    burden.cause = enumerator(cause, core::Cause::last);
    peer_of(outcome, peer).burdens.push_back(burden);
  });
}

void read_peers(const Database& database, std::size_t run, Outcome& outcome) {
  each(database, "peers", run, [&](Statement& row) {
    PeerOutcome& peer = outcome.peers.emplace_back();
    row.take(peer.id, peer.speed, peer.slots, peer.share, peer.restarts, peer.alive, peer.finished,
             peer.armed, peer.busy, peer.sent, peer.received, peer.duplicated, peer.in_flight);
  });
  read_burdens(database, run, outcome);
  each(database, "drops", run, [&](Statement& row) {
    core::PeerId peer;
    std::string reason;
    std::uint64_t packets = 0;
    row.take(peer, reason, packets);
    const auto drop = static_cast<std::size_t>(enumerator(reason, core::Drop::last));
    peer_of(outcome, peer).drops[drop] = packets;
  });
  each(database, "lines", run, [&](Statement& row) {
    core::PeerId peer;
    std::string direction;
    core::ChannelUsage usage;
    row.take(peer, direction, usage.packets, usage.busy, usage.waited, usage.longest);
    auto& line = peer_of(outcome, peer).line;
    if (!line) line.emplace();
    (direction == "up" ? line->up : line->down) = usage;
  });
}

// A time that may be missing; the default stands for it in an outcome.
bool happened(const std::optional<Time>& stored, Time& at) {
  at = stored.value_or(Time{});
  return stored.has_value();
}

void read_work(const Database& database, std::size_t run, Outcome& outcome) {
  each(database, "tasks", run, [&](Statement& row) {
    TaskOutcome& task = outcome.tasks.emplace_back();
    std::optional<Time> submitted;
    std::optional<Time> started;
    std::optional<Time> completed;
    row.take(task.id.job, task.id.portion, task.duration, submitted, started, completed,
             task.executor, task.starts, task.executions, task.completions, task.duplicates,
             task.reissues);
    task.submitted = happened(submitted, task.submitted_at);
    static_cast<void>(happened(started, task.started_at));
    task.completed = happened(completed, task.completed_at);
  });
  each(database, "needs", run, [&](Statement& row) {
    NeedOutcome& need = outcome.needs.emplace_back();
    row.take(need.job, need.portion, need.needs);
  });
  each(database, "jobs", run, [&](Statement& row) {
    JobOutcome& job = outcome.jobs.emplace_back();
    std::optional<Time> completed;
    row.take(job.id, job.arrived, completed, job.portions, job.work, job.longest);
    job.completed = happened(completed, job.completed_at);
  });
}

void read_losses(const Database& database, std::size_t run, Outcome& outcome) {
  each(database, "losses", run, [&](Statement& row) {
    core::LostPeers& lost = outcome.lost.emplace_back();
    row.take(lost.why, lost.last_heard, lost.noticed, lost.handed_over, lost.received);
  });
  each(database, "lost_peers", run, [&](Statement& row) {
    std::size_t loss = 0;
    core::PeerId peer;
    row.take(loss, peer);
    if (loss >= outcome.lost.size())
      throw DatabaseError("there is no loss " + std::to_string(loss));
    outcome.lost[loss].peers.push_back(peer);
  });
}

void read_events(const Database& database, std::size_t run, Outcome& outcome) {
  outcome.facts = read_facts(database, run);
  each(database, "faults", run, [&](Statement& row) {
    core::Fault& fault = outcome.faults.emplace_back();
    std::string kind;
    row.take(fault.at, fault.peer, kind);
    fault.kind = enumerator(kind, core::Fault::Kind::last);
  });
  each(database, "violations", run, [&](Statement& row) {
    Violation& violation = outcome.violations.emplace_back();
    row.take(violation.invariant, violation.peer, violation.at, violation.text);
  });
  each(database, "judged", run, [&](Statement& row) {
    Judged& judged = outcome.judged.emplace_back();
    row.take(judged.invariant, judged.judged, judged.whole);
  });
  each(database, "cuts", run, [&](Statement& row) {
    NetworkCut& cut = outcome.cuts.emplace_back();
    row.take(cut.from, cut.until);
  });
  each(database, "stalls", run, [&](Statement& row) {
    core::Stall& stall = outcome.stalls.emplace_back();
    row.take(stall.peer, stall.from, stall.until);
  });
  read_losses(database, run, outcome);
}

void read_measures(const Database& database, std::size_t run, Outcome& outcome) {
  each(database, "samples", run, [&](Statement& row) {
    SampleOutcome& sample = outcome.samples.emplace_back();
    row.take(sample.from, sample.messages[0], sample.messages[1], sample.messages[2],
             sample.completed);
  });
  each(database, "messages", run, [&](Statement& row) {
    MessageOutcome& message = outcome.messages.emplace_back();
    std::string cause;
    row.take(message.sent, message.received, message.from, message.to, message.service,
             message.type, cause, message.units, message.bytes);
    message.cause = enumerator(cause, core::Cause::last);
  });
  each(database, "histograms", run,
       [&](Statement& row) { row.take(outcome.histograms.emplace_back().name); });
  each(database, "buckets", run, [&](Statement& row) {
    std::size_t histogram = 0;
    HistogramBucket bucket;
    row.take(histogram, bucket.upper, bucket.count);
    if (histogram >= outcome.histograms.size())
      throw DatabaseError("there is no histogram " + std::to_string(histogram));
    outcome.histograms[histogram].buckets.push_back(bucket);
  });
}

}  // namespace

std::size_t count_outcomes(const Database& database) {
  // One by one: SQLite counts at one go, whatever that takes.
  Statement query = database.prepare("SELECT run FROM runs");
  query.start();
  std::size_t count = 0;
  while (query.next()) ++count;
  return count;
}

Identity read_identity(const Database& database, std::size_t run) {
  Outcome outcome;
  read_run(database, run, outcome);
  return outcome.identity;
}

Outcome read_outcome(const Database& database, std::size_t run) {
  Outcome outcome;
  read_run(database, run, outcome);
  read_kinds(database, run, outcome);
  read_peers(database, run, outcome);
  read_work(database, run, outcome);
  read_events(database, run, outcome);
  read_measures(database, run, outcome);
  check_sound(outcome);
  return outcome;
}

}  // namespace rhizome::scenarios
