// Shares of an experiment's runs: which runs they hold, and when they are fit to be put together.
#include "scenarios/store/shares.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/experiment/essence.hpp"
#include "scenarios/experiment/plans.hpp"
#include "scenarios/format/parser.hpp"
#include "test/support/outcomes.hpp"
#include "test/support/temporary_directory.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::scenarios::shares_test {

namespace fs = std::filesystem;
using test::TemporaryDirectory;

namespace {

// A part with so many outcomes, for the repetitions that the share holds.
StoredRun part(const fs::path& root, const RunShare& share, std::size_t outcomes,
               const std::string& verdict = "holds",
               const std::string& command = "rhizome run scenario.toml") {
  RunDirectory made =
      RunDirectory::create({.root = root,
                            .name = "part",
                            .scenario = "",
                            .replay = "",
                            .order = OrderRecord{.share = share, .command = command},
                            .now = {}});
  for (std::size_t i = 0; i < outcomes; ++i) {
    Outcome outcome = test::busy_outcome();
    outcome.identity.repetition = static_cast<std::uint32_t>(share.index + i * share.of);
    made.add(outcome);
  }
  made.record().verdict = verdict;
  made.write_record();
  return open_run(made.path());
}

std::string refusal(std::vector<StoredRun> parts, std::size_t runs) {
  try {
    const Shares shares(std::move(parts), runs);
  } catch (const InconsistentShares& error) {
    return error.what();
  }
  return "accepted";
}

template <class... Part>
std::vector<StoredRun> list(Part... parts) {
  std::vector<StoredRun> all;
  (all.push_back(std::move(parts)), ...);
  return all;
}

std::vector<std::string> essence(const std::string& text, const fs::path& home) {
  return essence_of(
      parse_scenario(text + "[[scheduler]]\nuse = \"round-robin\"\n", (home / "s.toml").string()),
      home);
}

}  // namespace

TEST_CASE("a share that is run again by a command of a stranger is not put together") {
  const TemporaryDirectory root;
  const auto refused = [&](const std::string& command) {
    return refusal(list(part(root.path(), {0, 1}, 2, "holds", command)), 2) != "accepted";
  };
  CHECK_FALSE(refused("rhizome run scenario.toml"));
  CHECK_FALSE(refused("rhizome run scenario.toml --retry 3"));
  for (const std::string command :
       {"", "touch x; rhizome run scenario.toml", "rhizome run scenario.toml; touch x",
        "rhizome run scenario.toml --retry ", "rhizome run scenario.toml --retry 3; touch x"})
    CHECK(refused(command));
}

TEST_CASE("a share is written I/N, with I from 0 and below N") {
  CHECK(run_share_of("0/1") == RunShare{0, 1});
  CHECK(run_share_of("63/64") == RunShare{63, 64});
  CHECK(RunShare{63, 64}.text() == "63/64");
  for (const char* wrong : {"", "1", "/", "1/", "/2", "2/2", "0/0", "-1/2", "1/2 ", "1/-2", "a/2",
                            "1/99999999999", "1/2/3"})
    CHECK_MESSAGE(!run_share_of(wrong), wrong);
}

TEST_CASE("every run is held by one share, whose size is the number of its runs") {
  for (std::uint32_t of = 1; of < 8; ++of)
    for (std::size_t runs = 0; runs < 20; ++runs) {
      std::size_t sum = 0;
      for (std::uint32_t index = 0; index < of; ++index) {
        const RunShare share{index, of};
        std::size_t held = 0;
        for (std::size_t run = 0; run < runs; ++run) held += share.holds(run) ? 1 : 0;
        CHECK(share.size(runs) == held);
        sum += held;
      }
      CHECK(sum == runs);
    }
}

TEST_CASE("the plans of a share are every n-th of all") {
  const auto cells = parse_scenario(
      "engine.kind = \"virtual\"\nrun.repetitions = 5\n[[scheduler]]\nuse = \"round-robin\"\n",
      "s.toml");
  const auto plans = held_by(make_plans(cells), {1, 2});
  REQUIRE(plans.size() == 2);
  CHECK(plans[0].repetition == 1);
  CHECK(plans[1].repetition == 3);
}

TEST_CASE("shares give the outcomes in the order of the whole, in whatever order they are named") {
  const TemporaryDirectory root;
  const Shares shares(list(part(root.path(), {2, 3}, 2), part(root.path(), {0, 3}, 3),
                           part(root.path(), {1, 3}, 2)),
                      7);
  for (std::size_t i = 0; i < 7; ++i) CHECK(shares.read(i).identity.repetition == i);
  const auto records = shares.records();
  REQUIRE(records.size() == 3);
  CHECK(records[2].share == RunShare{2, 3});
  CHECK(records[2].directory == shares.parts()[2].name());
}

