// Faults in a scenario file: valid ones, and the errors for others.
#include <doctest/doctest.h>

#include <string>

#include "scenarios/experiment/conditions.hpp"
#include "scenarios/format/effective.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/format/schema.hpp"
#include "scenarios/text/json.hpp"
#include "test/support/experiments.hpp"
#include "test/support/refusal.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::fault_format_test {

namespace {

using core::Fault;
using core::PeerId;
using scenarios::InputError;
using scenarios::make_surroundings;
using scenarios::parse_scenario;
using scenarios::Scenario;
using test::refusal;
using test::tail;

scenarios::Scenario scenario_of(const std::string& text) {
  return parse_scenario(text + tail, "s.toml").front().scenario;
}

std::string event(const std::string& at, const std::string& kind, std::uint32_t peer = 3) {
  return "[[faults.event]]\nat = \"" + at + "\"\npeer = " + std::to_string(peer) + "\nkind = \"" +
         kind + "\"\n";
}

std::vector<Fault> of_peer(const scenarios::Surroundings& around, PeerId peer) {
  std::vector<Fault> mine;
  for (const Fault& fault : around.faults)
    if (fault.peer == peer) mine.push_back(fault);
  return mine;
}

std::size_t count(const scenarios::Surroundings& around, Fault::Kind kind) {
  std::size_t found = 0;
  for (const Fault& fault : around.faults) found += fault.kind == kind;
  return found;
}

}  // namespace

TEST_CASE("events crash, restart, leave and join in the order of their times") {
  CHECK(refusal(event("3s", "leave") + event("1s", "crash") + event("2s", "restart")) ==
        "accepted");
  CHECK(refusal(event("1s", "join") + event("2s", "crash") + event("3s", "restart")) == "accepted");
  CHECK(refusal(event("2s", "crash") + "restart_after = \"1s\"\n" + event("3s", "leave")) ==
        "accepted");
}

TEST_CASE("an event that contradicts an earlier one is refused at its place") {
  CHECK(refusal(event("2s", "restart")) == "s.toml:4:1: peer 3 cannot restart at 2s: it is alive");
  CHECK(refusal(event("1s", "leave") + event("2s", "crash")) ==
        "s.toml:8:1: peer 3 cannot crash at 2s: it is gone since 1s");
  CHECK(refusal(event("1s", "crash") + event("2s", "join")) ==
        "s.toml:8:1: peer 3 cannot join at 2s: it has been there before, so it can only restart");
  CHECK(refusal(event("1s", "join") + event("2s", "join")).find("cannot join at 2s") !=
        std::string::npos);
  CHECK(refusal(event("1s", "crash") + "restart_after = \"5s\"\n" + event("2s", "restart")) ==
        "s.toml:9:1: peer 3 cannot restart at 2s: it does so at 6s anyway");
  CHECK(refusal("[[faults.event]]\nat = \"1s\"\n[[faults.event]]\nat = \"1s\"\n") ==
        "s.toml:4:1: peer 0 cannot crash at 1s: it is gone since 1s");
  CHECK(refusal(event("1s", "crash", 1) + event("1s", "crash", 2)) == "accepted");
}

TEST_CASE("faults after the time limit are refused, unless the limit was set later") {
  const std::string limit = "engine.time_limit = \"10s\"\n";
  CHECK(refusal(limit + event("11s", "crash")) ==
        "s.toml:3:1: \"at\" has no effect: it means 11s, after the time limit of 10s");
  CHECK(refusal(limit + event("9s", "crash") + "restart_after = \"2s\"\n")
            .starts_with("s.toml:6:1: \"restart_after\" has no effect"));
  CHECK(refusal(limit + "[[faults.mass]]\nat = \"11s\"\n").starts_with("s.toml:3:1: \"at\""));
  CHECK(refusal(limit + "faults.crash_share = 0.5\nfaults.crash_from = \"11s\"\n"
                        "faults.crash_until = \"12s\"\n")
            .starts_with("s.toml:3:8: \"crash_from\""));
  CHECK(refusal(limit + "[[network.partition]]\nfrom = \"11s\"\nuntil = \"12s\"\n")
            .starts_with("s.toml:3:1: \"from\""));
  CHECK(refusal(event("11s", "crash"), {.command_line = {"engine.time_limit=10s"}}) == "accepted");
}

