#include "scenarios/store/reader.hpp"

#include "scenarios/store/fact_tables.hpp"
#include "scenarios/store/soundness.hpp"
#include "scenarios/store/tables.hpp"

namespace rhizome::scenarios {

namespace {

// The row that every other table refers to.
Outcome read_run(const Database& database, std::size_t run) {
  std::vector<Outcome> found;
  read_rows(database, runs_table, run, found);
  if (found.empty()) throw DatabaseError("there is no run " + std::to_string(run));
  read_rows(database, cells_table, run, found.front().identity.cell);
  return std::move(found.front());
}

// Rows of burdens, drops and lines belong to peers that were read before.
PeerOutcome& peer_of(Outcome& outcome, core::PeerId peer) {
  if (peer.value >= outcome.peers.size())
    throw DatabaseError("there is no peer " + std::to_string(peer.value));
  return outcome.peers[peer.value];
}

void read_peers(const Database& database, std::size_t run, Outcome& outcome) {
  read_rows(database, peers_table, run, outcome.peers);
  read_rows(database, burdens_table, run, [&](const PeerBurden& row) {
    peer_of(outcome, row.peer).burdens.push_back(row.burden);
  });
  read_rows(database, drops_table, run, [&](const PeerDrops& row) {
    peer_of(outcome, row.peer).drops[static_cast<std::size_t>(row.reason)] = row.packets;
  });
  read_rows(database, lines_table, run, [&](const PeerLine& row) {
    auto& line = peer_of(outcome, row.peer).line;
    if (!line) line.emplace();
    (row.direction == "up" ? line->up : line->down) = row.usage;
  });
}

void read_losses(const Database& database, std::size_t run, Outcome& outcome) {
  read_rows(database, losses_table, run, outcome.lost);
  read_rows(database, lost_peers_table, run, [&](const LostPeer& row) {
    if (row.loss >= outcome.lost.size())
      throw DatabaseError("there is no loss " + std::to_string(row.loss));
    outcome.lost[row.loss].peers.push_back(row.peer);
  });
}

void read_histograms(const Database& database, std::size_t run, Outcome& outcome) {
  read_rows(database, histograms_table, run, outcome.histograms);
  read_rows(database, buckets_table, run, [&](const Bucket& row) {
    if (row.histogram >= outcome.histograms.size())
      throw DatabaseError("there is no histogram " + std::to_string(row.histogram));
    outcome.histograms[row.histogram].buckets.push_back(row.bucket);
  });
}

}  // namespace

std::size_t count_outcomes(const Database& database) {
  // Counts rows one by one: a COUNT by SQLite could not be interrupted.
  Statement query = database.prepare("SELECT run FROM runs");
  query.start();
  std::size_t count = 0;
  while (query.next()) ++count;
  return count;
}

Identity read_identity(const Database& database, std::size_t run) {
  return read_run(database, run).identity;
}

Outcome read_outcome(const Database& database, std::size_t run) {
  Outcome outcome = read_run(database, run);
  const auto read = [&](const auto& table, auto& rows) { read_rows(database, table, run, rows); };
  read(kinds_table, outcome.kinds);
  read_peers(database, run, outcome);
  read(tasks_table, outcome.tasks);
  read(needs_table, outcome.needs);
  read(jobs_table, outcome.jobs);
  outcome.facts = read_facts(database, run);
  read(faults_table, outcome.faults);
  read(violations_table, outcome.violations);
  read(judged_table, outcome.judged);
  read(cuts_table, outcome.cuts);
  read(stalls_table, outcome.stalls);
  read_losses(database, run, outcome);
  read(samples_table, outcome.samples);
  read(messages_table, outcome.messages);
  read_histograms(database, run, outcome);
  check_sound(outcome);
  return outcome;
}

}  // namespace rhizome::scenarios
