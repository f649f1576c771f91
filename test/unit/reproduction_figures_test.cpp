// The figures of reproductions: completions, schedules, bars with bounds; and those that cannot be.
#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "scenarios/format/parser.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "scenarios/text/input_error.hpp"
#include "tools/reproduce/page.hpp"
#include "tools/reproduce/places.hpp"
#include "tools/reproduce/sketches.hpp"

namespace rhizome::reproduction_figures_test {

using namespace scenarios;
using namespace tools;

namespace {

const std::string head = "name = \"x/y\"\ntitle = \"t\"\nsource = \"s\"\nstudy = \"study.toml\"\n";

const std::string two_cells = "workload.jobs = [1, 2]\n[[scheduler]]\nuse = \"vector\"\n";

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(parse_reproduction(text, "x.toml"));
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a scheduler has the same colour in every figure, and no two of one figure the same") {
  const Colours& colours = colours_of_figures();
  std::size_t figures = 0;
  for (const Reproduction& one : all_reproductions())
    for (const PublishedFigure& figure : one.figures) {
      CAPTURE(one.name);
      ++figures;
      std::set<std::string> taken;
      for (const std::string& label : figure.labels) CHECK(taken.insert(colours.of(label)).second);
    }
  CHECK(figures > 20);
}

TEST_CASE("a figure of completions has a line for each label, and one for the fluid limit") {
  const std::string figure =
      "[[figure]]\nshows = \"completions\"\nlabels = [\"early\"]\nbound = \"fluid_limit\"\n";
  const std::vector<Reproduction> results{parse_reproduction(head + figure, "x.toml")};
  Sketches sketches(results, "study.toml");
  std::vector<RunFigures> runs;
  for (int repetition = 0; repetition < 3; ++repetition) {
    Outcome outcome;
    outcome.identity.label = "early";
    outcome.identity.repetition = static_cast<std::uint32_t>(repetition);
    for (int task = 0; task < (repetition == 0 ? 3 : 2); ++task) {
      outcome.tasks.emplace_back();
      outcome.tasks.back().submitted = outcome.tasks.back().completed = true;
      outcome.tasks.back().completed_at =
          outcome.tasks.back().submitted_at + std::chrono::seconds(10 * (task + 1) + repetition);
    }
    sketches.add(outcome);
    runs.emplace_back().identity = outcome.identity;
    runs.back().values.assign(metrics().size(), 16);
  }
  const auto made = reproduce(results.front(), runs, 0.95, sketches);
  REQUIRE(made->charts.size() == 1);
  CHECK(made->charts.front().id == "x-y-completions");
  const Json& values = made->charts.front().spec.at("data").at("values");
  REQUIRE(values.size() == 4);  // as far as all repetitions came, and the limit
  CHECK(values.at(0).at("x") == 1);
  CHECK(values.at(0).at("mean") == 11);
  CHECK(values.at(1).at("mean") == 21);
  CHECK(values.at(0).at("low").get<double>() == doctest::Approx(11 - 4.30265 / std::sqrt(3.0)));
  CHECK(values.at(2).at("mean") == 8);
  CHECK(values.at(3).at("series") == "fluid limit");
  CHECK(values.at(3).at("mean") == 16);
}

TEST_CASE("a figure of schedules draws the first repetition of each label, over one axis") {
  const std::string figure = "[[figure]]\nshows = \"schedule\"\nlabels = [\"early\", \"late\"]\n";
  const std::vector<Reproduction> results{parse_reproduction(head + figure, "x.toml")};
  Sketches sketches(results, "study.toml");
  for (const char* label : {"early", "late", "other"})
    for (std::uint32_t repetition = 0; repetition < 2; ++repetition) {
      Outcome outcome;
      outcome.identity.label = label;
      outcome.identity.repetition = repetition;
      outcome.ended = Time{} + std::chrono::seconds(label == std::string("late") ? 9 : 5);
      sketches.add(outcome);
    }
  const auto made = reproduce(results.front(), {}, 0.95, sketches);
  REQUIRE(made->charts.size() == 2);
  CHECK(made->charts[0].id == "x-y-schedule-early");
  CHECK(made->charts[1].id == "x-y-schedule-late");
  for (const Chart& chart : made->charts)
    CHECK(chart.spec.at("layer").at(0).at("encoding").at("x").at("scale").at("domain") ==
          Json({0, 9.0}));
}

TEST_CASE("bars have their bounds as diamonds beside them, told below") {
  const std::string figure =
      "[[figure]]\nmetric = \"makespan\"\nlabels = [\"a\"]\nbound = \"fluid_limit_spread\"\n";
  std::vector<RunFigures> runs(2);
  for (RunFigures& run : runs) {
    run.identity.label = "a";
    run.values.assign(metrics().size(), 9);
    run.values[static_cast<std::size_t>(find_metric("fluid_limit_spread") - metrics().data())] = 7;
  }
  const auto made = reproduce(parse_reproduction(head + figure, "x.toml"), runs, 0.95);
  CHECK(made->charts.front().spec.at("data").at("values").at(0).at("bound") == 7);
  CHECK(made->charts.front().spec.at("layer").size() == 3);
  CHECK(made->charts.front().caption.find("Diamonds: fluid limit, spread") != std::string::npos);
  CHECK(made->charts.front().caption.ends_with(" Means over it: a 1.286."));
}

TEST_CASE("a figure that shows nothing, or something impossible, is refused") {
  CHECK(refusal(head + "[[figure]]\nlabels = [\"a\"]").find("a figure shows a metric") !=
        std::string::npos);
  CHECK(refusal(head + "[[figure]]\nshows = \"tree\"").starts_with("x.toml:6:1: \"shows\""));
  CHECK(refusal(head + "[[figure]]\nshows = \"schedule\"\nmetric = \"makespan\"") ==
        "x.toml:6:1: a figure of completions or a schedule has no metric and no across");
  CHECK(refusal(head + "[[figure]]\nshows = \"schedule\"\nbound = \"fluid_limit\"") ==
        "x.toml:6:1: a bound is drawn beside bars and completions only");
  const auto result =
      parse_reproduction(head + "[[figure]]\nshows = \"schedule\"\nlabels = [\"early\"]", "x.toml");
  CHECK_THROWS_WITH_AS(check_places(result, parse_scenario(two_cells, "study.toml")),
                       "x.toml:6:1: the study has 2 cells, and such a figure shows one",
                       InputError);
}

}  // namespace rhizome::reproduction_figures_test
