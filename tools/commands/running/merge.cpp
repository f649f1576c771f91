// Merges shares of one experiment from several machines into the directory that one machine would
// have made.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/experiment/essence.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/store/same_again.hpp"
#include "scenarios/store/shares.hpp"
#include "scenarios/text/fingerprint.hpp"
#include "tools/cli/messages.hpp"
#include "tools/cli/options.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/running/present.hpp"
#include "tools/commands/running/run_writer.hpp"
#include "tools/commands/running/session.hpp"

namespace rhizome::tools {

using scenarios::Cell;
using scenarios::FileRead;
using scenarios::InconsistentShares;
using scenarios::Shares;
using scenarios::StoredRun;

namespace {

scenarios::Overrides overrides_of(const scenarios::OrderRecord& share) {
  return {.environment = share.environment,
          .command_line = share.assignments,
          .schedulers = share.schedulers};
}

// Doubts about what is put together.
using Remarks = std::vector<std::string>;

void doubt(Remarks& remarks, const std::string& text) {
  warn(text);
  remarks.push_back(text);
}

// Nothing that it read may have changed since.
std::vector<Cell> cells_of(const StoredRun& part, Remarks& remarks) {
  const std::filesystem::path scenario = part.path / "scenario.toml";
  if (const std::string remark = scenarios::check_same(scenario); !remark.empty())
    doubt(remarks, remark);
  return scenarios::load_kept_scenario(part.path, overrides_of(order_of_share(part)));
}

bool are_same(const std::vector<FileRead>& a, const std::vector<FileRead>& b) {
  return std::ranges::equal(a, b, [](const FileRead& one, const FileRead& other) {
    return one.bytes == other.bytes && one.fingerprint == other.fingerprint;
  });
}

// The cells of which all parts ran shares.
std::vector<Cell> common_cells(const std::vector<StoredRun>& parts, Remarks& remarks) {
  const StoredRun& first = parts.front();
  std::vector<Cell> cells = cells_of(first, remarks);
  const std::vector<std::string> essence = scenarios::essence_of(cells, first.path);
  for (const StoredRun& part : parts) {
    if (&part == &first) continue;
    const std::string both = first.path.string() + " and " + part.path.string() + " ";
    const auto differs =
        scenarios::difference(essence, scenarios::essence_of(cells_of(part, remarks), part.path));
    if (differs) throw InconsistentShares(both + "are of different scenarios: " + *differs);
    if (!are_same(first.record.files, part.record.files))
      throw InconsistentShares(both + "have read files of other contents");
    if (first.record.versions != part.record.versions ||
        !are_same(first.record.programs, part.record.programs))
      doubt(remarks, both +
                         "were run by different programs, or on different systems: one machine "
                         "might have had other results");
  }
  return cells;
}

std::vector<StoredRun> open_all(const std::vector<std::string>& words) {
  std::vector<StoredRun> parts;
  for (const std::string& word : words) {
    parts.push_back(scenarios::open_run(word));
    static_cast<void>(order_of_share(parts.back()));
  }
  return parts;
}

Session put_together(const Shares& shares, const std::vector<Cell>& cells, const Remarks& remarks,
                     const Arguments& arguments) {
  const scenarios::OrderRecord& share = order_of_share(shares.parts().front());
  std::vector<std::filesystem::path> sources;
  for (const StoredRun& part : shares.parts()) sources.push_back(part.results);
  RunWriter run_writer(cells, {.root = runs_folder(arguments, "to"),
                               .command = share.command,
                               .overrides = overrides_of(share),
                               .copying = {.from = scenarios::Copying::From::its_folder},
                               .sources = sources});
  run_writer.open();
  run_writer.put_together_from(shares.records());
  for (const std::string& text : remarks) run_writer.remark(text);
  Session session;
  for (std::size_t i = 0; i < shares.runs(); ++i) {
    scenarios::Outcome outcome = shares.read(i);
    run_writer.add(outcome);
    session.runs.push_back(figures_of(outcome));
  }
  judge(session, cells);
  run_writer.conclude(verdict_text(session.claims, session.runs));
  return session;
}

}  // namespace

Exit merge_command(const Arguments& arguments) {
  std::vector<StoredRun> parts = open_all(arguments.positional());
  Remarks remarks;
  const std::vector<Cell> cells = common_cells(parts, remarks);
  check_sweep_options(arguments, cells);
  const Shares shares(std::move(parts), scenarios::count_runs(cells));
  shares.check_runs(scenarios::identities_of(cells));
  return present(put_together(shares, cells, remarks, arguments), arguments, cells);
}

}  // namespace rhizome::tools
