// The metrics of files: the bytes moved and why, the bytes spared, and how long tasks waited for
// files.
#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "scenarios/outcome/metrics.hpp"

namespace rhizome::scenarios {

namespace {

using agents::files::FileFetched;
using agents::files::FilesAwaited;
using agents::files::FilesWanted;
using agents::files::OutputKept;

bool has_files(const Outcome& outcome) {
  return !outcome.facts.of<FilesWanted>().empty() || !outcome.facts.of<OutputKept>().empty();
}

// The metric does not apply where the run has no files.
template <class F>
std::function<double(const Outcome&)> of_files(F f) {
  return [f](const Outcome& outcome) { return has_files(outcome) ? f(outcome) : not_applicable; };
}

double bytes_for(const Outcome& outcome, core::Cause cause) {
  double bytes = 0;
  for (const PeerOutcome& peer : outcome.peers)
    for (const core::BurdenRow& row : peer.burdens)
      if (row.cause == cause) bytes += static_cast<double>(row.sent.bytes);
  return bytes;
}

double hits(const Outcome& outcome) {
  double files = 0;
  double here = 0;
  for (const auto& noted : outcome.facts.of<FilesWanted>()) {
    files += noted.fact.files;
    here += noted.fact.here;
  }
  return files == 0 ? not_applicable : here / files;
}

double waited(const Outcome& outcome) {
  double total = 0;
  for (const auto& noted : outcome.facts.of<FilesAwaited>())
    total += core::seconds(noted.fact.waited);
  return total / static_cast<double>(std::max<std::size_t>(1, outcome.tasks.size()));
}

double again(const Outcome& outcome) {
  double chunks = 0;
  for (const auto& noted : outcome.facts.of<FileFetched>()) chunks += noted.fact.again;
  return chunks;
}

double fetches(const Outcome& outcome) {
  return static_cast<double>(outcome.facts.of<FileFetched>().size());
}

double most_fetches(const Outcome& outcome) {
  std::map<std::pair<core::PeerId, std::uint64_t>, std::uint32_t> times;
  std::uint32_t most = 0;
  for (const auto& noted : outcome.facts.of<FileFetched>())
    most = std::max(most, ++times[{noted.peer, noted.fact.file}]);
  return most;
}

Metric bytes_metric(const char* name, const char* title, const char* meaning, core::Cause cause) {
  return {name, title, "bytes", meaning, false, Better::less, of_files([cause](const Outcome& o) {
            return bytes_for(o, cause);
          })};
}

}  // namespace

std::vector<Metric> file_metrics() {
  return {
      bytes_metric("input_bytes", "input bytes",
                   "Bytes sent to bring files to tasks; headers count, and chunks that were lost.",
                   core::Cause::input),
      bytes_metric("output_bytes", "output bytes",
                   "Bytes sent to bring outputs of tasks to their clients; headers count, and "
                   "chunks that were lost.",
                   core::Cause::output),
      bytes_metric("inventory_bytes", "inventory bytes",
                   "Bytes sent to find out which peer has and which peer needs a file.",
                   core::Cause::inventory),
      {"file_fetches", "files fetched", "",
       "Complete transfers of a file to a peer, inputs and outputs.", false, Better::less,
       of_files(fetches)},
      {"file_fetches_most", "most fetches of a file", "",
       "The most complete transfers of the same file to the same peer; 1 if nothing was "
       "transferred twice.",
       false, Better::less, of_files(most_fetches)},
      {"file_hits", "cache hits", "",
       "Of the files that tasks needed, the share that was at the peer when the task arrived.",
       false, Better::more, of_files(hits)},
      {"file_wait", "wait for files", "s",
       "Time for which a task waited only for its files; the mean over all tasks.", false,
       Better::less, of_files(waited)},
      {"chunks_again", "chunks asked for again", "",
       "Chunks that were requested again after a time-out.", false, Better::less, of_files(again)},
  };
}

}  // namespace rhizome::scenarios