TEST_CASE("an unset limit is known with the workload, and so are faults after it") {
  const auto fate = [](const std::string& at, const std::string& more) {
    const std::string text = "engine.kind = \"virtual\"\npeers.count = 4\n" + more +
                             "[workload]\njobs = 1\nportions = 4\nportion_time = \"100h\"\n" +
                             "[[faults.mass]]\nat = \"" + at +
                             "\"\n[[network.partition]]\nfrom = \"1h\"\nuntil = \"2h\"\n"
                             "[[scheduler]]\nuse = \"sparrow\"\n";
    try {
      const Scenario scenario = parse_scenario(text, "s.toml").front().scenario;
      static_cast<void>(make_surroundings(scenario, 1));
      return std::string("accepted");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  CHECK(fate("300h", "") == "accepted");  // four times 200 h, at speeds below 1 more
  CHECK(fate("9000h", "")
            .find("s.toml:8:1: \"at\" has no effect: it means 9000h, after the time "
                  "limit of ") == 0);
  CHECK(fate("300h", "engine.time_limit = \"299h\"\n") ==
        "s.toml:9:1: \"at\" has no effect: it means 300h, after the time limit of 299h");
}

TEST_CASE("a setting of lifetimes without effect is an error") {
  const std::string table = "[faults.lifetimes]\n";
  const std::string exponential = table + "distribution = \"exponential\"\n";
  CHECK(refusal(table + "mean = \"5s\"\n") ==
        "s.toml:2:1: \"mean\" has no effect while \"distribution\" is \"none\": it belongs to "
        "exponential or pareto or weibull");
  CHECK(refusal(exponential + "shape = 2.0\n").starts_with("s.toml:3:1: \"shape\" has no effect"));
  CHECK(refusal(exponential + "downtime_mean = \"2s\"\n")
            .starts_with("s.toml:3:1: \"downtime_mean\" has no effect"));
  CHECK(refusal(exponential + "downtime = \"constant\"\ndowntime_shape = 2.0\n")
            .starts_with("s.toml:4:1: \"downtime_shape\" has no effect"));
  CHECK(refusal(exponential + "file = \"x.csv\"\n").starts_with("s.toml:3:1: \"file\""));
  CHECK(refusal(event("1s", "restart") + "restart_after = \"1s\"\n")
            .find("\ns.toml:5:1: \"restart_after\" has no effect") != std::string::npos);
  CHECK(refusal(table + "distribution = \"pareto\"\nshape = 1.0\n") ==
        "s.toml:3:1: \"shape\" must be above 1: other Pareto distributions have no mean");
  CHECK(refusal(table + "distribution = \"weibull\"\nshape = 0.01\n") ==
        "s.toml:3:1: \"shape\" must be at least 0.1");
  CHECK(refusal(table + "distribution = \"file\"\n") ==
        "s.toml:2:1: [faults.lifetimes] needs the key \"file\" for this");
  CHECK(refusal(table + "distribution = \"file\"\nfile = \"none.csv\"\n") ==
        "s.toml:3:1: there is no file \"none.csv\"");
  CHECK(refusal(table + "distribution = \"wiebull\"\n").find("did you mean \"weibull\"?") !=
        std::string::npos);
}

TEST_CASE("faults are in the schema and in the effective scenario") {
  const auto schema = scenarios::parse_json(scenarios::scenario_schema());
  REQUIRE(schema);
  const auto& faults = schema->at("properties").at("faults").at("properties");
  CHECK(faults.at("mass").at("items").at("properties").contains("restart_after"));
  CHECK(faults.at("lifetimes").at("properties").contains("downtime_mean"));
  CHECK(faults.at("event")
            .at("items")
            .at("properties")
            .at("kind")
            .at("anyOf")
            .at(0)
            .at("enum")
            .size() == 4);

  const std::string effective = scenarios::effective_toml(
      scenario_of("[[faults.mass]]\nat = \"1s\"\n" + event("2s", "join") +
                  "[faults.lifetimes]\ndistribution = \"weibull\"\ndowntime = \"constant\"\n"));
  for (const char* line : {"[[faults.mass]]", "share = 0.5", "kind = \"join\"", "mean = \"1min\"",
                           "downtime_mean = \"10s\""})
    CHECK(effective.find(line) != std::string::npos);
  CHECK(effective.find("downtime_shape") == std::string::npos);
  CHECK(scenarios::effective_toml(parse_scenario(effective, "e.toml").front().scenario) ==
        effective);
}

TEST_CASE("essential peers survive a mass failure and churn, and all else is common chance") {
  const std::string text =
      "[[faults.mass]]\nat = \"10s\"\nshare = 1.0\n[faults.lifetimes]\n"
      "distribution = \"exponential\"\nmean = \"5s\"\n";
  const auto around = scenarios::make_surroundings(scenario_of(text), 5);
  CHECK(of_peer(around, around.world.source).empty());
  CHECK(count(around, Fault::Kind::crash) == 99);
  CHECK(around.remarks.empty());
  CHECK(scenarios::make_surroundings(scenario_of(text), 5).faults == around.faults);
}

TEST_CASE(
    "a mass failure strikes its share at once, and a larger share strikes the same ones too") {
  const auto struck = [](const std::string& share) {
    return scenarios::make_surroundings(
        scenario_of("[[faults.mass]]\nat = \"10s\"\nshare = " + share + "\n"), 5);
  };
  const auto few = struck("0.2");
  const auto many = struck("0.5");
  CHECK(few.faults.size() == 20);
  CHECK(many.faults.size() == 50);
  for (const Fault& fault : few.faults) {
    CHECK(fault.at == core::Time(std::chrono::seconds(10)));
    CHECK(of_peer(many, fault.peer).size() == 1);
  }
}

TEST_CASE("an essential peer that an event names is struck with a remark, in a file it is spared") {
  const auto source = scenarios::make_surroundings(scenario_of(""), 5).world.source;
  const auto named =
      scenarios::make_surroundings(scenario_of(event("1s", "crash", source.value)), 5);
  CHECK(named.faults.size() == 1);
  REQUIRE(named.remarks.size() == 1);
  CHECK(named.remarks.front() ==
        "[[faults.event]] names peer " + std::to_string(source.value) +
            ", at which work enters, and organic-grid may not survive its loss");

  const test::TemporaryFile file("peer,up_at,down_at\n" + std::to_string(source.value) + ",0,3\n" +
                                 std::to_string((source.value + 1) % 100) + ",1,3\n");
  const auto listed = scenarios::make_surroundings(
      scenario_of("[faults.lifetimes]\ndistribution = \"file\"\nfile = \"" + file.name() + "\"\n"),
      5);
  CHECK(of_peer(listed, source).empty());
  CHECK(listed.faults.size() == 2);
  REQUIRE(listed.remarks.size() == 1);
  CHECK(listed.remarks.front().find("stays") != std::string::npos);
}

TEST_CASE("a machine takes all its peers with it, essential or not, and no others") {
  const std::string machines = "engine.machines = 3\n";
  const std::string failure = "[[faults.machine]]\nat = \"2s\"\nmachine = 1\n";
  const scenarios::Scenario scenario = scenario_of(machines + failure);
  const auto around = scenarios::make_surroundings(scenario, 5);
  const std::uint32_t peers = scenario.peers.count;
  REQUIRE(peers >= 3);
  for (std::uint32_t i = 0; i < peers; ++i) {
    const bool on_it = i >= peers / 3 && i < 2 * peers / 3;
    const auto faults = of_peer(around, PeerId{i});
    CHECK(faults.size() == (on_it ? 1 : 0));
    if (on_it && !faults.empty()) CHECK(faults.front().at == core::Time{std::chrono::seconds(2)});
  }
  CHECK(count(around, Fault::Kind::crash) == around.faults.size());
}

TEST_CASE("many faults, of peers on which many schedulers depend, are told in one remark") {
  const auto remarks = [](const std::string& faults) {
    const auto around = scenarios::make_surroundings(
        parse_scenario("peers.count = 4\n" + faults +
                           test::schedulers({"round-robin", "vector", "air-traffic"}),
                       "s.toml")
            .front()
            .scenario,
        5);
    std::vector<std::string> about;
    for (const std::string& remark : around.remarks)
      if (remark.find("may not survive") != std::string::npos) about.push_back(remark);
    return about;
  };
  const auto struck =
      remarks(event("1s", "crash", 0) + event("2s", "crash", 1) + event("3s", "crash", 2));
  REQUIRE(struck.size() == 1);
  CHECK(
      struck.front() ==
      "[[faults.event]] names peer 2, at which work enters, and 2 other peers, and round-robin and "
      "2 other schedulers may not survive its loss");
  const auto taken = remarks(
      "engine.machines = 2\n[[faults.machine]]\nat = \"2s\"\nmachine = 1\n"
      "[[faults.machine]]\nat = \"3s\"\nmachine = 0\n");
  REQUIRE(taken.size() == 1);
  CHECK(taken.front() ==
        "[[faults.machine]] takes peer 2, at which work enters, and 3 other peers, and round-robin "
        "and 2 other schedulers may not survive its loss");
}

TEST_CASE("a machine that there is not, and machines that nothing happens to, are refused") {
  const std::string failure = "[[faults.machine]]\nat = \"2s\"\nmachine = ";
  CHECK(refusal(failure + "0\n") == "accepted");
  CHECK(refusal(failure + "1\n") == "s.toml:3:1: there is no machine 1: they count from 0 to 0");
  CHECK(refusal("engine.machines = 2\n" + failure + "1\n") == "accepted");
  CHECK(refusal("engine.machines = 2\n") ==
        "s.toml:1:8: \"machines\" has no effect without a [[faults.machine]]");
  CHECK(refusal("engine.machines = 99999\n" + failure + "1\n") ==
        "s.toml:1:8: 99999 machines are more than there are peers");
  CHECK(
      refusal("engine.time_limit = \"1s\"\n" + failure + "0\n").starts_with("s.toml:3:1: \"at\""));
}

}  // namespace rhizome::fault_format_test
