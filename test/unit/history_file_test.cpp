#include "scenarios/experiment/history_file.hpp"

#include <doctest/doctest.h>

#include "core/explore/minimise.hpp"
#include "scenarios/experiment/exploration.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::history_file_test {

using scenarios::Cell;
using scenarios::InputError;

namespace {

// Two peers, one of which may never be told of the end of the other's work.
const std::string lossy = R"(
peers.count = 2
workload.jobs = 1
workload.portions = 1
engine.kind = "virtual"
[[scheduler]]
use = "round-robin"
)";

std::vector<Cell> cells_of(const std::string& text) {
  return scenarios::parse_scenario(text, "small.toml");
}

// A history of round robin, which repeats nothing, under one loss.
std::string broken_history() {
  const std::vector<Cell> cells = cells_of(lossy);
  const core::ExplorerOptions options{.losses = 1};
  scenarios::Exploration exploration(cells.front(), 0, options);
  core::Search search(exploration.explorer(), {});
  search.explore();
  REQUIRE(search.broken());
  return scenarios::history_text({cells.front(), 0, options}, *search.broken());
}

std::string refusal(const std::string& text) {
  const test::TemporaryFile file(text);
  try {
    static_cast<void>(scenarios::replay_history(file.name()));
  } catch (const InputError& error) {
    const std::string what = error.what();
    return what.substr(what.find(std::string(file.name())) + std::string(file.name()).size() + 1);
  }
  return "not refused";
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a history that is kept breaks the same rule again") {
  const std::string text = broken_history();
  const test::TemporaryFile file(text);
  std::vector<std::string> told;
  const core::Broken broken = scenarios::replay_history(
      file.name(), [&told](const std::string& line) { told.push_back(line); });
  CHECK(text.find("# It breaks " + broken.rule + ".\n") != std::string::npos);
  const auto lost = [](const std::string& line) {
    return line.find(" never gets ") != std::string::npos;
  };
  CHECK(std::count_if(told.begin(), told.end(), lost) == 1);
}

TEST_CASE("a history file that is damaged is refused with the place") {
  const std::string text = broken_history();
  CHECK(refusal("something else\n").starts_with("1:1: this is no history"));
  CHECK(refusal(with(text, "moment = 1ms", "moment = soon"))
            .starts_with("4:10: moment is a duration"));
  CHECK(refusal(with(text, "losses = 1", "losses = one")).find("losses is a number") !=
        std::string::npos);
  CHECK(refusal(with(text, "losses", "lossses")).find("no setting \"lossses\"") !=
        std::string::npos);
  CHECK(refusal(with(text, "scheduler = round-robin", "scheduler = sparrow"))
            .find("has no scheduler \"sparrow\"") != std::string::npos);
  CHECK(refusal(with(text, "scheduler = round-robin\n", ""))
            .find("there is no line \"scheduler = LABEL\"") != std::string::npos);
  CHECK(refusal(with(text, "moment = 1ms", "moment")).starts_with("4:1: a line is NAME = VALUE"));
  CHECK(refusal("# A history that rhizome explore --replay runs again.\n")
            .find("there is no scenario") != std::string::npos);
}

TEST_CASE("a choice that is not possible is refused, with those that are") {
  const std::string text = broken_history();
  const std::size_t first = text.rfind("\n", text.size() - 2) + 1;
  const std::string swapped = with(text, text.substr(first, 4), "0000");
  CHECK(refusal(swapped).find("this cannot happen here; what can is: peer ") != std::string::npos);
  CHECK(refusal(with(text, " never gets ", " gets ")).find("this cannot happen here") !=
        std::string::npos);
}

TEST_CASE("what an explorer chooses may not be said by the scenario") {
  const auto refused = [](const std::string& more) {
    const std::vector<Cell> cells = cells_of(more + with(lossy, "round-robin", "organic-grid"));
    try {
      const scenarios::Exploration exploration(cells.front(), 0, {});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("not refused");
  };
  CHECK(refused("network.loss = 0.1\n").find("say --losses") != std::string::npos);
  CHECK(refused("network.duplication = 0.1\n").find("say --duplicates") != std::string::npos);
  CHECK(refused("network.bandwidth_up = \"1MB/s\"\n").find("bandwidth") != std::string::npos);
  CHECK(refused("faults.event = [{at = \"1s\", peer = 1}]\n").find("say --crashes") !=
        std::string::npos);
}

}  // namespace rhizome::history_file_test
