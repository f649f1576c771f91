#include "scenarios/store/writer.hpp"

#include <cmath>
#include <string>

#include "scenarios/outcome/metrics.hpp"
#include "scenarios/store/fact_tables.hpp"
#include "scenarios/store/schema.hpp"
#include "scenarios/store/words.hpp"

namespace rhizome::scenarios {

namespace {

// The run, and what the table says of it.
std::size_t columns_of(const std::string& table) { return 1 + store_table(table).columns().size(); }

Statement insert(const Database& database, const std::string& table) {
  return database.prepare(insert_sql(table, columns_of(table)));
}

std::optional<Time> if_so(bool happened, Time at) {
  return happened ? std::optional(at) : std::nullopt;
}

}  // namespace

OutcomeWriter::OutcomeWriter(const Database& database)
    : database_(database),
      run_(insert(database, "runs")),
      cell_(insert(database, "cells")),
      metric_(insert(database, "metrics")),
      kind_(insert(database, "kinds")),
      peer_(insert(database, "peers")),
      burden_(insert(database, "burdens")),
      drop_(insert(database, "drops")),
      line_(insert(database, "lines")),
      job_(insert(database, "jobs")),
      fault_(insert(database, "faults")),
      sample_(insert(database, "samples")),
      histogram_(insert(database, "histograms")),
      bucket_(insert(database, "buckets")),
      violation_(insert(database, "violations")),
      judged_(insert(database, "judged")),
      cut_(insert(database, "cuts")),
      stall_(insert(database, "stalls")),
      loss_(insert(database, "losses")),
      lost_peer_(insert(database, "lost_peers")) {}

void OutcomeWriter::write(std::size_t run, const Outcome& outcome) {
  write_run(run, outcome);
  write_metrics(run, outcome);
  write_peers(run, outcome);
  write_work(run, outcome);
  write_facts(database_, run, outcome.facts);
  write_events(run, outcome);
  write_measures(run, outcome);
}

Insert OutcomeWriter::many(const std::string& table, std::size_t rows) const {
  return {database_, table, columns_of(table), rows};
}

void OutcomeWriter::write_run(std::size_t run, const Outcome& outcome) {
  const Identity& id = outcome.identity;
  const Validity& validity = outcome.validity;
  run_.run(run, id.scenario, id.scheduler, id.label, id.engine, id.time_scale,
           std::to_string(id.seed), id.repetition + 1, name_of(outcome.ending), outcome.failure,
           outcome.at_least_once, outcome.most_hops, outcome.in_time, outcome.patience.notice,
           outcome.patience.mend, outcome.longest_delay, outcome.queueing, outcome.unseen,
           outcome.open_for, outcome.ended, outcome.events, outcome.working,
           name_of(validity.level), validity.reason, validity.remedy, validity.worst_lag,
           validity.tolerance);
  std::size_t position = 0;
  for (const auto& [key, value] : id.cell) cell_.run(run, position++, key, value);
  position = 0;
  for (const MessageKind& kind : outcome.kinds)
    kind_.run(run, position++, kind.service_index, kind.type, kind.service, kind.name,
              name_of(kind.message_class));
}

// A ratio to nothing has no value: NULL.
void OutcomeWriter::write_metrics(std::size_t run, const Outcome& outcome) {
  for (const Metric& metric : metrics()) {
    const double value = metric.of(outcome);
    metric_.run(run, metric.name, std::isfinite(value) ? std::optional(value) : std::nullopt);
  }
}

// Reasons for which nothing was dropped have no row.
void OutcomeWriter::write_peers(std::size_t run, const Outcome& outcome) {
  for (const PeerOutcome& peer : outcome.peers) {
    peer_.run(run, peer.id, peer.speed, peer.slots, peer.share, peer.restarts, peer.alive,
              peer.finished, peer.armed, peer.busy, peer.sent, peer.received, peer.duplicated,
              peer.in_flight);
    std::size_t position = 0;
    for (const core::BurdenRow& row : peer.burdens)
      burden_.run(run, peer.id, position++, row.service, row.type, name_of(row.message_class),
                  name_of(row.cause), row.sent.messages, row.sent.bytes, row.sent.units,
                  row.received.messages, row.received.bytes, row.received.units);
    for (std::size_t i = 0; i < peer.drops.size(); ++i)
      if (peer.drops[i] > 0)
        drop_.run(run, peer.id, name_of(static_cast<core::Drop>(i)), peer.drops[i]);
    if (peer.line) {
      write_channel(run, peer.id, "up", peer.line->up);
      write_channel(run, peer.id, "down", peer.line->down);
    }
  }
}

void OutcomeWriter::write_channel(std::size_t run, core::PeerId peer, const char* direction,
                                  const core::ChannelUsage& usage) {
  line_.run(run, peer, direction, usage.packets, usage.busy, usage.waited, usage.longest);
}

void OutcomeWriter::write_work(std::size_t run, const Outcome& outcome) {
  Insert tasks = many("tasks", outcome.tasks.size());
  for (const TaskOutcome& task : outcome.tasks)
    tasks.add(run, task.id.job, task.id.portion, task.duration,
              if_so(task.submitted, task.submitted_at), if_so(task.starts > 0, task.started_at),
              if_so(task.completed, task.completed_at), task.executor, task.starts, task.executions,
              task.completions, task.duplicates, task.reissues);
  Insert needs = many("needs", outcome.needs.size());
  for (const NeedOutcome& need : outcome.needs) needs.add(run, need.job, need.portion, need.needs);
  for (const JobOutcome& job : outcome.jobs)
    job_.run(run, job.id, job.arrived, if_so(job.completed, job.completed_at), job.portions,
             job.work, job.longest);
}

void OutcomeWriter::write_events(std::size_t run, const Outcome& outcome) {
  std::size_t position = 0;
  for (const core::Fault& fault : outcome.faults)
    fault_.run(run, position++, fault.at, fault.peer, name_of(fault.kind));
  position = 0;
  for (const NetworkCut& cut : outcome.cuts) cut_.run(run, position++, cut.from, cut.until);
  position = 0;
  for (const core::Stall& stall : outcome.stalls)
    stall_.run(run, position++, stall.peer, stall.from, stall.until);
  position = 0;
  for (const core::LostPeers& lost : outcome.lost) {
    loss_.run(run, position, lost.why, lost.last_heard, lost.noticed, lost.handed_over,
              lost.received);
    for (const core::PeerId peer : lost.peers) lost_peer_.run(run, position, peer);
    ++position;
  }
  position = 0;
  for (const Judged& judged : outcome.judged)
    judged_.run(run, position++, judged.invariant, judged.judged, judged.whole);
  position = 0;
  for (const Violation& violation : outcome.violations)
    violation_.run(run, position++, violation.invariant, violation.peer, violation.at,
                   violation.text);
}

void OutcomeWriter::write_measures(std::size_t run, const Outcome& outcome) {
  std::size_t position = 0;
  for (const SampleOutcome& sample : outcome.samples)
    sample_.run(run, position++, sample.from, sample.messages[0], sample.messages[1],
                sample.messages[2], sample.completed);
  position = 0;
  Insert messages = many("messages", outcome.messages.size());
  for (const MessageOutcome& message : outcome.messages)
    messages.add(run, position++, message.sent, message.received, message.from, message.to,
                 message.service, message.type, name_of(message.cause), message.units,
                 message.bytes);
  position = 0;
  for (const HistogramOutcome& histogram : outcome.histograms) {
    histogram_.run(run, position, histogram.name);
    for (const HistogramBucket& bucket : histogram.buckets)
      bucket_.run(run, position, bucket.upper, bucket.count);
    ++position;
  }
}

}  // namespace rhizome::scenarios
