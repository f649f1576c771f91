#include "tools/tournament/tournament.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "scenarios/format/parser.hpp"
#include "scenarios/text/files.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/temporary_directory.hpp"
#include "test/support/temporary_file.hpp"
#include "tools/tournament/archive.hpp"
#include "tools/tournament/multiplicity.hpp"

namespace rhizome::tournament_test {

using tools::Contest;
using tools::Entrant;
using tools::RunFigures;
using tools::Tournament;

namespace {

const scenarios::Metric& response() { return *scenarios::find_metric("mean_response"); }

RunFigures run(const std::string& scenario, const std::string& label, std::uint32_t repetition,
               double value) {
  RunFigures figures;
  figures.identity.scenario = scenario;
  figures.identity.label = label;
  figures.identity.repetition = repetition;
  figures.values.assign(scenarios::metrics().size(), 0);
  figures.values[static_cast<std::size_t>(&response() - scenarios::metrics().data())] = value;
  return figures;
}

// Three schedulers whose differences are small beside what the seeds have in common.
std::vector<RunFigures> contest(const std::string& scenario, double scale = 1) {
  std::vector<RunFigures> runs;
  const double noise[] = {0.00, 0.01, -0.01, 0.02, -0.02, 0.00};
  for (std::uint32_t r = 0; r < 6; ++r) {
    const double common = 10 + 5.0 * r;
    runs.push_back(run(scenario, "slow", r, scale * (common + 2 + noise[r])));
    runs.push_back(run(scenario, "fast", r, scale * common));
    runs.push_back(run(scenario, "same", r, scale * (common + 3 * noise[5 - r])));
  }
  return runs;
}

const Entrant& entrant(const Contest& contest, const std::string& label) {
  for (const Entrant& entrant : contest.entrants)
    if (entrant.label == label) return entrant;
  FAIL("no entrant " << label);
  return contest.entrants.front();
}

}  // namespace

// Holm's own example has other figures; these were computed by hand: .01 <= .05/4, .011 <= .05/3,
// .03 > .05/2; after one hypothesis stands, all later ones stand too.
TEST_CASE("Holm rejects in order until one stands") {
  CHECK(tools::rejected_by_holm(std::vector{0.03, 0.01, 0.04, 0.011}, 0.95) ==
        std::vector{false, true, false, true});
  CHECK(tools::rejected_by_holm(std::vector{0.04}, 0.95) == std::vector{true});
  CHECK(tools::rejected_by_holm({}, 0.95).empty());
}

TEST_CASE("letters are shared exactly by schedulers that do not differ") {
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
  CHECK(tools::group_letters(3, {}) == std::vector<std::string>{"a", "a", "a"});
  CHECK(tools::group_letters(3, Pairs{{0, 1}, {0, 2}, {1, 2}}) ==
        std::vector<std::string>{"a", "b", "c"});
  CHECK(tools::group_letters(3, Pairs{{0, 2}}) == std::vector<std::string>{"a", "ab", "b"});
  const Pairs apart{{0, 2}, {0, 3}, {1, 3}, {1, 4}, {2, 4}};
  const auto letters = tools::group_letters(5, apart);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = i + 1; j < 5; ++j) {
      const bool share = letters[i].find_first_of(letters[j]) != std::string::npos;
      CHECK(share == (std::find(apart.begin(), apart.end(), std::pair(i, j)) == apart.end()));
    }
}

TEST_CASE("pairs are told apart by their differences, however far seeds are from each other") {
  const auto runs = contest("one");
  const Tournament result = tools::hold_tournament(runs, response(), 0.95);
  REQUIRE(result.contests.size() == 1);
  CHECK(result.overall.empty());
  CHECK(result.tests == 3);
  const Contest& one = result.contests.front();
  CHECK(entrant(one, "slow").best_rank == 3);
  CHECK(entrant(one, "slow").letters == "b");
  CHECK(entrant(one, "fast").letters == "a");
  CHECK(entrant(one, "same").letters == "a");
  CHECK(entrant(one, "same").best_rank == 1);
  CHECK(entrant(one, "same").worst_rank == 2);
  CHECK(entrant(one, "slow").ratio.interval->low > 1);
}

