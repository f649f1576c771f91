// Damaged stores: after any change to the file of a stored run, every reader of it shows the rest
// or refuses it with a sentence. RHIZOME_FUZZ_RUNS sets how many are tried, RHIZOME_FUZZ_FIRST the
// first.
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/peer/rng.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/outcome/tree.hpp"
#include "scenarios/store/directory.hpp"
#include "scenarios/store/shares.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/fuzz/store_damage.hpp"
#include "test/support/temporary_directory.hpp"
#include "tools/bill/bill.hpp"
#include "tools/compare/render.hpp"
#include "tools/fate/fate.hpp"
#include "tools/fate/story.hpp"
#include "tools/monitor/frame_json.hpp"
#include "tools/monitor/playback.hpp"
#include "tools/monitor/stored_recording.hpp"
#include "tools/report/material.hpp"
#include "tools/report/page.hpp"
#include "tools/timeline/trace.hpp"
#include "tools/tree/measures.hpp"
#include "tools/tree/render.hpp"

namespace rhizome::store_fuzz_test {

namespace {

using core::Rng;

std::uint64_t number_in(const char* variable, std::uint64_t otherwise) {
  const char* wish = std::getenv(variable);
  return wish == nullptr ? otherwise : std::strtoull(wish, nullptr, 10);
}
std::uint64_t runs() { return number_in("RHIZOME_FUZZ_RUNS", 100); }
std::uint64_t first() { return number_in("RHIZOME_FUZZ_FIRST", 0); }

// Something of all that a run can leave behind: faults, losses, a log of messages, three
// schedulers.
constexpr auto faulty = R"(
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
)";

// Tasks that need each other, move, and are looked for.
constexpr auto moving = R"(
peers.count = 5
workload = { kind = "matrix", dims = 3, tg_prob_connected = 1, independent = 2 }
network = { latency = "constant", delay = "20ms" }
engine = { kind = "virtual", log_hops = true }
run.repetitions = 2
[[scheduler]]
use = "wander"
moves = 3
[[scheduler]]
use = "vector"
locator = "registry"
)";

// Little, so that many changes of it can be read.
constexpr auto little = R"(
peers.count = 4
workload = { jobs = 1, portions = 2 }
engine = { kind = "virtual", log_messages = true }
run.repetitions = 1
[[scheduler]]
use = "organic-grid"
[[scheduler]]
use = "air-traffic"
)";

void fill(const std::filesystem::path& file, const std::string& scenario) {
  const auto cells = scenarios::parse_scenario(scenario, "fuzzed.toml");
  scenarios::Store store = scenarios::Store::create(file);
  static_cast<void>(scenarios::run_experiment(
      cells, {.outcome = [&](scenarios::Outcome&& outcome) { store.add(outcome); }}));
}

// As a monitor shows it, to its end.
void play(const scenarios::StoredRun& run, std::size_t i) {
  const tools::StoredRecording recording(run, i);
  tools::Playback playback(recording.file());
  std::size_t frames = 0;
  do {
    REQUIRE(++frames < 5000);
    if (frames % 32 != 1) continue;
    const scenarios::live::Knowledge& known = playback.known();
    CHECK(tools::frame_line(known.state, known.latest_facts, known.welcome).ends_with("]}"));
  } while (playback.step());
}

// The figures of all runs, side by side.
void compare(const std::vector<tools::RunFigures>& runs) {
  const auto comparisons = tools::compare(runs, {.sides = tools::Sides::labels});
  for (const tools::Comparison& comparison : comparisons) {
    CHECK_FALSE(tools::text_of(comparison, {.all = true}).empty());
    CHECK_FALSE(tools::markdown_of(comparison, true).empty());
  }
  CHECK_FALSE(tools::json_of(comparisons, {}).empty());
}

// As the one share of an experiment, put together.
void merge(const std::filesystem::path& file) {
  std::vector<scenarios::StoredRun> parts;
  parts.push_back(scenarios::open_run(file));
  parts.front().record.verdict = "holds";
  parts.front().record.order = scenarios::OrderRecord{.share = scenarios::RunShare{},
                                                      .command = "rhizome run scenario.toml"};
  const std::size_t runs = parts.front().store.size();
  if (runs == 0) return;
  const scenarios::Shares shares(std::move(parts), runs);
  scenarios::Store whole = scenarios::Store::in_memory();
  for (std::size_t i = 0; i < shares.runs(); ++i) whole.add(shares.read(i));
  CHECK(whole.size() == runs);
}

// All that the commands make of a store.
void read_all(const std::filesystem::path& file, const std::filesystem::path& csv) {
  const scenarios::StoredRun run = scenarios::open_run(file);
  std::vector<tools::RunFigures> figures;
  for (std::size_t i = 0; i < run.store.size(); ++i) {
    const scenarios::Outcome outcome = run.read(i);
    figures.push_back(tools::figures_of(outcome));
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
    play(run, i);
  }
  compare(figures);
  merge(file);
  const std::vector<const scenarios::Metric*> metrics{scenarios::find_metric("makespan")};
  const std::vector<tools::Material> materials{tools::gather(run, metrics)};
  CHECK_FALSE(tools::report_page(materials, {}).empty());
  static_cast<void>(run.store.export_csv(csv));
}

}  // namespace

TEST_CASE("every reader of a damaged store shows it or refuses it with a sentence") {
  const test::TemporaryDirectory directory;
  const std::array whole{directory.path() / "faulty.sqlite", directory.path() / "moving.sqlite"};
  fill(whole[0], faulty);
  fill(whole[1], moving);
  const auto damaged = directory.path() / "damaged.sqlite";
  std::uint64_t refused = 0;
  for (std::uint64_t seed = first(); seed < first() + runs(); ++seed) {
    CAPTURE(seed);
    std::filesystem::copy_file(whole[seed % 2], damaged,
                               std::filesystem::copy_options::overwrite_existing);
    Rng rng(seed);
    rng.chance(0.7) ? test::damage_tables(damaged, rng) : test::damage_bytes(damaged, rng);
    try {
      read_all(damaged, directory.path() / "csv");
    } catch (const scenarios::UnreadableFile& error) {
      CHECK(std::string(error.what()).starts_with(directory.path().string()));
      ++refused;
    }
  }
  CHECK(refused > runs() / 4);
  CHECK(refused < runs());
}

TEST_CASE("whatever a store is made of, its readers refuse it or end soon, in bounded memory") {
  const test::TemporaryDirectory directory;
  const auto whole = directory.path() / "whole.sqlite";
  fill(whole, little);
  const auto changed = directory.path() / "changed.sqlite";
  std::uint64_t refused = 0;
  const std::uint64_t count = 2 * runs();
  for (std::uint64_t seed = first(); seed < first() + count; ++seed) {
    CAPTURE(seed);
    for (const char* more : {"", "-wal", "-shm", "-journal"})
      std::filesystem::remove(changed.string() + more);
    std::filesystem::copy_file(whole, changed);
    Rng rng(seed);
    test::change_structure(changed, rng);
    const auto begun = std::chrono::steady_clock::now();
    try {
      read_all(changed, directory.path() / "csv");
    } catch (const scenarios::UnreadableFile& error) {
      CHECK(std::string(error.what()).starts_with(directory.path().string()));
      ++refused;
    }
    CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(60));
  }
  CHECK(refused > count / 4);
  CHECK(refused < count);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  CHECK(usage.ru_maxrss / 1024 < 2000);  // MiB
}

}  // namespace rhizome::store_fuzz_test
