#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include "scenarios/format/parser.hpp"
#include "tools/cli/command.hpp"
#include "tools/guide/guide.hpp"

namespace rhizome::guide_test {

using namespace tools;

namespace {

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the first scenario of a user is valid, small and free of sweeps") {
  const auto cells = scenarios::parse_scenario(starter_scenario(), "scenario.toml");
  REQUIRE(cells.size() == 1);
  CHECK(cells.front().scenario.schedulers.size() == 2);
  CHECK(cells.front().scenario.claims.size() == 1);
  CHECK(cells.front().scenario.peers.count <= 50);
}

TEST_CASE("every key of the first scenario is explained above it, in 80 columns") {
  const std::string text = starter_scenario();
  CHECK(widest_line(text) <= 80);
  std::istringstream lines(text);
  std::string before;
  std::size_t keys = 0;
  for (std::string line; std::getline(lines, line); before = line) {
    if (line.empty() || line.starts_with('#') || line.starts_with('[')) continue;
    ++keys;
    const bool again = line == "use = \"air-traffic\"";  // explained at the first scheduler
    CHECK_MESSAGE(before.starts_with("# ") != again, line);
  }
  CHECK(keys > 15);
  CHECK(holds(text, "from 2 to 1000000; by default 100.\ncount = 30\n"));
}

TEST_CASE("every key tells its values, also keys that are no settings") {
  std::set<std::string> names;
  for (const SectionGuide& section : guide_to_keys()) {
    CHECK(widest_line(text_of(section)) <= 80);
    for (const KeyGuide& key : section.keys) {
      CHECK_MESSAGE(!key.range.empty(), key.name);
      CHECK_MESSAGE(key.meaning.ends_with('.'), key.name);
      names.insert(section.name + "." + key.name);
    }
  }
  for (const char* name : {"top.claims", "scheduler.use", "scheduler.label", "peers.count",
                           "scheduler.organic-grid.max_children"})
    CHECK_MESSAGE(names.contains(name), name);
}

TEST_CASE("bounds of keys are written as a scenario writes their values") {
  const auto all = guide_to_keys();
  const auto text = [&](const std::string& name) {
    return text_of(sections_within(all, name).front());
  };
  CHECK(holds(text("peers"), "Takes a whole number from 2 to 1000000."));
  CHECK(holds(text("network"), "Takes a duration from 0ms to 1h."));
  CHECK(holds(text("network"), "Takes a rate from 0bit/s to 1000Gbit/s."));
  CHECK(holds(text("engine"), "Takes one of \"threads\", \"virtual\"."));
  CHECK(holds(text("engine"), "Takes true or false."));
}

TEST_CASE("keys are listed by section, with the sections within it") {
  const auto all = guide_to_keys();
  const auto faults = sections_within(all, "faults");
  CHECK(faults.size() > 2);
  CHECK(std::any_of(faults.begin(), faults.end(),
                    [](const auto& section) { return section.name == "faults.event"; }));
  CHECK(sections_within(all, "scheduler.organic-grid").size() == 1);
  CHECK(sections_within(all, "scheduler").size() == agents::catalogue().size() + 1);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(sections_within(all, "wrkload")),
      "a scenario has no section and no key \"wrkload\"; did you mean \"workload\"?", UsageError);
  CHECK_THROWS_WITH_AS(static_cast<void>(sections_within(all, "nothing-like-it")),
                       doctest::Contains("its sections are top, peers, peers.group, graph"),
                       UsageError);
}

TEST_CASE("a key is listed by its name, alone or after that of its section") {
  const auto all = guide_to_keys();
  const auto claims = sections_within(all, "claims");
  REQUIRE(claims.size() == 1);
  REQUIRE(claims.front().keys.size() == 1);
  CHECK(holds(text_of(claims.front()), "What must hold after the runs"));
  const auto jobs = sections_within(all, "workload.jobs");
  REQUIRE(jobs.size() == 1);
  CHECK(jobs.front().keys.front().name == "jobs");
  CHECK(sections_within(all, "max_children").size() == 2);  // of two schedulers
}

TEST_CASE("a metric is listed with its unit, which way is better, and its definition") {
  CHECK(text_of(metric_called("makespan")) ==
        "  makespan  (in s; less is better)\n"
        "      Time from the first submission to the last completion.\n");
  CHECK(holds(text_of(metric_called("utilisation")), "(a plain number; more is better)"));
  CHECK_THROWS_WITH_AS(static_cast<void>(metric_called("makespam")),
                       doctest::Contains("did you mean \"makespan\"?"), UsageError);
  for (const scenarios::Metric& metric : scenarios::metrics())
    CHECK(widest_line(text_of(metric)) <= 80);
}

}  // namespace rhizome::guide_test
