#include "scenarios/store/reader.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "scenarios/outcome/most.hpp"
#include "scenarios/store/checks.hpp"
#include "scenarios/store/fact_tables.hpp"
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

// The cells of all runs, which are no more, and vary no more keys, than a scenario's.
class Cells {
 public:
  void add(std::uint64_t run, const std::string& key, const std::string& value) {
    if (run != run_) end_run();
    run_ = run;
    cell_ += key + '=' + value + '\n';
    keys_ += key + '\n';
    if (values_[key].insert(value).second) check_values();
  }
  void end_run() {
    if (cell_.empty()) return;
    cells_.insert(std::exchange(cell_, {}));
    kinds_.insert(std::exchange(keys_, {}));
    check(cells_.size(), most_cells, "cells of a sweep");
    check(kinds_.size(), most_schedulers, "kinds of cells");
  }

 private:
  static void check(std::size_t count, std::size_t most, const char* what) {
    if (count > most)
      throw DatabaseError(fmt::format("it has more than {} {}, and no scenario has", most, what));
  }
  // Comparisons go through all cells that the values span, also those that no run is of.
  void check_values() const {
    check(values_.size(), most_swept, "swept keys");
    std::size_t spanned = 1;
    for (const auto& [key, values] : values_)
      check(spanned *= values.size(), most_cells, "cells that its values span");
  }

  std::uint64_t run_ = 0;
  std::string cell_;  // of the present run
  std::string keys_;
  std::set<std::string> cells_;
  std::set<std::string> kinds_;  // a kind of cell: its keys
  std::map<std::string, std::set<std::string>> values_;
};

void check_cells(const Database& database) {
  Statement query = database.prepare("SELECT run, key, value FROM cells ORDER BY run, position");
  query.start();
  Cells cells;
  while (query.next()) {
    std::uint64_t run = 0;
    std::string key;
    std::string value;
    query.take(run, key, value);
    cells.add(run, key, value);
  }
  cells.end_run();
}

}  // namespace

// One by one: SQLite counts at one go, whatever that takes.
std::size_t count_outcomes(const Database& database) {
  Statement query = database.prepare("SELECT label FROM runs");
  query.start();
  std::set<std::string> labels;
  std::string label;
  std::size_t count = 0;
  for (; query.next(); ++count) {
    query.take(label);
    labels.insert(label);
    if (labels.size() > most_schedulers)
      throw DatabaseError(
          fmt::format("it has more than {} schedulers, and no scenario has", most_schedulers));
  }
  check_cells(database);
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
