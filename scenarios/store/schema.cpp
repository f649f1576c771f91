#include "scenarios/store/schema.hpp"

namespace rhizome::scenarios {

// Every table is ordered by run and keeps the rows of a run together. A seed is text because SQLite
// has no unsigned 64-bit integers. The table metrics repeats what the other tables imply, for those
// who query or export; it is not read back.
std::string_view schema_sql() {
  return R"sql(
CREATE TABLE runs (
  run INTEGER PRIMARY KEY, scenario TEXT NOT NULL, scheduler TEXT NOT NULL, label TEXT NOT NULL,
  engine TEXT NOT NULL, time_scale REAL NOT NULL, seed TEXT NOT NULL, repetition INTEGER NOT NULL,
  ending TEXT NOT NULL, failure TEXT NOT NULL, at_least_once INTEGER NOT NULL,
  most_hops INTEGER NOT NULL, notice_ns INTEGER NOT NULL, mend_ns INTEGER NOT NULL,
  longest_delay_ns INTEGER NOT NULL, queueing INTEGER NOT NULL,
  unseen INTEGER NOT NULL,
  open_for_ns INTEGER NOT NULL,
  ended_ns INTEGER NOT NULL, events INTEGER NOT NULL, armed INTEGER NOT NULL,
  working INTEGER NOT NULL, validity TEXT NOT NULL, reason TEXT NOT NULL, remedy TEXT NOT NULL,
  worst_lag_ns INTEGER NOT NULL, tolerance_ns INTEGER NOT NULL) STRICT;

CREATE TABLE cells (
  run INTEGER NOT NULL, position INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (run, position)) STRICT, WITHOUT ROWID;

CREATE TABLE metrics (
  run INTEGER NOT NULL, metric TEXT NOT NULL, value REAL, PRIMARY KEY (run, metric))
  STRICT, WITHOUT ROWID;

CREATE TABLE kinds (
  run INTEGER NOT NULL, position INTEGER NOT NULL, service_index INTEGER NOT NULL,
  type INTEGER NOT NULL, service TEXT NOT NULL, name TEXT NOT NULL, class TEXT NOT NULL,
  PRIMARY KEY (run, position)) STRICT, WITHOUT ROWID;

CREATE TABLE peers (
  run INTEGER NOT NULL, peer INTEGER NOT NULL, speed REAL NOT NULL, slots INTEGER NOT NULL,
  restarts INTEGER NOT NULL, alive INTEGER NOT NULL, finished INTEGER NOT NULL,
  busy_ns INTEGER NOT NULL, sent INTEGER NOT NULL, received INTEGER NOT NULL,
  duplicated INTEGER NOT NULL, in_flight INTEGER NOT NULL,
  PRIMARY KEY (run, peer)) STRICT, WITHOUT ROWID;

CREATE TABLE burdens (
  run INTEGER NOT NULL, peer INTEGER NOT NULL, position INTEGER NOT NULL,
  service_index INTEGER NOT NULL, type INTEGER NOT NULL, class TEXT NOT NULL, cause TEXT NOT NULL,
  sent_messages INTEGER NOT NULL, sent_bytes INTEGER NOT NULL, sent_units INTEGER NOT NULL,
  received_messages INTEGER NOT NULL, received_bytes INTEGER NOT NULL,
  received_units INTEGER NOT NULL,
  PRIMARY KEY (run, peer, position)) STRICT, WITHOUT ROWID;

CREATE TABLE drops (
  run INTEGER NOT NULL, peer INTEGER NOT NULL, reason TEXT NOT NULL, packets INTEGER NOT NULL,
  PRIMARY KEY (run, peer, reason)) STRICT, WITHOUT ROWID;

-- What passed the access line of a peer, where a bandwidth limits it.
CREATE TABLE lines (
  run INTEGER NOT NULL, peer INTEGER NOT NULL, direction TEXT NOT NULL, packets INTEGER NOT NULL,
  busy_ns INTEGER NOT NULL, waited_ns INTEGER NOT NULL, longest_ns INTEGER NOT NULL,
  PRIMARY KEY (run, peer, direction)) STRICT, WITHOUT ROWID;

CREATE TABLE tasks (
  run INTEGER NOT NULL, job INTEGER NOT NULL, portion INTEGER NOT NULL,
  duration_ns INTEGER NOT NULL, submitted_ns INTEGER, started_ns INTEGER, completed_ns INTEGER,
  executor INTEGER, starts INTEGER NOT NULL, executions INTEGER NOT NULL,
  completions INTEGER NOT NULL, duplicates INTEGER NOT NULL, reissues INTEGER NOT NULL,
  PRIMARY KEY (run, job, portion)) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
  run INTEGER NOT NULL, job INTEGER NOT NULL, arrived_ns INTEGER NOT NULL, completed_ns INTEGER,
  portions INTEGER NOT NULL, work_ns INTEGER NOT NULL, longest_ns INTEGER NOT NULL,
  PRIMARY KEY (run, job)) STRICT, WITHOUT ROWID;

CREATE TABLE faults (
  run INTEGER NOT NULL, position INTEGER NOT NULL, at_ns INTEGER NOT NULL, peer INTEGER,
  kind TEXT NOT NULL, PRIMARY KEY (run, position)) STRICT, WITHOUT ROWID;

CREATE TABLE samples (
  run INTEGER NOT NULL, position INTEGER NOT NULL, from_ns INTEGER NOT NULL,
  information INTEGER NOT NULL, job INTEGER NOT NULL, result INTEGER NOT NULL,
  completed INTEGER NOT NULL, PRIMARY KEY (run, position)) STRICT, WITHOUT ROWID;

CREATE TABLE messages (
  run INTEGER NOT NULL, position INTEGER NOT NULL, sent_ns INTEGER NOT NULL,
  received_ns INTEGER NOT NULL, sender INTEGER NOT NULL, receiver INTEGER NOT NULL,
  service_index INTEGER NOT NULL, type INTEGER NOT NULL, cause TEXT NOT NULL,
  units INTEGER NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (run, position))
  STRICT, WITHOUT ROWID;

CREATE TABLE histograms (
  run INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL,
  PRIMARY KEY (run, position)) STRICT, WITHOUT ROWID;

CREATE TABLE buckets (
  run INTEGER NOT NULL, histogram INTEGER NOT NULL, upper INTEGER NOT NULL,
  count INTEGER NOT NULL, PRIMARY KEY (run, histogram, upper)) STRICT, WITHOUT ROWID;

CREATE TABLE violations (
  run INTEGER NOT NULL, position INTEGER NOT NULL, invariant TEXT NOT NULL, peer INTEGER,
  at_ns INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (run, position)) STRICT, WITHOUT ROWID;

CREATE TABLE judged (
  run INTEGER NOT NULL, position INTEGER NOT NULL, invariant TEXT NOT NULL,
  judged_ns INTEGER NOT NULL, whole_ns INTEGER NOT NULL, PRIMARY KEY (run, position))
  STRICT, WITHOUT ROWID;

CREATE TABLE cuts (
  run INTEGER NOT NULL, position INTEGER NOT NULL, from_ns INTEGER NOT NULL,
  until_ns INTEGER NOT NULL, PRIMARY KEY (run, position)) STRICT, WITHOUT ROWID;

-- Times in which the thread of a peer did not do what was due.
CREATE TABLE stalls (
  run INTEGER NOT NULL, position INTEGER NOT NULL, peer INTEGER NOT NULL, from_ns INTEGER NOT NULL,
  until_ns INTEGER NOT NULL, PRIMARY KEY (run, position)) STRICT, WITHOUT ROWID;

-- One line per run with the figures most asked for.
CREATE VIEW summary AS SELECT run, label, repetition, seed, ending, validity,
  max(value) FILTER (WHERE metric = 'makespan') AS makespan,
  max(value) FILTER (WHERE metric = 'mean_response') AS mean_response,
  max(value) FILTER (WHERE metric = 'job_messages') AS job_messages,
  max(value) FILTER (WHERE metric = 'result_messages') AS result_messages,
  max(value) FILTER (WHERE metric = 'information_messages') AS information_messages
  FROM runs JOIN metrics USING (run) GROUP BY run;

-- What each peer carried: sent and received together.
CREATE VIEW peer_burdens AS SELECT run, label, peer, class,
  sum(sent_messages + received_messages) AS messages, sum(sent_bytes + received_bytes) AS bytes,
  sum(sent_units + received_units) AS units
  FROM burdens JOIN runs USING (run) GROUP BY run, peer, class;

-- What each type of message cost, for each cause: what all peers sent.
CREATE VIEW kind_burdens AS SELECT run, label, service, name, burdens.class, cause,
  sum(sent_messages) AS messages, sum(sent_bytes) AS bytes, sum(sent_units) AS units
  FROM burdens JOIN runs USING (run) JOIN kinds USING (run, service_index, type)
  GROUP BY run, service_index, type, cause;
)sql";
}

const std::vector<std::string_view>& store_tables() {
  static const std::vector<std::string_view> tables{
      "runs",    "cells",      "metrics", "kinds",  "peers",   "burdens",  "drops",
      "lines",   "tasks",      "jobs",    "faults", "samples", "messages", "histograms",
      "buckets", "violations", "judged",  "cuts",   "stalls"};
  return tables;
}

}  // namespace rhizome::scenarios
