// Damaged stores: whatever is changed in the file of a stored run, every reader of it shows what it
// still can or refuses it with a sentence. RHIZOME_FUZZ_RUNS sets how many are tried.
#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/peer/rng.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/outcome/tree.hpp"
#include "scenarios/store/database.hpp"
#include "scenarios/store/directory.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/effort.hpp"
#include "test/support/temporary_directory.hpp"
#include "test/support/temporary_file.hpp"
#include "tools/bill/bill.hpp"
#include "tools/fate/fate.hpp"
#include "tools/fate/story.hpp"
#include "tools/report/material.hpp"
#include "tools/report/page.hpp"
#include "tools/timeline/trace.hpp"
#include "tools/tree/measures.hpp"
#include "tools/tree/render.hpp"

namespace rhizome::store_fuzz_test {

namespace {

using core::Rng;
using scenarios::Database;
using scenarios::Statement;

std::uint64_t runs() {
  const char* wish = std::getenv("RHIZOME_FUZZ_RUNS");
  return wish == nullptr ? test::seeds(500) : std::strtoull(wish, nullptr, 10);
}

// Something of all that a run can leave behind: faults, losses, a log of messages, three
// schedulers.
void fill(const std::filesystem::path& file) {
  const auto cells = scenarios::parse_scenario(R"(
peers.count = 6
workload = { jobs = 2, portions = 3, spacing = "50ms" }
network = { loss = 0.02, bandwidth_up = "1Mbit/s" }
engine = { kind = "virtual", log_messages = true }
run.repetitions = 1
faults = { crash_share = 0.3, restart_after = "1s" }
[[scheduler]]
use = "organic-grid"
[[scheduler]]
use = "air-traffic"
[[scheduler]]
use = "sparrow"
view = "gradient"
)",
                                               "fuzzed.toml");
  scenarios::Store store = scenarios::Store::create(file);
  static_cast<void>(scenarios::run_experiment(
      cells, {.outcome = [&](scenarios::Outcome&& outcome) { store.add(outcome); }}));
}

std::vector<std::string> words_of(const Database& database, const std::string& sql, int column) {
  Statement query = database.prepare(sql);
  query.start();
  std::vector<std::string> words;
  while (query.next()) words.push_back(query.text(column));
  return words;
}

const std::string& any(const std::vector<std::string>& words, Rng& rng) {
  return words[rng.below(words.size())];
}

// A statement that damages the tables, or none where SQLite's own rules forbid it.
std::string damage(const Database& database, Rng& rng) {
  static const std::vector<std::string> values{"-1",
                                               "0",
                                               "1",
                                               "4611686018427387903",
                                               "255",
                                               "65536",
                                               "1000000",
                                               "4294967295",
                                               "4611686018427387904",
                                               "1e308",
                                               "-1e308",
                                               "NULL",
                                               "'x'",
                                               "''",
                                               "9223372036854775807",
                                               "'</script>'",
                                               "x'00ff'",
                                               "-9223372036854775808"};
  const std::string table =
      any(words_of(database, "SELECT name FROM sqlite_master WHERE type = 'table'", 0), rng);
  const auto columns = words_of(database, "PRAGMA table_info(" + table + ")", 1);
  const std::string column = any(columns, rng);
  // Whatever the last digit of a column says: the same each time, as random() would not be.
  const std::string some = " WHERE unicode(substr('0' || hex(" + any(columns, rng) + "), -1)) % " +
                           std::to_string(1 + rng.below(4)) + " = 0";
  switch (rng.below(8)) {
    case 0:
      return "DROP TABLE " + table;
    case 1:
      return "DELETE FROM " + table + some;
    case 2:
      return "ALTER TABLE " + table + " RENAME COLUMN " + column + " TO other";
    default:
      return "UPDATE OR IGNORE " + table + " SET " + column + " = " + any(values, rng) + some;
  }
}

void damage_tables(const std::filesystem::path& file, Rng& rng) {
  Database database(file, Database::Mode::create);
  for (std::uint64_t i = rng.below(3) + 1; i > 0; --i) {
    const std::string sql = damage(database, rng);
    INFO(sql);
    try {
      database.execute(sql);
    } catch (const scenarios::DatabaseError&) {
      // A table of types does not take everything.
    }
  }
}

void damage_bytes(const std::filesystem::path& file, Rng& rng) {
  const auto size = std::filesystem::file_size(file);
  if (rng.chance(0.2)) {
    std::filesystem::resize_file(file, rng.below(size));
    return;
  }
  std::fstream out(file, std::ios::binary | std::ios::in | std::ios::out);
  for (std::uint64_t i = rng.below(50) + 1; i > 0; --i) {
    out.seekp(static_cast<std::streamoff>(rng.below(size)));
    out.put(static_cast<char>(rng.below(256)));
  }
}

// All that the commands make of a store.
void read_all(const std::filesystem::path& file, const std::filesystem::path& csv) {
  const scenarios::StoredRun run = scenarios::open_run(file);
  for (std::size_t i = 0; i < run.store.size(); ++i) {
    const scenarios::Outcome outcome = run.read(i);
    const tools::Bill bill = tools::bill_of(outcome);
    CHECK_FALSE(tools::text_of(bill, 10).empty());
    CHECK_FALSE(tools::json_of(bill).empty());
    const scenarios::Tree tree = scenarios::tree_at(outcome, core::Time::max());
    CHECK_FALSE(
        tools::text_of(tree, outcome, tools::measure_tree(outcome, core::Time::max())).empty());
    CHECK_FALSE(tools::trace_of(outcome).empty());
    const std::vector<tools::Fate> fates{tools::fate_of(outcome)};
    CHECK_FALSE(tools::text_of(fates).empty());
    for (const scenarios::TaskOutcome& task : outcome.tasks)
      CHECK_FALSE(tools::text_of(tools::story_of(outcome, task.id)).empty());
  }
  const std::vector<const scenarios::Metric*> metrics{scenarios::find_metric("makespan")};
  const std::vector<tools::Material> materials{tools::gather(run, metrics)};
  CHECK_FALSE(tools::report_page(materials, {}).empty());
  static_cast<void>(run.store.export_csv(csv));
}

}  // namespace

TEST_CASE("every reader of a damaged store shows it or refuses it with a sentence") {
  const test::TemporaryDirectory directory;
  const auto whole = directory.path() / "whole.sqlite";
  fill(whole);
  const auto damaged = directory.path() / "damaged.sqlite";
  std::uint64_t refused = 0;
  for (std::uint64_t seed = 0; seed < runs(); ++seed) {
    CAPTURE(seed);
    std::filesystem::copy_file(whole, damaged, std::filesystem::copy_options::overwrite_existing);
    Rng rng(seed);
    rng.chance(0.7) ? damage_tables(damaged, rng) : damage_bytes(damaged, rng);
    try {
      read_all(damaged, directory.path() / "csv");
    } catch (const scenarios::UnreadableFile& error) {
      CHECK(std::string(error.what()).starts_with(damaged.string()));
      ++refused;
    }
  }
  CHECK(refused > runs() / 4);
  CHECK(refused < runs());
}

}  // namespace rhizome::store_fuzz_test