TEST_CASE("a scheduler that loses tasks or breaks an invariant is not ranked") {
  auto runs = contest("one");
  for (RunFigures& figures : runs)
    if (figures.identity.label == "fast" && figures.identity.repetition == 2)
      figures.unfinished = 1;
  const Tournament result = tools::hold_tournament(runs, response(), 0.95);
  const Contest& one = result.contests.front();
  CHECK(one.ranked == 2);
  CHECK(one.entrants.back().label == "fast");
  CHECK(one.entrants.back().best_rank == 0);
  CHECK(entrant(one, "same").best_rank == 1);
  CHECK(text_of(result).find("1 of 6 lost tasks") != std::string::npos);
}

TEST_CASE("a bound is shown beside the best, and has no rank") {
  auto runs = contest("one");
  for (RunFigures figures : contest("one"))
    if (figures.identity.label == "fast") {
      figures.identity.label = "ideal";
      figures.identity.scheduler = "omniscient";
      for (double& value : figures.values) value /= 2;
      runs.push_back(figures);
    }
  const Tournament result = tools::hold_tournament(runs, response(), 0.95);
  const Contest& one = result.contests.front();
  CHECK(one.ranked == 3);
  CHECK(result.tests == 3);
  CHECK(one.entrants.back().label == "ideal");
  CHECK(one.entrants.back().best_rank == 0);
  CHECK(entrant(one, "ideal").ratio.value == doctest::Approx(0.5));
  CHECK(entrant(one, "fast").best_rank == 1);
  CHECK(text_of(result).find("bound") != std::string::npos);
  CHECK(text_of(result).find("Bounds know everything beforehand") != std::string::npos);
  CHECK(json_of(result).find("\"bound\": true") != std::string::npos);
}

TEST_CASE("a bound that is not sound is told as others are") {
  auto runs = contest("one");
  for (RunFigures& figures : runs)
    if (figures.identity.label == "fast") {
      figures.identity.scheduler = "heft";
      figures.unfinished = 1;
    }
  const Tournament result = tools::hold_tournament(runs, response(), 0.95);
  CHECK(result.contests.front().entrants.back().label == "fast");
  CHECK(text_of(result).find("6 of 6 lost tasks") != std::string::npos);
}

TEST_CASE("whom the metric does not apply to is not ranked") {
  std::vector<RunFigures> runs = contest("one");
  for (std::uint32_t r = 0; r < 6; ++r)
    runs.push_back(run("one", "none", r, scenarios::not_applicable));
  const Tournament made = hold_tournament(runs, response(), 0.95);
  CHECK(made.contests.front().ranked == 3);
  CHECK(made.contests.front().entrants.back().label == "none");
  CHECK(text_of(made).find("the metric does not apply") != std::string::npos);
}

TEST_CASE("contests of any scale count alike") {
  auto runs = contest("small");
  const auto large = contest("large", 1000);
  runs.insert(runs.end(), large.begin(), large.end());
  const Tournament result = tools::hold_tournament(runs, response(), 0.95);
  REQUIRE(result.overall.size() == 1);
  CHECK(result.tests == 9);
  const Contest& all = result.overall.front();
  CHECK(all.entrants.back().label == "slow");
  double sum = 0;
  for (const Entrant& entrant : all.entrants) sum += entrant.mean.value;
  CHECK(sum == doctest::Approx(3));
}

TEST_CASE("if more is better the order turns") {
  const scenarios::Metric& utilisation = *scenarios::find_metric("utilisation");
  auto runs = contest("one");
  for (RunFigures& figures : runs)
    figures.values.assign(figures.values.size(), figures.identity.label == "slow" ? 0.9 : 0.5);
  const Tournament result = tools::hold_tournament(runs, utilisation, 0.95);
  CHECK(result.contests.front().entrants.front().label == "slow");
  CHECK(result.contests.front().entrants.front().worst_rank == 1);
}

TEST_CASE("a base of only zeros has no ratio, and more repetitions would not help") {
  const auto text = [](double second) {
    std::vector<RunFigures> runs;
    for (std::uint32_t r = 0; r < 4; ++r) {
      runs.push_back(run("one", "none", r, 0));
      runs.push_back(run("one", "some", r, second + r));
    }
    const Tournament result = tools::hold_tournament(runs, response(), 0.95);
    CHECK(tools::next_repetitions(result.contests.front(), 4, 0.01, 100) == 4);
    return text_of(result);
  };
  CHECK(text(500).find("+501.5 [") != std::string::npos);
  CHECK(text(500).find("equal") == std::string::npos);
}

