// What an experiment tells of runs while they are under way, from the threads that do them.
#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "agents/facts.hpp"
#include "test/support/experiments.hpp"

namespace rhizome::under_way_test {

using scenarios::RunUnderWay;

namespace {

const std::string both = R"(
peers.count = 30
workload.jobs = 20
engine.kind = "virtual"
run.repetitions = 3
[[scheduler]]
use = "organic-grid"
[[scheduler]]
use = "sparrow"
)";

std::string name_of(const scenarios::Identity& identity) {
  return identity.label + std::to_string(identity.repetition);
}

// What hooks were told of each run, by its number.
struct Diary {
  struct Entry {
    std::vector<std::string> told;
    std::string name;
    std::thread::id thread;
    std::uint64_t completed = 0;
    std::uint64_t facts = 0;
    core::Time now{};
  };
  std::mutex mutex;
  std::map<std::size_t, Entry> entries;

  void write(const std::string& what, const RunUnderWay& run) {
    const std::scoped_lock lock(mutex);
    Entry& entry = entries[run.number];
    entry.name = name_of(run.identity);
    entry.thread = std::this_thread::get_id();
    if (entry.told.empty() || entry.told.back() != what) entry.told.push_back(what);
    if (run.board == nullptr) return;
    CHECK(run.board->peers() == 30);
    entry.now = run.board->now();
    entry.completed = run.board->tally().count(agents::TaskCompleted::info);
    entry.facts = 0;
    run.board->tally().for_each(
        [&](const core::FactInfo&, std::uint64_t count) { entry.facts += count; });
  }
  [[nodiscard]] scenarios::RunHooks hooks(bool observed) {
    return {.begin = [this](const RunUnderWay& run) { write("begin", run); },
            .tick = [this](const RunUnderWay& run, core::Time) { write("tick", run); },
            .over = [this](const RunUnderWay& run) { write("over", run); },
            .board = observed ? std::optional(core::BoardOptions{}) : std::nullopt};
  }
};

const std::vector<std::string> whole_story{"begin", "tick", "over"};

}  // namespace

TEST_CASE("each run in virtual time tells of itself from its own thread, and shows all it does") {
  const auto cells =
      scenarios::parse_scenario(both, "test.toml", {.command_line = {"engine.at_once=3"}});
  Diary diary;
  std::vector<scenarios::Outcome> outcomes;
  CHECK(scenarios::run_experiment(
      cells, {.outcome = [&](auto&& outcome) { outcomes.push_back(std::move(outcome)); },
              .runs = diary.hooks(true)}));
  REQUIRE(outcomes.size() == 6);
  REQUIRE(diary.entries.size() == 6);
  for (const auto& [number, entry] : diary.entries) {
    CAPTURE(number);
    CHECK(entry.told == whole_story);
    CHECK(entry.thread != std::this_thread::get_id());
    CHECK(entry.name == name_of(outcomes[number].identity));
    CHECK(entry.completed == outcomes[number].tasks.size());
    CHECK(entry.facts == outcomes[number].facts.size());
    CHECK(entry.now >= outcomes[number].ended);
  }
}

TEST_CASE("a run in virtual time has the same history whether somebody looks or not") {
  const auto cells = scenarios::parse_scenario(both, "test.toml");
  for (const std::size_t scheduler : {0U, 1U}) {
    const auto board = std::make_shared<core::Board>(30, core::BoardOptions{.facts = 8});
    const auto seen = scenarios::run_once(cells.front(), scheduler, 0, {.board = board}, nullptr);
    CHECK(board->tap().lost() > 0);
    CHECK(seen.facts == test::run_scenario(both, 0, scheduler).facts);
  }
}

TEST_CASE("a run on threads tells of itself from the thread that began the experiment") {
  const auto cells = scenarios::parse_scenario(
      both, "test.toml",
      {.command_line = {"engine.kind=threads", "engine.time_scale=20", "run.repetitions=1"}});
  Diary diary;
  CHECK(scenarios::run_experiment(cells, {.runs = diary.hooks(false)}));
  REQUIRE(diary.entries.size() == 2);
  for (const auto& [number, entry] : diary.entries) {
    CHECK(entry.told == whole_story);
    CHECK(entry.thread == std::this_thread::get_id());
  }
}

TEST_CASE("a run that fails to begin is over all the same") {
  auto cells = scenarios::parse_scenario(both, "test.toml");
  cells.push_back(cells.front());
  cells.back().scenario.workload.cpus = 1000;
  cells.back().assignments = {{"workload.cpus", "1000"}};
  Diary diary;
  CHECK_THROWS(scenarios::run_experiment(cells, {.runs = diary.hooks(false)}));
  REQUIRE(diary.entries.contains(6));
  for (const auto& [number, entry] : diary.entries)
    if (number >= 6) CHECK(entry.told == std::vector<std::string>{"begin", "over"});
}

}  // namespace rhizome::under_way_test
