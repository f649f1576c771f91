#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "scenarios/format/effective.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/format/schema.hpp"
#include "scenarios/text/duration_text.hpp"
#include "scenarios/text/json.hpp"
#include "scenarios/text/nearest.hpp"
#include "test/support/refusal.hpp"

namespace rhizome::format_test {

using scenarios::Overrides;
using scenarios::parse_scenario;
using test::whole::refusal;

namespace {

const std::string minimal = "[[scheduler]]\nuse = \"organic-grid\"\n";

const scenarios::Scenario only(const std::vector<scenarios::Cell>& cells) {
  REQUIRE(cells.size() == 1);
  return cells.front().scenario;
}

}  // namespace

TEST_CASE("a scenario needs a scheduler and nothing else") {
  const auto scenario = only(parse_scenario(minimal, "dir/name.toml"));
  CHECK(scenario.name == "name");
  CHECK(scenario.peers.count == 100);
  CHECK(scenario.schedulers.front().label == "organic-grid");
  CHECK(refusal("") ==
        "s.toml:1:1: there is no [[scheduler]] and no [[protocol]]: a scenario needs at least one "
        "of them");
}

TEST_CASE("errors are reported with their place and the name that was meant") {
  CHECK(refusal("[peers]\ncuont = 5\n" + minimal) ==
        "s.toml:2:1: there is no key \"cuont\" in [peers]; did you mean \"count\"?");
  CHECK(refusal("[peeers]\ncount = 5\n" + minimal) ==
        "s.toml:1:1: there is no table [peeers]; did you mean [peers]?");
  CHECK(refusal("[peers]\ncount = \"five\"\n" + minimal) ==
        "s.toml:2:1: \"count\" must be a whole number, not \"five\"");
  CHECK(refusal("[peers]\n  count = 1\n" + minimal) == "s.toml:2:3: \"count\" must be at least 2");
  CHECK(refusal("[engine]\nkind = \"thread\"\n" + minimal) ==
        "s.toml:2:1: \"kind\" cannot be \"thread\"; did you mean \"threads\"?");
  CHECK(refusal("[workload]\nspacing = 5\n" + minimal)
            .starts_with("s.toml:2:1: \"spacing\" must be a duration with its unit"));
  CHECK(refusal("[[scheduler]]\nuse = \"organic-gird\"\n") ==
        "s.toml:2:1: there is no scheduler \"organic-gird\"; did you mean \"organic-grid\"?");
  CHECK(refusal("[[scheduler]]\nuse = \"cyclon\"\n")
            .starts_with("s.toml:2:1: there is no scheduler \"cyclon\", but use = \"overlay-only\" "
                         "runs Cyclon and T-Man"));
  CHECK(refusal(minimal + "max_childrn = 3\n").find("did you mean \"max_children\"?") !=
        std::string::npos);
  CHECK(refusal("[peers\n" + minimal).starts_with("s.toml:1:"));
  CHECK(refusal(minimal + "\n[[schedulers]]\nuse = \"organic-grid\"\n") ==
        "s.toml:4:1: there is no table [schedulers]; did you mean [[scheduler]]?");
  CHECK(refusal("[network]\ndelay = 20ms\n" + minimal)
            .ends_with(": texts and durations stand in quotes: delay = \"20ms\""));
  CHECK(refusal("network = {loss = 0.1, delay = 30ms}\n" + minimal)
            .ends_with(": texts and durations stand in quotes: delay = \"20ms\""));
  CHECK(refusal(minimal, {.environment = "", .command_line = {"scheduler.max_children=4"}}) ==
        "--set scheduler.max_children=4: name the scheduler, as in "
        "scheduler.organic-grid.max_children");
}

TEST_CASE(
    "an option without a scheduler is explained by the scheduler that has it, if there is one") {
  const std::string both = "[[scheduler]]\nuse = \"round-robin\"\n" + minimal;
  const auto set = [](const std::string& scenario, const std::string& text) {
    return refusal(scenario, {.environment = "", .command_line = {text}});
  };
  CHECK(set(both, "scheduler.max_children=4")
            .ends_with("name the scheduler, as in scheduler.organic-grid.max_children"));
  CHECK(set(both, "scheduler.label=me")
            .ends_with("name the scheduler, as in scheduler.round-robin.label"));
  CHECK(set("[[scheduler]]\nuse = \"round-robin\"\n", "scheduler.max_children=4")
            .ends_with("no scheduler of this scenario has an option \"max_children\""));
  CHECK(set(minimal, "scheduler.max_childrn=4")
            .ends_with("has an option \"max_childrn\"; did you mean \"max_children\"?"));
}

TEST_CASE("an error in an override is reported without a line") {
  const auto set = [](const std::string& text) {
    return refusal(minimal, {.environment = "", .command_line = {text}});
  };
  CHECK(set("peers.cuont=3") ==
        "--set peers.cuont=3: there is no key \"cuont\" in [peers]; did you mean \"count\"?");
  CHECK(set("peers.count=[]").starts_with("--set peers.count=[]: [] is no number, no text"));
  CHECK(set("peers.count={a=1}").starts_with("--set peers.count={a=1}: {a=1} is no number"));
  CHECK(set("network.partition.from=1s") ==
        "--set network.partition.from=1s: say which [[network.partition]], counted from 0: "
        "network.partition.0.from");
}

TEST_CASE("a number is a text on the command line where a text is meant, and not in a file") {
  const auto said = [](const std::string& typed) {
    const Overrides overrides{.environment = "", .command_line = {"description=" + typed}};
    return only(parse_scenario(minimal, "s.toml", overrides)).description;
  };
  CHECK(said("0.10") == "0.10");
  CHECK(said("\"0.10\"") == "0.10");
  CHECK(said("true") == "true");
  CHECK(refusal("description = 0.10\n" + minimal).ends_with("must be a text, not 0.1"));
}

TEST_CASE("a number needs no digit before its point on the command line") {
  const auto losses = [](const std::string& typed) {
    std::vector<double> all;
    const Overrides overrides{.environment = "", .command_line = {"network.loss=" + typed}};
    for (const auto& cell : parse_scenario(minimal, "s.toml", overrides))
      all.push_back(cell.scenario.network.loss);
    return all;
  };
  CHECK(losses(".25") == std::vector<double>{0.25});
  CHECK(losses("[0, .25,+.5]") == std::vector<double>{0, 0.25, 0.5});
  CHECK_THROWS_WITH(losses("..5"), doctest::Contains("must be a number, not \"..5\""));
  const Overrides text{.environment = "", .command_line = {"description=.5"}};
  CHECK(only(parse_scenario(minimal, "s.toml", text)).description == ".5");
}

TEST_CASE("words of a list need no quotes on the command line either") {
  const auto cells = [](const std::string& text) {
    return scenarios::parse_scenario(minimal, "s.toml",
                                     {.environment = "", .command_line = {text}});
  };
  const auto delays = cells("workload.spacing=[1ms, 10ms]");
  REQUIRE(delays.size() == 2);
  CHECK(delays[1].scenario.workload.spacing == std::chrono::milliseconds(10));
  CHECK(delays[0].assignments.front().second == "\"1ms\"");
  CHECK(cells("peers.count=[5,6]").size() == 2);
  CHECK(cells("engine.kind=[virtual,threads]").size() == 2);
  CHECK_THROWS_WITH(cells("workload.spacing=[1ms,,2ms]"), doctest::Contains("with its unit"));
  CHECK_THROWS_WITH(cells("workload.spacing=[1ms,[2ms]]"), doctest::Contains("with its unit"));
  CHECK_THROWS_WITH(cells("workload.spacing="), doctest::Contains("with its unit"));
}

TEST_CASE("a table within a scheduler is told that it has no place there") {
  CHECK(refusal(minimal + "[scheduler.timing]\nx = 1\n") ==
        "s.toml:3:1: [[scheduler]] has no table \"timing\" in it: its options stand in it as they "
        "are");
}

TEST_CASE("a name with the sign that numbers items is refused, wherever it is from") {
  CHECK(refusal("[\"network.partition#5\"]\nfrom = \"1s\"\n" + minimal) ==
        "s.toml:1:2: a name cannot hold \"#\"");
  CHECK(refusal("[\"a#b\"]\nx = 1\n" + minimal) == "s.toml:1:2: a name cannot hold \"#\"");
  CHECK(refusal("\"a#b\" = 1\n" + minimal) == "s.toml:1:1: a name cannot hold \"#\"");
  const auto refused = [](const Overrides& overrides) {
    return refusal(minimal, overrides).find("a name cannot hold \"#\"") != std::string::npos;
  };
  CHECK(refused({.environment = "", .command_line = {"foo#bar.x=1"}}));
  CHECK(refused({.environment = "network.partition#7.from=1s", .command_line = {}}));
}

TEST_CASE("a key of very many parts is refused before it costs stack, a text of many dots is not") {
  std::string deep = "a";
  for (int i = 0; i < 1'000'000; ++i) deep += ".a";
  const std::string refused = "a key has more than 100 parts";
  std::string parts = "b";
  for (int i = 0; i < 200; ++i) parts += ".b";
  // TOML lets a text in three quotes end with one or two more.
  for (const std::string text :
       {"\"\"\"y\"\"\"\"", "\"\"\"y\"\"\"\"\"", "'''y''''", "\"\"\"\"\"\""})
    CHECK(refusal("a = {x = " + text + ", " + parts + " = 1}").find(refused) != std::string::npos);
  CHECK(refusal("\n" + deep + " = 1\n" + minimal) == "s.toml:2:1: " + refused);
  CHECK(refusal("[" + deep + "]\n" + minimal).find(refused) != std::string::npos);
  CHECK(refusal("x = {" + deep + " = 1}\n" + minimal).find(refused) != std::string::npos);
  const std::string dots(1000, '.');
  const std::vector<std::string> texts{"\"" + dots + "\"", "'" + dots + "' # " + dots,
                                       "\"\"\"\n" + dots + "\n\"\"\"", "\"\\\"" + dots + "\""};
  for (const std::string& text : texts)
    CHECK(only(parse_scenario("description = " + text + "\n" + minimal, "s.toml"))
              .description.find(dots) != std::string::npos);
}

TEST_CASE("a setting without effect is an error") {
  CHECK(refusal("[graph]\nrewiring = 0.5\n" + minimal) ==
        "s.toml:2:1: \"rewiring\" has no effect while \"kind\" is \"erdos-renyi\": it belongs to "
        "watts-strogatz");
  CHECK(refusal("[faults]\ncrash_from = \"1s\"\n" + minimal) ==
        "s.toml:2:1: \"crash_from\" has no effect while \"crash_share\" is 0");
  CHECK(refusal("[engine]\nkind = \"virtual\"\ntime_scale = 2\n" + minimal).find("has no effect") !=
        std::string::npos);
  CHECK(
      refusal("[workload]\nportion_distribution = \"exponential\"\njitter = 0.1\n" + minimal) ==
      "s.toml:3:1: \"jitter\" has no effect while \"portion_distribution\" is \"exponential\": it "
      "belongs to uniform");
}

TEST_CASE("a setting whose deciding key has no effect itself is an error") {
  CHECK(
      refusal("[workload]\nwork = \"matrix\"\nportion_distribution = \"exponential\"\n" +
              minimal) ==
      "s.toml:3:1: \"portion_distribution\" has no effect while \"work\" is \"matrix\": it belongs "
      "to emulated");
  CHECK(refusal("[workload]\nkind = \"swf\"\njitter = 0.1\n" + minimal) ==
        "s.toml:2:1: [workload] needs the key \"file\" for this\ns.toml:3:1: \"jitter\" has no "
        "effect while \"kind\" is \"swf\": it belongs to generated or matrix or growing");
}

TEST_CASE("exponential portions stand in the effective scenario, and their jitter does not") {
  const auto cells =
      parse_scenario("[workload]\nportion_distribution = \"exponential\"\n" + minimal, "s.toml");
  const std::string text = scenarios::effective_toml(cells.front().scenario);
  CHECK(text.find("portion_distribution = \"exponential\"\n") != std::string::npos);
  const std::string workload = text.substr(text.find("[workload]"));
  CHECK(workload.substr(0, workload.find("\n[")).find("jitter") == std::string::npos);
}

TEST_CASE("an override that changes the engine lets the other engine's keys rest") {
  CHECK(refusal("[engine]\nkind = \"threads\"\ntime_scale = 2\n" + minimal,
                {.command_line = {"engine.kind=virtual"}}) == "accepted");
}

TEST_CASE("impossible combinations are refused") {
  CHECK(refusal("[peers]\nspeed_min = 2\nspeed_max = 1\n" + minimal) ==
        "s.toml:3:1: \"speed_max\" is below \"speed_min\"");
  CHECK(refusal("[[faults.event]]\npeer = 100\n" + minimal) ==
        "s.toml:2:1: there is no peer 100: they count from 0 to 99");
  CHECK(refusal(minimal + minimal).find("two schedulers have the label") != std::string::npos);
  for (const std::string label : {"a b", "a.b", "a\\u001b[31m", "a\\u007f", ""})
    CHECK(refusal(minimal + "label = \"" + label + "\"\n").find("control characters") !=
          std::string::npos);
  CHECK(refusal("[workload]\nkind = \"swf\"\n" + minimal) ==
        "s.toml:2:1: [workload] needs the key \"file\" for this");
}

TEST_CASE("defaults yield to the file, the file to the environment, that to the command line") {
  const std::string text = "[peers]\ncount = 10\nslots = 2\n[run]\nseed = 3\n" + minimal;
  const Overrides overrides{.environment = "peers.slots=4;run.seed=5",
                            .command_line = {"run.seed=7", "scheduler.organic-grid.burst=9"}};
  const auto scenario = only(parse_scenario(text, "s.toml", overrides));
  CHECK(scenario.peers.count == 10);
  CHECK(scenario.peers.slots == 4);
  CHECK(scenario.run.seed == 7);
  CHECK(refusal(text, {.command_line = {"run.sed=7"}}) ==
        "--set run.sed=7: there is no key \"sed\" in [run]; did you mean \"seed\"?");
  CHECK(refusal(text, {.command_line = {"nonsense"}}).find("is not of the form key=value") !=
        std::string::npos);
}

TEST_CASE("lists span the matrix in the order of the file, the last varying fastest") {
  const auto cells = parse_scenario(
      "[peers]\ncount = [10, 20]\n[workload]\njobs = [1, 2, 3]\n" + minimal, "s.toml");
  REQUIRE(cells.size() == 6);
  CHECK(cells[1].scenario.peers.count == 10);
  CHECK(cells[1].scenario.workload.jobs == 2);
  CHECK(cells[3].scenario.peers.count == 20);
  CHECK(cells[3].assignments.front() == std::pair<std::string, std::string>("peers.count", "20"));
  CHECK(refusal("[peers]\ncount = []\n" + minimal) == "s.toml:2:1: \"count\" is an empty list");
}

TEST_CASE("claims name schedulers and metrics that exist") {
  const std::string claims = "claims = [\"organic-grid.makespan < 9.5\"]\n";
  CHECK(only(parse_scenario(claims + minimal, "s.toml")).claims.size() == 1);
  CHECK(refusal("claims = [\"organic-grid.makspan < 9\"]\n" + minimal)
            .find("did you mean \"makespan\"?") != std::string::npos);
  CHECK(refusal("claims = [\"grid.makespan < 9\"]\n" + minimal)
            .find("which is no scheduler of this scenario") != std::string::npos);
  for (const std::string wrong :
       {"faster!", "organic-grid.makespan < nan", "organic-grid.makespan > -inf"})
    CHECK(refusal("claims = [\"" + wrong + "\"]\n" + minimal).find("a claim reads") !=
          std::string::npos);
}

TEST_CASE("durations are read with their unit and written as short as can be") {
  using scenarios::duration_text;
  using scenarios::parse_duration;
  CHECK(parse_duration("1.5s") == std::chrono::milliseconds(1500));
  CHECK(parse_duration("250us") == std::chrono::microseconds(250));
  CHECK(parse_duration("2h") == std::chrono::hours(2));
  for (const char* wrong : {"", "5", "s", "5 s", "5x", "1e5s", "99999999999999h", "-"})
    CHECK_FALSE(parse_duration(wrong));
  for (const core::Duration duration : {core::Duration(0), core::Duration(1),
                                        core::Duration(90'000'000'000), core::Duration(-1'500'000)})
    CHECK(parse_duration(duration_text(duration)) == duration);
}

TEST_CASE("a label has a length that a table can show") {
  const auto labelled = [](std::size_t size) {
    return minimal + "label = \"" + std::string(size, 'a') + "\"\n";
  };
  CHECK(refusal(labelled(200)) == "accepted");
  CHECK(refusal(labelled(201)) == "s.toml:3:1: \"label\" is longer than 200 bytes");
}

TEST_CASE("a scenario has a thousand schedulers at most, as names are compared with each other") {
  std::string text;
  for (int i = 0; i < 1001; ++i) text += minimal + "label = \"" + std::to_string(i) + "\"\n";
  CHECK(refusal(text) == "s.toml:1:1: there are more than 1000 [[scheduler]]: split the scenario");
  CHECK(refusal(text.substr(minimal.size() + std::string("label = \"0\"\n").size())) == "accepted");
}

TEST_CASE("names within a scenario are plain before they are shown anywhere") {
  const std::string control = "\\u009b31m";
  CHECK(refusal("[[scheduler]]\nuse = \"organic-grid\"\nlabel = \"a" + control + "\"\n") ==
        "s.toml:3:1: \"label\" must be a text without spaces, dots and control characters");
  CHECK(refusal("claims = [\"" + control + "a.makespan < 0\"]\n" + minimal)
            .starts_with("s.toml:1:11: a claim reads "));
  CHECK(refusal("claims = [\"organic-grid.makespan\\u202e < 0\"]\n" + minimal)
            .starts_with("s.toml:1:11: a claim reads "));
  const auto cells =
      parse_scenario("description = [\"a" + control + "\", \"b\\u202e\"]\n" + minimal, "s.toml");
  REQUIRE(cells.size() == 2);
  CHECK(cells[0].assignments.front().second == "\"a\\u009b31m\"");
  CHECK(cells[1].assignments.front().second == "\"b\\u202e\"");
  const auto named = parse_scenario("name = \"a\\tb\"\n" + minimal, "s.toml");
  CHECK(only(named).name == "a\\tb");
  CHECK(only(parse_scenario(minimal, "caf\xe9.toml")).name == "caf\\xe9");
  CHECK(refusal("name = \"a\\u0000b\"\n" + minimal) ==
        "s.toml:1:8: \"name\" has a zero, which ends every name");
}

TEST_CASE("durations are told to people with three digits") {
  using scenarios::rough_text;
  CHECK(rough_text(core::Duration(8'774'549'120)) == "8.77s");
  CHECK(rough_text(std::chrono::seconds(90)) == "1.5min");
  CHECK(rough_text(std::chrono::milliseconds(-20)) == "-20ms");
  CHECK(rough_text(std::chrono::microseconds(999'700)) == "1000ms");
  CHECK(rough_text(std::chrono::hours(123'456)) == "123456h");
  CHECK(rough_text(core::Duration(7)) == "7ns");
  CHECK(rough_text(core::Duration(0)) == "0ms");
}

TEST_CASE("the nearest name is found when it is near and not when none is") {
  const std::vector<std::string> names{"repetitions", "seed"};
  CHECK(scenarios::nearest("repetiton", names) == "repetitions");
  CHECK(scenarios::nearest("banana", names).empty());
  CHECK(scenarios::nearest("rnu", std::vector<std::string>{"tree", "run"}) == "run");  // swapped
}

TEST_CASE("the schema knows every key and option and is valid JSON") {
  const auto schema = scenarios::parse_json(scenarios::scenario_schema());
  REQUIRE(schema);
  CHECK(schema->at("properties").at("workload").at("properties").contains("portion_time"));
  CHECK(schema->at("properties").at("network").at("properties").at("partition").at("type") ==
        "array");
  CHECK(schema->at("properties").at("scheduler").at("items").at("oneOf").size() ==
        agents::catalogue().size());
}

}  // namespace rhizome::format_test
