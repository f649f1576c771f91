#include "scenarios/text/objections.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "scenarios/format/parser.hpp"
#include "test/support/refusal.hpp"

namespace rhizome::objections_test {

using test::whole::refusal;

namespace {

const std::string minimal = "[[scheduler]]\nuse = \"organic-grid\"\n";

}  // namespace

TEST_CASE("all that is wrong with single keys is told at once, in the order of the file") {
  CHECK(refusal("[run]\nseed = -1\n[peers]\ncuont = 5\n  slots = \"two\"\ncount = 1\n"
                "[[scheduler]]\nuse = \"organic-gird\"\nmax_children = true\n" +
                minimal + "max_childrn = 3\n") ==
        "s.toml:2:1: \"seed\" must be at least 0\n"
        "s.toml:4:1: there is no key \"cuont\" in [peers]; did you mean \"count\"?\n"
        "s.toml:5:3: \"slots\" must be a whole number, not \"two\"\n"
        "s.toml:6:1: \"count\" must be at least 2\n"
        "s.toml:8:1: there is no scheduler \"organic-gird\"; did you mean \"organic-grid\"?\n"
        "s.toml:9:1: \"max_children\" must be a whole number, not true\n"
        "s.toml:12:1: the scheduler \"organic-grid\" has no option \"max_childrn\"; did you mean "
        "\"max_children\"?");
}

TEST_CASE("all that is wrong with keys together is told at once") {
  const std::string told = refusal(
      "claims = [\"grid.makespan < 5\", \"organic-grid.makespam < 5\"]\n"
      "[peers]\nspeed_min = 2\nspeed_max = 1\n[graph]\nrewiring = 0.5\n" +
      minimal);
  CHECK(std::count(told.begin(), told.end(), '\n') == 3);
  for (const char* part :
       {"s.toml:1:11: a claim names \"grid\"", "s.toml:1:32: there is no metric \"makespam\"",
        "did you mean \"makespan\"?", "s.toml:4:1: \"speed_max\" is below",
        "s.toml:6:1: \"rewiring\" has no effect"})
    CHECK_MESSAGE(told.find(part) != std::string::npos, part);
}

TEST_CASE("each of several unreadable claims is reported") {
  const std::string told =
      refusal("claims = [\"organic-grid.makespan < nan\", \"x\", 3]\n" + minimal);
  CHECK(std::count(told.begin(), told.end(), '\n') == 2);
  for (const char* part : {"; not \"organic-grid.makespan < nan\"", "; not \"x\"", "; not 3"})
    CHECK_MESSAGE(told.find(part) != std::string::npos, part);
}

TEST_CASE("an error in a list is reported with its own place, and a key without a list with its") {
  CHECK(refusal("claims = [\n  \"x\",\n]\n" + minimal).starts_with("s.toml:2:3: a claim reads"));
  CHECK(
      refusal("[peers]\ncount = [20, 30,\n  -1]\n" + minimal).starts_with("s.toml:3:3: \"count\""));
  CHECK(refusal("[peers]\ncount = -1\n" + minimal).starts_with("s.toml:2:1: \"count\""));
  CHECK(refusal("[peers]\ncuont = [20, 30]\n" + minimal).starts_with("s.toml:2:1: "));
  CHECK(refusal(minimal, {.command_line = {"peers.count=[20, -1]"}})
            .starts_with("--set peers.count=[20, -1]: \"count\""));
}

TEST_CASE("a table that does not exist is refused once, whatever is in it") {
  CHECK(refusal("[unheard]\ncount = 5\nslots = 2\n[unheard.more]\nx = 1\n" + minimal).find('\n') ==
        std::string::npos);
  CHECK(refusal("[[engine]]\nkind = \"virtual\"\ngrace = \"1s\"\n" + minimal).find('\n') ==
        std::string::npos);
}

TEST_CASE("errors inside a table are reported together with the table's misspelt name") {
  CHECK(
      refusal("[[schedulers]]\nuse = \"organic-gird\"\nmax_childrn = 3\n[wrokload]\njbos = 3\n") ==
      "s.toml:1:1: there is no table [schedulers]; did you mean [[scheduler]]?\n"
      "s.toml:2:1: there is no scheduler \"organic-gird\"; did you mean \"organic-grid\"?\n"
      "s.toml:3:1: the scheduler \"organic-grid\" has no option \"max_childrn\"; did you mean "
      "\"max_children\"?\n"
      "s.toml:4:1: there is no table [wrokload]; did you mean [workload]?\n"
      "s.toml:5:1: there is no key \"jbos\" in [workload]; did you mean \"jobs\"?");
  CHECK(refusal("[[scheduler]]\nuse_ = \"organic-grid\"\nmax_childrn = 3\n") ==
        "s.toml:2:1: there is no key \"use_\" in [[scheduler]]; did you mean \"use\"?\n"
        "s.toml:3:1: the scheduler \"organic-grid\" has no option \"max_childrn\"; did you mean "
        "\"max_children\"?");
}

TEST_CASE("the tables inside of a misspelt table are told of with it") {
  CHECK(refusal("[[fautls.event]]\nkidn = \"crash\"\n" + minimal) ==
        "s.toml:1:1: there is no table [fautls]; did you mean [faults]?\n"
        "s.toml:2:1: there is no key \"kidn\" in [faults.event]; did you mean \"kind\"?");
}

TEST_CASE("a misspelt table beside the one that was meant is told alone") {
  CHECK(refusal("[peers]\ncount = 5\n[peeers]\ncuont = 6\n" + minimal) ==
        "s.toml:3:1: there is no table [peeers]; did you mean [peers]?");
}

TEST_CASE("only the beginning of a wrong text is shown") {
  const std::string text =
      scenarios::InputError("a.toml", 1, 2, "no \"" + std::string(300, 'x') + "\" here, only \"b\"")
          .what();
  CHECK(text == "a.toml:1:2: no \"" + std::string(200, 'x') + "...\" here, only \"b\"");
  CHECK(std::string(scenarios::InputError("a", 1, 2, "one \" alone").what()) ==
        "a:1:2: one \" alone");
}

TEST_CASE("values of no possible shape are told at once") {
  const std::string told = refusal("[peers]\ncount = []\nslots = 1979-05-27\n" + minimal);
  CHECK(told.find("s.toml:2:1: ") != std::string::npos);
  CHECK(told.find("\ns.toml:3:9: ") != std::string::npos);
}

TEST_CASE("several wrong overrides are told at once") {
  const std::string told =
      refusal(minimal, {.environment = "peers.count=1;x", .command_line = {"=", "run.seed=-1"}});
  CHECK(told.find("RHIZOME_SET x: ") != std::string::npos);
  CHECK(told.find("\n--set =: ") != std::string::npos);
}

TEST_CASE("no more than twenty complaints are told, and how many are left out") {
  std::string text = "[peers]\n";
  for (int i = 0; i < 50; ++i) text += "wrong" + std::to_string(i) + " = 1\n";
  const std::string told = refusal(text + minimal);
  CHECK(std::count(told.begin(), told.end(), '\n') == 20);
  CHECK(told.ends_with("\nand 30 more"));
}

}  // namespace rhizome::objections_test