TEST_CASE("shares are refused unless each run is there once") {
  const TemporaryDirectory root;
  const auto a = [&](std::uint32_t index, std::size_t outcomes,
                     const std::string& verdict = "holds") {
    return part(root.path(), {index, 3}, outcomes, verdict);
  };
  CHECK(refusal(list(a(0, 2), a(1, 2), a(2, 1)), 5) == "accepted");
  CHECK(refusal(list(a(0, 1), a(1, 1)), 2) == "accepted");  // the third has none
  CHECK(refusal({}, 5) == "there is nothing to put together");
  CHECK(refusal(list(a(0, 2), a(2, 1)), 5) == "missing: share 1/3");
  CHECK(refusal(list(a(1, 2)), 5) == "missing: shares 0/3, 2/3");
  CHECK(refusal(list(a(0, 2), a(1, 2), a(2, 1), a(1, 2)), 5).ends_with("the same share, 1/3"));
  CHECK(refusal(list(a(0, 2), a(1, 1), a(2, 1)), 5)
            .ends_with("holds 1 outcomes, and share 1/3 of 5 runs has 2"));
  CHECK(refusal(list(a(0, 2), a(1, 2, "interrupted"), a(2, 1)), 5)
            .ends_with("was interrupted: run its share again"));
  CHECK(refusal(list(a(0, 2), a(1, 2, ""), a(2, 1)), 5)
            .ends_with("has not ended, or was killed: run its share again"));
  CHECK(
      refusal(list(part(root.path(), {0, 2}, 3), a(1, 2)), 5).ends_with("they were not cut alike"));
}

TEST_CASE("shares whose stores hold other runs than their scenario has are refused") {
  const TemporaryDirectory root;
  const Shares shares(list(part(root.path(), {0, 2}, 2), part(root.path(), {1, 2}, 1)), 3);
  std::vector<Identity> expected(3, test::busy_outcome().identity);
  for (std::uint32_t i = 0; i < 3; ++i) expected[i].repetition = i;
  CHECK_NOTHROW(shares.check_runs(expected));
  expected[2].label = "other";
  const std::string why = [&] {
    try {
      shares.check_runs(expected);
    } catch (const InconsistentShares& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  }();
  CHECK(why.find("holds other runs than its scenario has: ") != std::string::npos);
  CHECK(why.ends_with("in the place of " + expected[2].scenario + ", other, seed " +
                      std::to_string(expected[2].seed) + ", repetition 3"));
}

TEST_CASE("the options of a share and the machines of its parts are kept in the record") {
  RunRecord record;
  record.order = OrderRecord{.share = RunShare{3, 4},
                             .command = "rhizome run scenario.toml",
                             .environment = "run.seed=2",
                             .assignments = {"peers.count=[1,2]"},
                             .schedulers = {"one"},
                             .options = {"--by=energy", "--all"}};
  record.parts = {{.share = {1, 2},
                   .directory = "part-1",
                   .started = "then",
                   .ended = "later",
                   .host = {.cores = 3, .memory_bytes = 4, .kernel = "k", .processor = "p"},
                   .remarks = {"a remark"}}};
  const std::string text = json_of(record);
  const auto read = record_of(text);
  REQUIRE(read.has_value());
  CHECK(json_of(*read) == text);
  REQUIRE(read->order.has_value());
  CHECK(read->order->share == RunShare{3, 4});
  CHECK(read->order->options == record.order->options);
  CHECK(read->parts.at(0).remarks == std::vector<std::string>{"a remark"});
  std::string wrong = text;
  wrong.replace(wrong.find("3/4"), 3, "4/4");
  CHECK_FALSE(record_of(wrong).has_value());
}

TEST_CASE("the essence of an experiment is the same wherever it stands, and at any pace") {
  const TemporaryDirectory one;
  const TemporaryDirectory other;
  for (const TemporaryDirectory* place : {&one, &other})
    std::ofstream(place->path() / "a.swf") << "1 0 5 10 2 -1 -1 2 -1 -1 1 1 1 1 1 1 -1 -1\n";
  const std::string text =
      "engine.kind = \"virtual\"\nworkload = {kind = \"swf\", file = \"a.swf\"}\n";
  const auto first = essence(text + "engine.at_once = 1\n", one.path());
  CHECK_FALSE(difference(first, essence(text + "engine.at_once = 2\n", other.path())));
  CHECK(difference(first, essence(text + "run.seed = 2\n", one.path())) ==
        "\"seed = 1\" in the one, \"seed = 2\" in the other");
  const std::vector<std::string> shorter(first.begin(), first.end() - 1);
  CHECK(difference(first, shorter) == "\"" + first.back() + "\" in the one, no more in the other");
}

}  // namespace rhizome::scenarios::shares_test
