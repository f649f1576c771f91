// Small scenarios in every order of events, as far as a small budget reaches; and histories that
// broke something once, in test/histories, as `rhizome explore` wrote them.
#include "scenarios/experiment/exploration.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/explore/search.hpp"
#include "scenarios/experiment/history_file.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/experiments.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::exploration_test {

namespace {

const std::string three_peers = R"(
peers.count = 3
graph.kind = "complete"
workload.jobs = 1
workload.portions = 2
engine.kind = "virtual"
)";

struct Searched {
  core::SearchCounts counts;
  bool exhausted = false;
  std::string broken;  // empty: nothing
};

Searched searched(const std::string& text, const core::ExplorerOptions& options,
                  std::uint64_t states) {
  const auto cells = scenarios::parse_scenario(text, "small.toml", {});
  scenarios::Exploration exploration(cells.front(), 0, options);
  core::Search search(exploration.explorer(), {.states = states});
  search.explore();
  Searched result{.counts = search.counts(), .exhausted = search.exhausted(), .broken = {}};
  if (search.broken())
    result.broken = search.broken()->broken.rule + ": " + search.broken()->broken.told;
  return result;
}

}  // namespace

TEST_CASE("no order of events of three peers breaks a scheduler") {
  for (const char* scheduler : {"organic-grid", "air-traffic", "hybrid", "sparrow", "vector"}) {
    CAPTURE(scheduler);
    const Searched calm =
        searched(three_peers + test::schedulers({scheduler}), {.chance = false}, 8'000);
    CHECK(calm.broken.empty());
    CHECK(calm.counts.histories > 0);
  }
}

TEST_CASE("no crash, loss or copy at any time breaks a scheduler") {
  for (const char* scheduler : {"organic-grid", "air-traffic", "hybrid", "sparrow", "vector"})
    for (const core::ExplorerOptions& fault :
         {core::ExplorerOptions{.crashes = 1, .chance = false},
          core::ExplorerOptions{.losses = 1, .chance = false},
          core::ExplorerOptions{.duplicates = 1, .chance = false}}) {
      CAPTURE(scheduler);
      CAPTURE(fault.crashes);
      CAPTURE(fault.losses);
      const Searched faulty = searched(three_peers + test::schedulers({scheduler}), fault, 4'000);
      CHECK(faulty.broken.empty());
      CHECK(faulty.counts.histories > 0);
    }
}

TEST_CASE("a scheduler that survives no loss is found out") {
  const Searched lossy =
      searched(three_peers + test::schedulers({"round-robin"}), {.losses = 1}, 20'000);
  CHECK_FALSE(lossy.broken.empty());
}

TEST_CASE("histories that broke something break nothing any more") {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::shipped("test/histories"))) {
    CAPTURE(entry.path().filename().string());
    const core::Broken broken = scenarios::replay_history(entry.path());
    CHECK(broken.rule == "");
    ++count;
  }
  CHECK(count > 0);
}

TEST_CASE("a world with very many peers or tasks is not explored") {
  for (const auto& [size, why] :
       {std::pair{"peers.count = 101\nworkload.jobs = 1\n", "it has 101 peers"},
        std::pair{"peers.count = 3\nworkload.jobs = 10001\nworkload.portions = 1\n",
                  "it has 10001 tasks"},
        std::pair{"peers.count = 3\nworkload.jobs = 10000000\nworkload.portions = 1000000\n",
                  "it has 10000000000000 tasks"}}) {
    CAPTURE(why);
    const std::string world =
        std::string(size) + "engine.kind = \"virtual\"\n" + test::schedulers({"organic-grid"});
    CHECK_THROWS_WITH_AS(static_cast<void>(searched(world, {}, 20)), doctest::Contains(why),
                         scenarios::InputError);
  }
}

TEST_CASE("a world with very large files is not explored") {
  const std::string files = "[[files.input]]\nname = \"f\"\nsize = 1_000_000_000\nper = \"task\"\n";
  CHECK_THROWS_WITH_AS(
      static_cast<void>(searched(three_peers + files + test::schedulers({"round-robin"}), {}, 20)),
      doctest::Contains("files of more than 1 GiB"), scenarios::InputError);
  std::string many =
      "engine.kind = \"virtual\"\npeers.count = 3\nworkload.jobs = 1\nworkload.portions = 2000\n";
  for (int i = 0; i < 51; ++i)
    many += "[[files.input]]\nname = \"f" + std::to_string(i) + "\"\nsize = 1\nper = \"task\"\n";
  CHECK_THROWS_WITH_AS(
      static_cast<void>(searched(many + test::schedulers({"round-robin"}), {}, 20)),
      doctest::Contains("name more than 100000 files"), scenarios::InputError);
}

TEST_CASE("a program is explored only where going back does the same again") {
  const std::string program =
      "peers.count = 2\nworkload.jobs = 1\nworkload.portions = 1\n"
      "engine.kind = \"virtual\"\n[[scheduler]]\nuse = \"program\"\n"
      "command = \"python3 round_robin.py\"\ndirectory = \"" +
      test::shipped("scenarios/programs") + "\"\n";
  CHECK(searched(program, {}, 20).broken.empty());
  for (const auto& [more, why] :
       {std::pair{"quiet_for = \"10ms\"", "leave quiet_for out"},
        std::pair{"peers_per_process = 2", "leave peers_per_process out"}}) {
    CAPTURE(more);
    CHECK_THROWS_WITH_AS(static_cast<void>(searched(program + more, {}, 20)),
                         doctest::Contains(why), scenarios::InputError);
  }
}

}  // namespace rhizome::exploration_test
