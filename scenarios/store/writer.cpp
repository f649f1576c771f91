#include "scenarios/store/writer.hpp"

#include <cmath>

#include "scenarios/outcome/metrics.hpp"
#include "scenarios/store/fact_tables.hpp"
#include "scenarios/store/tables.hpp"

namespace rhizome::scenarios {

namespace {

// A ratio to nothing has no value.
std::vector<MetricValue> metrics_of(const Outcome& outcome) {
  std::vector<MetricValue> values;
  for (const Metric& metric : metrics()) {
    const double value = metric.of(outcome);
    values.push_back({metric.name, std::isfinite(value) ? std::optional(value) : std::nullopt});
  }
  return values;
}

std::vector<PeerBurden> burdens_of(const Outcome& outcome) {
  std::vector<PeerBurden> rows;
  for (const PeerOutcome& peer : outcome.peers)
    for (std::size_t i = 0; i < peer.burdens.size(); ++i)
      rows.push_back({peer.id, i, peer.burdens[i]});
  return rows;
}

// Reasons for which nothing was dropped have no row.
std::vector<PeerDrops> drops_of(const Outcome& outcome) {
  std::vector<PeerDrops> rows;
  for (const PeerOutcome& peer : outcome.peers)
    for (std::size_t i = 0; i < peer.drops.size(); ++i)
      if (peer.drops[i] > 0) rows.push_back({peer.id, static_cast<core::Drop>(i), peer.drops[i]});
  return rows;
}

std::vector<PeerLine> lines_of(const Outcome& outcome) {
  std::vector<PeerLine> rows;
  for (const PeerOutcome& peer : outcome.peers) {
    if (!peer.line) continue;
    rows.push_back({peer.id, "up", peer.line->up});
    rows.push_back({peer.id, "down", peer.line->down});
  }
  return rows;
}

std::vector<LostPeer> lost_peers_of(const Outcome& outcome) {
  std::vector<LostPeer> rows;
  for (std::size_t i = 0; i < outcome.lost.size(); ++i)
    for (const core::PeerId peer : outcome.lost[i].peers) rows.push_back({i, peer});
  return rows;
}

std::vector<Bucket> buckets_of(const Outcome& outcome) {
  std::vector<Bucket> rows;
  for (std::size_t i = 0; i < outcome.histograms.size(); ++i)
    for (const HistogramBucket& bucket : outcome.histograms[i].buckets) rows.push_back({i, bucket});
  return rows;
}

}  // namespace

void write_outcome(const Database& database, std::size_t run, const Outcome& outcome) {
  const auto write = [&](const auto& table, const auto& rows) {
    write_rows(database, table, run, rows);
  };
  write(runs_table, std::span(&outcome, 1));
  write(cells_table, outcome.identity.cell);
  write(kinds_table, outcome.kinds);
  write(metrics_table, metrics_of(outcome));
  write(peers_table, outcome.peers);
  write(burdens_table, burdens_of(outcome));
  write(drops_table, drops_of(outcome));
  write(lines_table, lines_of(outcome));
  write(tasks_table, outcome.tasks);
  write(needs_table, outcome.needs);
  write(jobs_table, outcome.jobs);
  write_facts(database, run, outcome.facts);
  write(faults_table, outcome.faults);
  write(cuts_table, outcome.cuts);
  write(stalls_table, outcome.stalls);
  write(losses_table, outcome.lost);
  write(lost_peers_table, lost_peers_of(outcome));
  write(judged_table, outcome.judged);
  write(violations_table, outcome.violations);
  write(samples_table, outcome.samples);
  write(messages_table, outcome.messages);
  write(histograms_table, outcome.histograms);
  write(buckets_table, buckets_of(outcome));
}

}  // namespace rhizome::scenarios
