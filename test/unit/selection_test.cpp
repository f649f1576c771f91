#include "scenarios/format/selection.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "scenarios/format/parser.hpp"

namespace rhizome::selection_test {

namespace {

using Names = std::vector<std::string>;

const std::string three =
    "claims = [\"wide.makespan < 5\", \"wide.makespan < air-traffic.makespan\"]\n"
    "[[scheduler]]\nuse = \"organic-grid\"\nmax_children = [2, 3]\n"
    "[[scheduler]]\nuse = \"air-traffic\"\n"
    "[[scheduler]]\nuse = \"organic-grid\"\nlabel = \"wide\"\nmax_children = 20\n";

std::vector<scenarios::Cell> cells_with(const std::string& text, const Names& names,
                                        const Names& set = {}) {
  return scenarios::parse_scenario(text, "s.toml",
                                   {.environment = "", .command_line = set, .schedulers = names});
}

Names labels(const scenarios::Cell& cell) {
  Names list;
  for (const auto& choice : cell.scenario.schedulers) list.push_back(choice.label);
  return list;
}

}  // namespace

TEST_CASE("only the requested schedulers run, by label or by use") {
  CHECK(labels(cells_with(three, {"wide"}).front()) == Names{"wide"});
  CHECK(labels(cells_with(three, {"organic-grid"}).front()) == Names{"organic-grid", "wide"});
  CHECK(labels(cells_with(three, {"wide", "air-traffic"}).front()) == Names{"air-traffic", "wide"});
}

TEST_CASE("a name behind = is a label, and not the use of a scheduler") {
  CHECK(labels(cells_with(three, {"=organic-grid"}).front()) == Names{"organic-grid"});
  CHECK(labels(cells_with(three, {"=wide", "air-traffic"}).front()) ==
        Names{"air-traffic", "wide"});
  const std::string swept = "[[scheduler]]\nuse = [\"organic-grid\", \"air-traffic\"]\n";
  CHECK(labels(cells_with(swept, {"=air-traffic"}).front()) == Names{"air-traffic"});
  CHECK_THROWS_WITH_AS(static_cast<void>(cells_with(three, {"=wides"})),
                       doctest::Contains("no scheduler of this scenario is called so"),
                       scenarios::InputError);
}

TEST_CASE("the lists of a scheduler that was not asked for span no cells") {
  CHECK(cells_with(three, {"organic-grid"}).size() == 2);
  CHECK(cells_with(three, {"wide"}).size() == 1);
}

TEST_CASE("overrides reach a scheduler by its label, whichever are asked for") {
  const auto cells = cells_with(three, {"wide"}, {"scheduler.wide.max_children=[7, 8]"});
  REQUIRE(cells.size() == 2);
  CHECK(cells.front().assignments.front().second == "7");
}

TEST_CASE("a list of uses is narrowed to the requested ones") {
  const std::string text = "[[scheduler]]\nuse = [\"organic-grid\", \"air-traffic\"]\n";
  const auto cells = cells_with(text, {"air-traffic"});
  REQUIRE(cells.size() == 1);
  CHECK(labels(cells.front()) == Names{"air-traffic"});
}

TEST_CASE("claims about schedulers that were not asked for rest, and are remembered") {
  const auto scenario = cells_with(three, {"wide"}).front().scenario;
  REQUIRE(scenario.claims.size() == 1);
  CHECK(scenario.claims.front().text == "wide.makespan < 5");
  CHECK(scenario.claims_left_out == Names{"wide.makespan < air-traffic.makespan"});
  CHECK(cells_with(three, {"air-traffic"}).front().scenario.claims.empty());
}

TEST_CASE("a scheduler that is not in the scenario is refused with the name that was meant") {
  CHECK_THROWS_WITH_AS(static_cast<void>(cells_with(three, {"air-trafic"})),
                       "--scheduler air-trafic: no scheduler of this scenario is called so; did "
                       "you mean \"air-traffic\"?",
                       scenarios::InputError);
}

}  // namespace rhizome::selection_test
