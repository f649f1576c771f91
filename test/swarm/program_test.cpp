// Schedulers that are programs of the user's: the same as built-in ones where they do the same, and
// bad ones are named with the peer, the line and the reason.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "agents/work/command_line.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/experiments.hpp"
#include "test/support/temporary_directory.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::program_test {

namespace {

constexpr std::string_view world = R"(
peers.count = 6
graph.kind = "complete"
[workload]
jobs = 5
portions = 6
portion_time = "100ms"
portion_distribution = "exponential"
[network]
latency = "uniform"
delay_max = "5ms"
[engine]
kind = "virtual"
)";

std::string program_of(const std::string& command) {
  return "[[scheduler]]\nuse = \"program\"\ncommand = '''" + command + "'''\n" + "directory = \"" +
         test::shipped("scenarios/programs") + "\"\n";
}
std::string scenario(const std::string& command, const std::string& more = "") {
  return std::string(world) + program_of(command) + more;
}

void check_same(const scenarios::Outcome& one, const scenarios::Outcome& other) {
  REQUIRE(one.tasks.size() == other.tasks.size());
  for (const char* name : {"makespan", "mean_response", "job_messages", "result_messages",
                           "information_messages", "utilisation"})
    CHECK_MESSAGE(test::metric(one, name) == test::metric(other, name), name);
}

// The reason why the run of such a program was given up.
std::string failure_of(const std::string& script, const std::string& more = "") {
  return test::run_scenario(scenario("sh -c \"" + script + "\"", more)).failure;
}

