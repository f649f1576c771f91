// Hooks of an experiment for runs under way, called from the threads that do them.
#include <doctest/doctest.h>

#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "agents/facts.hpp"
#include "test/support/experiments.hpp"

namespace rhizome::under_way_test {

using namespace std::chrono_literals;
using scenarios::RunUnderWay;

namespace {

const std::string both = R"(
peers.count = 30
workload.jobs = 20
engine.kind = "virtual"
run.repetitions = 3
)" + test::schedulers({"organic-grid", "sparrow"});

std::string name_of(const scenarios::Identity& identity) {
  return identity.label + std::to_string(identity.repetition);
}

// The calls of hooks for each run, by its number.
struct Diary {
  struct Entry {
    std::vector<std::string> told;
    std::string name;
    std::thread::id thread;
    std::uint64_t completed = 0;
    std::uint64_t facts = 0;
    core::Time now{};
    const core::Board* board = nullptr;

    void look() {
      CHECK(board->peers() == 30);
      now = board->now();
      for (std::uint32_t peer = 0; peer < board->peers(); ++peer)
        board->facts(core::PeerId{peer})
            .for_each([this](core::Time, const core::EncodedFact& fact) {
              ++facts;
              completed += fact.info == &agents::TaskCompleted::info ? 1 : 0;
            });
    }
  };
  std::mutex mutex;
  std::map<std::size_t, Entry> entries;

  void write(const std::string& what, const RunUnderWay& run) {
    const std::scoped_lock lock(mutex);
    Entry& entry = entries[run.number];
    entry.name = name_of(run.identity);
    entry.thread = std::this_thread::get_id();
    if (entry.told.empty() || entry.told.back() != what) entry.told.push_back(what);
  }
  void watch(const RunUnderWay& run, const core::Board& board) {
    write("watch", run);
    const std::scoped_lock lock(mutex);
    entries[run.number].board = &board;
  }
  void unwatch(const RunUnderWay& run) {
    write("unwatch", run);
    const std::scoped_lock lock(mutex);
    entries[run.number].look();
  }
  [[nodiscard]] scenarios::RunHooks hooks() {
    return {
        .begin = [this](const RunUnderWay& run) { write("begin", run); },
        .tick = [this](const RunUnderWay& run, core::Time) { write("tick", run); },
        .watch = [this](const RunUnderWay& run, const core::Board& board) { watch(run, board); },
        .unwatch = [this](const RunUnderWay& run) { unwatch(run); },
        .over = [this](const RunUnderWay& run) { write("over", run); }};
  }
};

const std::vector<std::string> whole_story{"begin", "watch", "tick", "unwatch", "over"};

}  // namespace

TEST_CASE("each run in virtual time tells of itself from its own thread, and shows all it does") {
  const auto cells =
      scenarios::parse_scenario(both, "test.toml", {.command_line = {"engine.at_once=3"}});
  Diary diary;
  std::vector<scenarios::Outcome> outcomes;
  CHECK(scenarios::run_experiment(
      cells, {.outcome = [&](auto&& outcome) { outcomes.push_back(std::move(outcome)); },
              .runs = diary.hooks()}));
  REQUIRE(outcomes.size() == 6);
  REQUIRE(diary.entries.size() == 6);
  for (const auto& [number, entry] : diary.entries) {
    CAPTURE(number);
    CHECK(entry.told == whole_story);
    CHECK(entry.thread != std::this_thread::get_id());
    CHECK(entry.name == name_of(outcomes[number].identity));
    CHECK(entry.completed == outcomes[number].tasks.size());
    CHECK(entry.facts == outcomes[number].facts.size());
    CHECK(entry.now == outcomes[number].ended);
  }
}

TEST_CASE("a run on threads tells of itself from the thread that began the experiment") {
  const auto cells = scenarios::parse_scenario(
      both, "test.toml",
      {.command_line = {"engine.kind=threads", "engine.time_scale=20", "run.repetitions=1"}});
  Diary diary;
  CHECK(scenarios::run_experiment(cells, {.runs = diary.hooks()}));
  REQUIRE(diary.entries.size() == 2);
  for (const auto& [number, entry] : diary.entries) {
    CHECK(entry.told == whole_story);
    CHECK(entry.thread == std::this_thread::get_id());
  }
}

TEST_CASE("a run under way tells the limit that its work needs where none is said") {
  const auto cells = scenarios::parse_scenario(
      both, "test.toml",
      {.command_line = {"workload.jobs=1", "workload.portion_time=2h", "run.repetitions=1"}});
  std::vector<core::Duration> limits;
  const scenarios::RunHooks hooks{
      .over = [&](const RunUnderWay& run) { limits.push_back(run.foreseen.limit); }};
  CHECK(scenarios::run_experiment(cells, {.runs = hooks}));
  REQUIRE(limits.size() == 2);
  for (const core::Duration limit : limits) CHECK(limit > 2h);
}

TEST_CASE("a run that fails to begin is over all the same") {
  auto cells = scenarios::parse_scenario(both, "test.toml");
  cells.push_back(cells.front());
  cells.back().scenario.workload.cpus = 1000;
  cells.back().assignments = {{"workload.cpus", "1000"}};
  Diary diary;
  CHECK_THROWS(scenarios::run_experiment(cells, {.runs = diary.hooks()}));
  REQUIRE(diary.entries.contains(6));
  for (const auto& [number, entry] : diary.entries)
    if (number >= 6) CHECK(entry.told == std::vector<std::string>{"begin", "over"});
}

}  // namespace rhizome::under_way_test
