// How much a scenario may hold and span: small files must not take gigabytes or minutes.
#include <doctest/doctest.h>

#include <string>

#include "scenarios/experiment/conditions.hpp"
#include "scenarios/format/parser.hpp"
#include "test/support/refusal.hpp"

namespace rhizome::scenario_bounds_test {

using test::refusal;

namespace {

// What `make` gives for the numbers from 0 on, one after the other.
template <class Make>
std::string repeated(int count, Make make) {
  std::string text;
  for (int i = 0; i < count; ++i) text += make(std::to_string(i));
  return text;
}

// A list of that many numbers, from 1 on.
std::string numbers(int count) {
  return "[" + repeated(count, [](const std::string& i) { return "1" + i + ", "; }) + "]";
}

}  // namespace

TEST_CASE("tables of a thousand names are searched, and no more") {
  const auto tables = [](int count) {
    return refusal(repeated(count, [](const std::string& i) { return "[t" + i + "]\n"; }));
  };
  CHECK(tables(2000).find("there are tables of more than 1000 names") != std::string::npos);
  CHECK(tables(900).find("there is no table [t0]") != std::string::npos);
}

TEST_CASE("every key repeats the name of its table, which is short") {
  const auto named = [](std::size_t length) {
    return refusal("[" + std::string(length, 't') + "]\nk = 1\n");
  };
  CHECK(named(201) == "s.toml:1:2: a name is longer than 200 bytes");
  CHECK(named(200).find("there is no table") != std::string::npos);
}

TEST_CASE("what is wrong is told a thousand times at most: each is a search for what was meant") {
  const auto keys = [](int count) {
    return refusal("[peers]\n" +
                   repeated(count, [](const std::string& i) { return "k" + i + " = 1\n"; }));
  };
  CHECK(keys(500).ends_with("\nand 480 more"));
  CHECK(keys(5000).ends_with("\nand at least 980 more"));
}

TEST_CASE("the cells of a sweep repeat two million keys and tables at most") {
  const auto swept = [](int events, int values) {
    return refusal("peers.count = 2000\nworkload.jobs = " + numbers(values) + "\n" +
                   repeated(events, [](const std::string& i) {
                     return "[[faults.event]]\nat = \"1s\"\npeer = 1" + i + "\n";
                   }));
  };
  CHECK(swept(1000, 700).starts_with(
      "s.toml:2:10: the lists of this scenario span 700 cells with 3007 keys and tables each: "
      "2000000 are the most in all cells together"));
  CHECK(swept(1000, 2) == "accepted");
}

TEST_CASE("a scenario has four mebibytes at most, for each byte of its keys takes hundreds") {
  CHECK(refusal(std::string(5'000'000, '#')) ==
        "s.toml:1:1: this has more than 4 MiB, and no scenario has so many");
}

TEST_CASE("a claim has a thousand bytes at most, and all are judged in all cells") {
  const auto claims = [](int count, std::size_t blanks, int cells) {
    const std::string claim =
        "\"organic-grid.makespan <" + std::string(blanks, ' ') + "organic-grid.makespan\", ";
    return refusal("claims = [" + repeated(count, [&](const std::string&) { return claim; }) +
                   "]\nworkload.jobs = " + numbers(cells) + "\n");
  };
  CHECK(claims(1, 1000, 1) == "s.toml:1:1: a claim has more than 1000 bytes");
  CHECK(claims(300, 1, 1000) ==
        "s.toml:1:1: 300 claims in 1000 cells are too many: 200000 are judged at most");
  CHECK(claims(200, 1, 10) == "accepted");
}

TEST_CASE("a value of a list has 4096 bytes at most, for every figure of its cell names it") {
  const auto swept = [](std::size_t length) {
    return refusal("workload.kind = \"swf\"\nworkload.file = [\"" + std::string(length, 'x') +
                   "\", \"b\"]\n");
  };
  CHECK(swept(4097) == "s.toml:2:18: a value of a list has more than 4096 bytes");
  CHECK(swept(4096).find("there is no file") != std::string::npos);
}

TEST_CASE("the cells of a sweep repeat 256 MiB of text at most") {
  const auto swept = [](int values) {
    return refusal("description = \"" + std::string(1'000'000, 'x') +
                   "\"\nworkload.jobs = " + numbers(values) + "\n");
  };
  CHECK(swept(269).starts_with(
      "s.toml:2:10: the lists of this scenario span 269 cells with 1000049 bytes of text each: 256 "
      "MiB are the most in all cells together"));
  CHECK(swept(3) == "accepted");
}

TEST_CASE("a scenario has a million runs at most: each is planned before the first") {
  const auto swept = [](int values) {
    return refusal("run.repetitions = 100000\nworkload.jobs = " + numbers(values) + "\n");
  };
  CHECK(swept(10) == "accepted");
  CHECK(swept(11).find("are 1100000 runs: 1000000 are the most") != std::string::npos);
}

TEST_CASE("each value of a list is read once, however many others it has") {
  const auto cells =
      scenarios::parse_scenario("workload.jobs = " + numbers(10'000) + "\n" + test::tail, "s.toml");
  REQUIRE(cells.size() == 10'000);
  CHECK(cells.back().assignments.front().second == "19999");
  CHECK(refusal("workload.jobs = " + numbers(10'001) + "\n") ==
        "s.toml:1:10: the lists of this scenario span more than 10000 cells");
}

TEST_CASE("failures and partitions choose among twenty million peers in all") {
  const auto choices = [](int masses, int machines, int partitions) {
    const std::string scheduler = "[[scheduler]]\nuse = \"organic-grid\"\n";
    const auto tables = [](int count, const std::string& table) {
      return repeated(count, [&](const std::string&) { return table; });
    };
    return refusal("peers.count = 1000000\n" + scheduler +
                   (machines > 0 ? "[engine]\nmachines = 2\n" : "") +
                   tables(masses, "[[faults.mass]]\nat = \"1s\"\nshare = 0.1\n") +
                   tables(machines, "[[faults.machine]]\nat = \"1s\"\nmachine = 1\n") +
                   repeated(partitions, [](const std::string& i) {
                     return "[[network.partition]]\nfrom = \"" + i + "s\"\nuntil = \"" + i +
                            ".5s\"\nshare = 0.5\n";
                   }));
  };
  const std::string told = "failures of machines and partitions choose among ";
  CHECK(choices(10, 0, 11).find(told + "21000000 peers") != std::string::npos);
  CHECK(choices(0, 0, 21).find(told + "21000000 peers") != std::string::npos);
  CHECK(choices(10, 21, 0).find(told + "20500021 peers") != std::string::npos);
  CHECK(choices(10, 0, 10).find(told) == std::string::npos);
}

TEST_CASE("a task has 64 inputs at most, and the tasks of a job two million") {
  const auto inputs = [](const std::string& portions, int files) {
    return refusal("workload.portions = " + portions + "\n" +
                   repeated(files, [](const std::string& i) {
                     return "[[files.input]]\nname = \"f" + i + "\"\nsize = 9\n";
                   }));
  };
  CHECK(inputs("31_251", 64).find("the tasks of a job have 2000064 inputs in all") !=
        std::string::npos);
  CHECK(inputs("10", 64) == "accepted");
  CHECK(inputs("10", 65) == "s.toml:2:1: there are more than 64 [[files.input]]");
}

TEST_CASE("what work is told is as long as a message to it may be") {
  const auto told = [](std::size_t size) {
    return refusal(
        "engine.kind = \"threads\"\nworkload.work = \"child\"\n"
        "workload.child_program = \"true\"\nworkload.child_arguments = \"" +
        std::string(size, 'a') + "\"\n");
  };
  CHECK(told(3000) == "accepted");
  CHECK(told(4096).starts_with("s.toml:2:10: the settings of work of the kind \"child\" take 41"));
}

TEST_CASE("a scenario varies a thousand keys at most") {
  const auto lists = [](int count) {
    return refusal("peers.count = 2000\n" + repeated(count, [](const std::string& i) {
                     return "[[faults.event]]\nat = [\"" + i + "s\"]\npeer = 1" + i + "\n";
                   }));
  };
  CHECK(lists(1001) == "s.toml:3003:1: more than 1000 keys of this scenario are lists");
  CHECK(lists(20) == "accepted");
}

// The bytes of these files would take hours to make.
TEST_CASE("a survey of a workload makes no bytes of its files") {
  const auto cells =
      scenarios::parse_scenario("[workload]\njobs = 20\nportions = 20\n" +
                                    repeated(25,
                                             [](const std::string& i) {
                                               return "[[files.input]]\nname = \"f" + i +
                                                      "\"\nsize = 1_073_741_824\nper = \"task\"\n";
                                             }) +
                                    test::tail,
                                "s.toml");
  const auto remarks = scenarios::make_surroundings(cells.front().scenario, 1).remarks;
  REQUIRE_FALSE(remarks.empty());
  CHECK(remarks.front().starts_with("tasks need 10000 files, together of 10737418240000 bytes"));
}

}  // namespace rhizome::scenario_bounds_test