// The failure at the peer where jobs enter.
std::string failure_of_bad(const std::string& kind, const std::string& more = "") {
  return test::run_scenario(
             scenario("python3 " + test::shipped("test/support/programs/") + "bad_peer.py " + kind,
                      "peers_per_process = 6\n" + more))
      .failure;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("round robin in Python does what the built-in one does, to the digit") {
  const auto built_in =
      test::run_scenario(std::string(world) + "[[scheduler]]\nuse = \"round-robin\"\n");
  const auto program = test::run_scenario(scenario("python3 round_robin.py"));
  test::check_sound(program);
  check_same(built_in, program);
}
TEST_CASE("round robin in JavaScript does what the built-in one does, to the digit") {
  if (!agents::program_place("node", ".")) {
    MESSAGE("skipped: there is no node");
    return;
  }
  const auto built_in =
      test::run_scenario(std::string(world) + "[[scheduler]]\nuse = \"round-robin\"\n");
  const auto program = test::run_scenario(scenario("node round_robin.js", "peers_per_process = 6"));
  test::check_sound(program);
  check_same(built_in, program);
}
TEST_CASE("a program has work of its own, stops work, notes facts, and is idle until a time") {
  const auto outcome = test::run_scenario(
      R"(
peers = { count = 2, speed_min = 2, speed_max = 2 }
workload = { jobs = 1, portions = 1, portion_time = "2s" }
engine.kind = "virtual"
[[scheduler]]
use = "program"
command = "python3 own_work.py"
directory = ")" +
      test::shipped("test/support/programs") + "\"\n");
  test::check_sound(outcome);
  std::vector<std::string> said;
  for (const auto& noted : outcome.facts.of<agents::program::ProgramNoted>())
    said.push_back(std::to_string(core::seconds(noted.at)).substr(0, 5) + " " + noted.fact.name +
                   " " + noted.fact.fields);
  // The peer is twice as fast, and the task was begun anew after a quarter of a second.
  CHECK(said == std::vector<std::string>{R"(0.250 awake {"timer":"idle"})",
                                         R"(0.500 done {"work":"short"})",
                                         R"(1.250 done {"work":"again"})"});
  REQUIRE(outcome.facts.of<agents::ServiceLost>().size() == 1);
}
TEST_CASE("it makes no difference how many peers one process runs") {
  const auto many = test::run_scenario(scenario("python3 work_stealing.py"));
  const auto one =
      test::run_scenario(scenario("python3 work_stealing.py", "peers_per_process = 6"));
  test::check_sound(many);
  test::check_sound(one);
  check_same(many, one);
}
TEST_CASE("programs of a process each run on threads as well, and are named there when they fail") {
  const std::string threads = "engine.kind=threads";
  const auto outcome =
      test::run_scenario(scenario("python3 work_stealing.py"), 0, 0, {.command_line = {threads}});
  test::check_sound(outcome);
  CHECK(test::metric(outcome, "completed") == 30);
  const auto failed = test::run_scenario(scenario("sh -c \"read x; echo hello; cat\""), 0, 0,
                                         {.command_line = {threads}});
  CHECK(contains(failed.failure, "this is no JSON object: 'hello'"));
}
TEST_CASE("a program that ends is named with its peer and its last words") {
  const std::string failure = failure_of("echo no such luck >&2; exit 3", "peers_per_process = 6");
  CHECK(contains(failure, "the program of peer 0, line 0: it ended: exit status 3"));
  CHECK(contains(failure, "no such luck"));
  const std::string end = "the end of its standard error:\n";
  const std::string much = failure_of("seq 10000 11000 >&2; exit 3", "peers_per_process = 6");
  const std::size_t begin = much.find(end);
  REQUIRE(begin != std::string::npos);
  CHECK(much.find('\n', begin + end.size()) == begin + end.size() + 5);  // no part of a line
}
TEST_CASE("a program that prints no JSON is named with the line") {
  CHECK(contains(failure_of("read x; echo hello; cat", "peers_per_process = 6"),
                 "the program of peer 0, line 1: this is no JSON object: 'hello'"));
}
TEST_CASE("a program that is silent is given up") {
  CHECK(contains(failure_of("cat >/dev/null", "answer_within = \"200ms\"\npeers_per_process = 6"),
                 "it has said nothing for 0.200 s"));
}
TEST_CASE("a program that ends in the middle of a line is told so") {
  CHECK(contains(failure_of("read x; printf half", "peers_per_process = 6"),
                 "in the middle of a line"));
}
TEST_CASE("a program that floods is given up") {
  CHECK(contains(failure_of("yes", "peers_per_process = 6"), "this is no JSON object"));
  CHECK(contains(failure_of("tr '\\0' x </dev/zero", "peers_per_process = 6"),
                 "a line of more than 1048576 bytes"));
}
TEST_CASE("an impossible effect of a program is reported with its peer and the reason") {
  CHECK(contains(failure_of_bad("dies"), "it ended: exit status 1"));
  CHECK(contains(failure_of_bad("dies"), "this is my end"));
  CHECK(contains(failure_of_bad("speaks-for-another"), "it speaks for 'n"));
  CHECK(contains(failure_of_bad("speaks-for-another"), ", line "));
  CHECK(contains(failure_of_bad("sends-to-a-stranger"), "there is no peer 'n99'"));
  CHECK(contains(failure_of_bad("writes-100-megabytes"), "a line of more than 1048576 bytes"));
  CHECK(contains(failure_of_bad("writes-many-lines"), "more than 100,000 lines about one event"));
  CHECK(contains(failure_of_bad("says-long-lines"), "more than 64 MiB about one event"));
  CHECK(contains(failure_of_bad("nests"), "nests more than 100"));
  CHECK(contains(failure_of_bad("begins-what-it-has-not"), "the task 7.7 has not come here"));
  CHECK(contains(failure_of_bad("begins-twice"),
                 "begins the task of the work 'other', which is under way here"));
  CHECK(contains(failure_of_bad("names-twice"), "begins the work 'same', which is under way here"));
  CHECK(contains(failure_of_bad("returns-what-it-has-not-done"), "it has no result of the task"));
  CHECK(contains(failure_of_bad("says-more-after-idle"), "more after \"idle\""));
  CHECK(contains(failure_of_bad("notes-what-is-no-word"), "unlike 'the weather'"));
}
TEST_CASE("a program that sets timers for at once for ever is given up") {
  CHECK(contains(failure_of_bad("goes-on-and-on"), "100,000 events of that one moment"));
}
TEST_CASE("a program may take a while to begin, and no longer than it is given") {
  CHECK(failure_of_bad("starts-slowly") == "");
  CHECK(contains(failure_of_bad("starts-slowly", "answer_within = \"100ms\""),
                 "where \"init_ok\" or \"idle\" was to come"));
}
TEST_CASE("the same seed gives the same history of a program, and another seed another") {
  const auto run = [](std::uint32_t repetition) {
    return test::run_scenario(scenario("python3 work_stealing.py", "peers_per_process = 6"),
                              repetition);
  };
  const auto first = run(0);
  const auto again = run(0);
  REQUIRE(first.facts.size() > 0);
  CHECK(first.facts == again.facts);
  CHECK(first.peers == again.peers);
  CHECK_FALSE(first.facts == run(1).facts);
}
TEST_CASE("standard error of programs is kept where the scenario says") {
  const test::TemporaryDirectory directory;
  const std::string failure = failure_of_bad("dies", "log = \"" + directory.path().string() + "\"");
  CHECK(contains(failure, "this is my end"));
  std::size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(directory.path())) {
    ++files;
    CHECK(file.path().filename().string().ends_with("-n0-n5.log"));
    CHECK(std::filesystem::file_size(file.path()) > 0);
  }
  CHECK(files == 1);
}
TEST_CASE("a program that is not there is refused") {
  CHECK_THROWS(test::run_scenario(scenario("no-such-program-of-anybody")));
  CHECK_THROWS_WITH_AS(
      test::run_scenario(scenario("cat", "peers_per_process = 2\nquiet_for = \"1ms\"")),
      doctest::Contains("quiet_for"), scenarios::InputError);
  const std::string in_a_list =
      "[[scheduler]]\nuse = \"program\"\ncommand = [\"cat\", \"mine.py\"]\n";
  const auto cells = scenarios::parse_scenario(std::string(world) + in_a_list, "test.toml");
  REQUIRE(cells.size() == 2);
  CHECK_THROWS_WITH_AS(scenarios::run_once(cells.back(), 0, 0, {}, nullptr),
                       doctest::Contains("command is one text"), scenarios::InputError);
  CHECK_THROWS(test::run_scenario(scenario("")));
}

}  // namespace rhizome::program_test