TEST_CASE("repetitions are added as the spread suggests, not beyond twice or the most") {
  const auto runs = contest("one");
  const Tournament result = tools::hold_tournament(runs, response(), 0.95);
  const Contest& one = result.contests.front();
  const double now = tools::widest(one);
  CHECK(now > 0);
  CHECK(tools::next_repetitions(one, 6, now, 100) == 6);
  CHECK(tools::next_repetitions(one, 6, now / 1.2, 100) == 9);  // 6 * 1.44
  CHECK(tools::next_repetitions(one, 6, now / 10, 100) == 12);
  CHECK(tools::next_repetitions(one, 6, now / 10, 7) == 7);
  CHECK(tools::next_repetitions(one, 6, now / 10, 3) == 6);
}

TEST_CASE("kept figures are taken up for the same scenario, and for no other") {
  const std::string text = "peers.count = 20\n[[scheduler]]\nuse = \"organic-grid\"\n";
  const auto cell = scenarios::parse_scenario(text, "s.toml").front();
  const auto other = scenarios::parse_scenario(text + "max_children = 7\n", "s.toml").front();
  const test::TemporaryFile file("");
  {
    tools::Archive archive(file.name());
    archive.add(cell, 0, run("s", "organic-grid", 0, 1.5));
    archive.add(cell, 0, run("s", "organic-grid", 1, 2.5));
    archive.add(cell, 0, run("s", "organic-grid", 3, 9));  // after a gap
  }
  const tools::Archive archive(file.name());
  const auto kept = archive.find(cell, 0);
  REQUIRE(kept.size() == 2);
  CHECK(kept[1].values == run("s", "organic-grid", 1, 2.5).values);
  CHECK(kept[1].identity.label == "organic-grid");
  CHECK(archive.find(other, 0).empty());

  // The contents of files that the scenario reads belong to it.
  const test::TemporaryFile jobs("1\n2\n");
  const std::string reading =
      text + "[workload]\nkind = \"job-list\"\nfile = \"" + jobs.name() + "\"\n";
  const auto listed = scenarios::parse_scenario(reading, "s.toml").front();
  const test::TemporaryFile own("");
  tools::Archive(own.name()).add(listed, 0, run("s", "organic-grid", 0, 4.5));
  CHECK(tools::Archive(own.name()).find(listed, 0).size() == 1);
  std::ofstream(jobs.name(), std::ios::app) << "3\n";
  CHECK(tools::Archive(own.name()).find(listed, 0).empty());

  // A line that broke off goes, and the next one begins anew.
  std::filesystem::resize_file(file.name(), std::filesystem::file_size(file.name()) - 5);
  tools::Archive(file.name()).add(cell, 0, run("s", "organic-grid", 2, 3.5));
  CHECK(tools::Archive(file.name()).find(cell, 0).size() == 3);

  // Another user might have made up the runs, and a pipe would hold the reader up.
  if (geteuid() == 0) {
    REQUIRE(chown(file.name().c_str(), 65534, 65534) == 0);
    REQUIRE_THROWS_AS(tools::Archive{file.name()}, scenarios::CannotWrite);
    REQUIRE(chown(file.name().c_str(), 0, 0) == 0);
  }
  const test::TemporaryDirectory folder;
  const std::string pipe = (folder.path() / "pipe").string();
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_AS(tools::Archive{pipe}, scenarios::CannotWrite);

  // What is not ours is not touched.
  const test::TemporaryFile foreign("a letter without a line's end");
  CHECK_THROWS_AS(tools::Archive(foreign.name()), scenarios::InputError);
  CHECK(std::filesystem::file_size(foreign.name()) == 29);

  const auto with = [&](const std::string& key, const std::string& number) {
    std::string lines = scenarios::read_file(file.name()).value();
    lines.replace(lines.find("\"" + key + "\":") + key.size() + 3, 1, number);
    return lines;
  };
  for (const std::string& line :
       {std::string("{\"run\": 3}\n"), with("repetition", "0"), with("validity", "99"),
        with("validity", "-1"), with("ending", "99")}) {
    const test::TemporaryFile spoilt(line);
    CHECK_THROWS_WITH_AS(tools::Archive(spoilt.name()),
                         (spoilt.name() + ":1:1: this line is no kept run of a tournament").c_str(),
                         scenarios::InputError);
  }
}

}  // namespace rhizome::tournament_test
