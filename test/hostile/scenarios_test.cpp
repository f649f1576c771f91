// Scenario files with values that no user should write, and with pieces missing.
#include <doctest/doctest.h>

#include <sstream>

#include "scenarios/format/effective.hpp"
#include "scenarios/format/parser.hpp"
#include "test/hostile/judge.hpp"
#include "test/hostile/values.hpp"
#include "test/support/damaged.hpp"

namespace rhizome::scenarios_test {

namespace {

using core::Rng;

// Scenarios with one scheduler each and all sections of a world.
const std::vector<std::string> worlds{
    R"([[scheduler]]
use = "organic-grid"
[faults]
crash_share = 0.2
restart_after = "1s"
[[faults.event]]
at = "1s"
peer = 2
)",
    R"([[scheduler]]
use = "air-traffic"
[network]
latency = "uniform"
delay_max = "5ms"
loss = 0.01
[[network.partition]]
from = "1s"
until = "2s"
share = 0.5
)",
    R"([[scheduler]]
use = "sparrow"
view = "gradient"
[faults.lifetimes]
distribution = "exponential"
)",
    R"([[scheduler]]
use = "hybrid"
[graph]
kind = "grid"
[network]
bandwidth_up = "1Mbit/s"
)",
    R"([[scheduler]]
use = "omniscient"
[workload]
arrivals = "exponential"
spacing = "10ms"
)",
    R"([[scheduler]]
use = "overlay-only"
topology = "ring"
)",
    R"([[scheduler]]
use = "round-robin"
[peers]
slots = 2
)"};

// Every key of a world, a line each, as the program itself writes it.
std::vector<std::string> lines_of(const std::string& world) {
  const auto cells = scenarios::parse_scenario(
      world, "world.toml",
      {.command_line = {"peers.count=6", "workload.jobs=3", "workload.portions=2",
                        "workload.portion_time=20ms", "engine.kind=virtual",
                        "engine.time_limit=1min", "run.repetitions=1"}});
  std::istringstream in(scenarios::effective_toml(cells.front().scenario));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::vector<std::string>> all_lines() {
  std::vector<std::vector<std::string>> whole;
  for (const std::string& world : worlds) whole.push_back(lines_of(world));
  return whole;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// A value of the same kind: for a number half of it, twice or many times as much.
std::string nudged(const std::string& value, Rng& rng) {
  const std::size_t at = value.find_first_not_of('"');
  std::size_t digits = 0;
  double number = 0;
  try {
    number = std::stod(value.substr(std::min(at, value.size())), &digits);
  } catch (const std::exception&) {
    return value;
  }
  static const std::vector<double> factors{0.5, 2, 3, 17};
  std::ostringstream text;
  text << value.substr(0, at) << number * test::any_of(factors, rng) << value.substr(at + digits);
  return text.str();
}

// The world with one to three of its values replaced.
std::string with_hostile_values(std::vector<std::string> lines, Rng& rng) {
  for (std::uint64_t i = rng.below(3) + 1; i > 0;) {
    std::string& line = lines[rng.below(lines.size())];
    const std::size_t value = line.find(" = ");
    if (value == line.npos) continue;
    const std::string old = line.substr(value + 3);
    line =
        line.substr(0, value + 3) + (rng.chance(0.6) ? nudged(old, rng) : test::hostile_value(rng));
    --i;
  }
  return joined(lines);
}

// The world with lines missing, twice, elsewhere or cut.
std::string with_lines_astray(std::vector<std::string> lines, Rng& rng) {
  for (std::uint64_t i = rng.below(3) + 1; i > 0; --i) {
    const std::size_t at = rng.below(lines.size());
    const std::string line = lines[at];
    switch (rng.below(4)) {
      case 0:
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 1:
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(rng.below(lines.size())), line);
        break;
      case 2:
        std::swap(lines[at], lines[rng.below(lines.size())]);
        break;
      default:
        lines[at] = line.substr(0, rng.below(line.size() + 1));
    }
  }
  return joined(lines);
}

test::Attempt attempt_at(std::string text, Rng& rng) {
  test::Attempt attempt{.words = {rng.chance(0.3) ? "validate" : "run", "s.toml"},
                        .files = {{"s.toml", std::move(text)}}};
  if (attempt.words.front() == "run") attempt.words.push_back("-q");
  return attempt;
}

}  // namespace

TEST_CASE("whatever values a scenario has, it is run or refused with a sentence") {
  const auto whole = all_lines();
  std::vector<test::Attempt> attempts;
  for (std::uint64_t seed = 0; seed < test::share(300); ++seed) {
    Rng rng(seed);
    attempts.push_back(attempt_at(with_hostile_values(test::any_of(whole, rng), rng), rng));
  }
  test::try_all(attempts);
}

TEST_CASE("whatever is missing from a scenario file, it is run or refused with a sentence") {
  const auto whole = all_lines();
  std::vector<test::Attempt> attempts;
  for (std::uint64_t seed = 0; seed < test::share(100); ++seed) {
    Rng rng(seed);
    const std::vector<std::string>& lines = test::any_of(whole, rng);
    attempts.push_back(attempt_at(rng.chance(0.3)
                                      ? test::damaged(joined(lines), rng, test::hostile_values())
                                      : with_lines_astray(lines, rng),
                                  rng));
  }
  test::try_all(attempts);
}

}  // namespace rhizome::scenarios_test
