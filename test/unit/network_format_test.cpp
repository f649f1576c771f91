// The network in a scenario file: valid settings, and the errors for others.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/peer/limit_exceeded.hpp"
#include "scenarios/experiment/conditions.hpp"
#include "scenarios/format/effective.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/quantity.hpp"
#include "scenarios/world/network/queueing.hpp"
#include "test/support/refusal.hpp"

namespace rhizome::network_format_test {

namespace {

using namespace std::chrono_literals;
using core::Rate;
using scenarios::parse_scenario;

const std::string tail = "[[scheduler]]\nuse = \"organic-grid\"\n";

scenarios::Scenario scenario_of(const std::string& text) {
  return parse_scenario("[network]\n" + text + tail, "s.toml").front().scenario;
}

std::string refusal(const std::string& text) {
  return test::refusal_by([&] { static_cast<void>(scenario_of(text)); });
}

}  // namespace

TEST_CASE("machines stand for a network between processes where there is none") {
  CHECK(refusal("latency = \"real\"\n[engine]\nkind = \"virtual\"\n") ==
        "s.toml:2:1: \"latency\" is that of the network between processes, which virtual time does "
        "not have: say how many \"machines\" stand for them, and the \"delay\" between any two");
  const std::string real = "latency = \"real\"\n";
  for (const std::string engine : {"virtual", "threads"}) {
    const std::string on = "[engine]\nkind = \"" + engine + "\"\n";
    CHECK(refusal(real + "machines = 3\ndelay = \"5ms\"\n" + on) == "accepted");
    CHECK(refusal(real + "machines = 999\n" + on) ==
          "s.toml:3:1: 999 machines are more than there are peers");
  }
  CHECK(refusal(real + "[engine]\nkind = \"threads\"\n") == "accepted");
  CHECK(refusal(real + "delay = \"1ms\"\n[engine]\nkind = \"threads\"\n") ==
        "s.toml:3:1: \"delay\" has no effect without \"machines\", between which it is emulated "
        "where "
        "there is no network between processes");
}

TEST_CASE("rates are read with their unit and written as short as can be") {
  using scenarios::parse_rate;
  using scenarios::rate_text;
  CHECK(parse_rate("10Mbit/s") == Rate{10'000'000});
  CHECK(parse_rate("1.5kbit/s") == Rate{1500});
  CHECK(parse_rate("2Gbit/s") == Rate{2'000'000'000});
  CHECK(rate_text(Rate{10'000'000}) == "10Mbit/s");
  CHECK(rate_text(Rate{}) == "0bit/s");
  for (const char* wrong : {"", "5", "bit/s", "5 bit/s", "5b/s", "1e5bit/s", "9999999999999Gbit/s"})
    CHECK_FALSE(parse_rate(wrong));
  for (const Rate rate : {Rate{}, Rate{1}, Rate{1500}, Rate{90'000'000'000}})
    CHECK(parse_rate(rate_text(rate)) == rate);
}

TEST_CASE("a bandwidth needs a unit, bounds in order and something that it is a range of") {
  CHECK(scenario_of("bandwidth_up = \"1Mbit/s\"\n").network.bandwidth_up == Rate{1'000'000});
  CHECK(refusal("bandwidth_up = 5\n")
            .starts_with("s.toml:2:1: \"bandwidth_up\" must be a rate with its unit"));
  CHECK(refusal("bandwidth_up = \"-1bit/s\"\n") ==
        "s.toml:2:1: \"bandwidth_up\" must be at least 0 bit/s");
  CHECK(refusal("bandwidth_down_max = \"1Mbit/s\"\n") ==
        "s.toml:2:1: \"bandwidth_down_max\" has no effect without \"bandwidth_down\"");
  CHECK(refusal("bandwidth_up = \"2Mbit/s\"\nbandwidth_up_max = \"1Mbit/s\"\n") ==
        "s.toml:3:1: \"bandwidth_up_max\" is below \"bandwidth_up\"");
}

TEST_CASE("the bandwidths of peers lie in their range and are the same for the same seed") {
  const auto scenario = scenario_of(
      "bandwidth_up = \"1Mbit/s\"\nbandwidth_up_max = \"2Mbit/s\"\n"
      "bandwidth_down = \"8Mbit/s\"\n");
  const auto around = scenarios::make_surroundings(scenario, 5);
  const auto again = scenarios::make_surroundings(scenario, 5);
  REQUIRE(around.access.size() == 100);
  std::int64_t least = 2'000'000;
  std::int64_t most = 1'000'000;
  for (std::size_t i = 0; i < 100; ++i) {
    const std::int64_t up = around.access[i].up.bits_per_second;
    least = std::min(least, up);
    most = std::max(most, up);
    CHECK(again.access[i].up == around.access[i].up);
    CHECK(around.access[i].down == Rate{8'000'000});
  }
  CHECK(least >= 1'000'000);
  CHECK(least < 1'100'000);
  CHECK(most > 1'900'000);
  CHECK(most <= 2'000'000);
}

TEST_CASE("lines follow the speeds of their peers where that is asked for") {
  const auto around = scenarios::make_surroundings(
      scenario_of("bandwidth_up = \"1Mbit/s\"\nbandwidth_by_speed = true\n"), 1);
  for (std::size_t i = 0; i < around.access.size(); ++i) {
    CHECK(static_cast<double>(around.access[i].up.bits_per_second) ==
          doctest::Approx(1e6 * around.world.capacities[i].speed));
    CHECK(around.access[i].down == Rate{});
  }
  CHECK(refusal("bandwidth_by_speed = true\n") ==
        "s.toml:2:1: \"bandwidth_by_speed\" has no effect without a bandwidth");
}

TEST_CASE("without a bandwidth there are no lines, and one alone is enough for them") {
  CHECK(scenarios::make_surroundings(scenario_of(""), 1).access.empty());
  CHECK(scenarios::make_surroundings(scenario_of("bandwidth_down = \"1Mbit/s\"\n"), 1)
            .access.size() == 100);
}

TEST_CASE("work is looked through up to a number of tasks and of inputs of tasks") {
  const auto looks_through = [](std::uint32_t jobs, std::size_t inputs) {
    agents::Workload work;
    for (std::uint32_t id = 0; id < jobs; ++id)
      work.jobs.push_back({.id = id, .portions = {{.id = {id, 0}}, {.id = {id, 1}}}});
    agents::ListedArrivals all(std::move(work));
    const scenarios::WorldSections sections;
    scenarios::Backlog backlog(sections);
    scenarios::MeteredArrivals metered(all, backlog, inputs, 24);
    return agents::profile_of(metered).jobs;
  };
  CHECK(looks_through(12, 0) == 12);
  CHECK_THROWS_WITH_AS(static_cast<void>(looks_through(13, 0)),
                       doctest::Contains("more than 24 tasks, and"), core::LimitExceeded);
  CHECK(looks_through(4, 2) == 4);
  CHECK_THROWS_WITH_AS(static_cast<void>(looks_through(5, 2)),
                       doctest::Contains("more than 24 tasks and inputs of tasks"),
                       core::LimitExceeded);
}

TEST_CASE("the longest delay includes the passage of one task through the slowest lines") {
  const std::string lines =
      "latency = \"constant\"\ndelay = \"3ms\"\nbandwidth_up = \"8Mbit/s\"\n"
      "bandwidth_down = \"4Mbit/s\"\nbandwidth_down_max = \"16Mbit/s\"\n";
  const auto around =
      scenarios::make_surroundings(scenario_of(lines + "[workload]\npayload = 960\n"), 1);
  CHECK(around.world.longest_delay == 3ms + 1ms + 2ms);
}

TEST_CASE(
    "jitter adds to the delay of every packet and to the longest delay, whatever the latency") {
  for (const auto& [latency, least] :
       {std::pair{"", core::Duration{0}}, {"latency = \"constant\"\ndelay = \"3ms\"\n", 3ms}}) {
    const auto around =
        scenarios::make_surroundings(scenario_of(latency + std::string("jitter = \"2ms\"\n")), 1);
    CHECK(around.world.longest_delay == least + 2ms);
    core::Rng rng(1);
    const auto delay = [&] {
      return around.links.judge({}, {.from = core::PeerId{0}, .to = core::PeerId{1}}, rng).after[0];
    };
    const auto [first, second] = std::pair{delay(), delay()};
    CHECK(first != second);
    CHECK(std::min(first, second) >= least);
    CHECK(std::max(first, second) <= least + 2ms);
  }
}

TEST_CASE("the longest queue is the data of simultaneous work over the slowest line") {
  const auto queue = [](const std::string& more) {
    const std::string line = "bandwidth_up = \"8Mbit/s\"\n";  // a task moves 1000 bytes
    return scenarios::make_surroundings(
               scenario_of(line + "[workload]\nportions = 50\npayload = 584\n" + more), 1)
        .world.longest_queue;
  };
  CHECK(queue("jobs = 1\n") == 50ms);
  CHECK(queue("jobs = 3\nspacing = \"0ms\"\n") == 150ms);
  CHECK(queue("jobs = 3\nspacing = \"10ms\"\n") == 130ms);
  CHECK(queue("jobs = 3\nspacing = \"1s\"\n") == 50ms);
  const std::string file = "jobs = 1\n[[files.input]]\nname = \"f\"\nsize = 2_000\nper = ";
  CHECK(queue(file + "\"run\"\n") == 50ms + 200ms);  // to a hundred peers
  CHECK(queue(file + "\"job\"\n") == 50ms + 100ms);
  CHECK(queue(file + "\"task\"\n") == 50ms + 100ms);
}

TEST_CASE("chunks of files count where a packet passes slow lines, and time-outs follow them") {
  const auto around = scenarios::make_surroundings(
      scenario_of("latency = \"constant\"\ndelay = \"0ms\"\nbandwidth_up = \"8Mbit/s\"\n"
                  "[files]\nchunk = 100_000\n[[files.input]]\nname = \"f\"\nsize = 1_000_000\n"),
      1);
  CHECK(around.world.longest_delay == 100ms + 40us);
  CHECK(around.world.longest_queue > 100 * 400ms);  // four chunks to each of a hundred peers
  CHECK(around.world.files.patience == 3 * around.world.longest_way());
}

namespace {

// Why a graph of four tasks cannot be brought over such lines; empty if it can.
std::string refused_edges(const std::string& network, const std::string& bytes,
                          const std::string& scheduler = "round-robin") {
  const auto scenario =
      parse_scenario("[network]\n" + network + "\n[workload]\nkind = \"matrix\"\ndims = 2\n" +
                         "tg_prob_connected = 1\nedge_bytes = " + bytes +
                         "\n[[scheduler]]\nuse = \"" + scheduler + "\"\n",
                     "s.toml")
          .front()
          .scenario;
  try {
    static_cast<void>(scenarios::make_surroundings(scenario, 1));
  } catch (const scenarios::InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("data between tasks must fit the lines before the clock of a run ends") {
  CHECK(refused_edges("bandwidth_up = \"1kbit/s\"", "1_000_000").empty());
  INFO(refused_edges("bandwidth_up = \"1bit/s\"", "1_000_000_000_000"));
  CHECK(refused_edges("bandwidth_up = \"1bit/s\"", "1_000_000_000_000")
            .starts_with("s.toml:1:1: a task is given so many bytes that those of all may take "
                         "longer than the 292 years"));
  CHECK(refused_edges("", "1_000_000_000_000").empty());
}

TEST_CASE("the slowest lines are those of the slowest peer, except lines without limit") {
  using scenarios::slowest_lines;
  scenarios::NetworkSection network;
  scenarios::PeersSection peers;
  peers.speed_min = 0.25;
  CHECK(slowest_lines(network, peers).empty());
  network.bandwidth_down = {4'000};
  CHECK(slowest_lines(network, peers) == std::vector<Rate>{{4'000}});
  network.bandwidth_by_speed = true;
  network.bandwidth_up = {1};
  CHECK(slowest_lines(network, peers) == std::vector<Rate>{{1}, {1'000}});
}

TEST_CASE("time-outs shorter than the transfer of data between tasks are reported with that time") {
  const std::string slow = "bandwidth_up = \"8Mbit/s\"";
  CHECK(refused_edges(slow, "10_000_000", "organic-grid").empty());  // unset times follow the data
  const std::string why = refused_edges(slow, "10_000_000", "organic-grid\"\ntimeout = \"2s");
  CHECK(why.find("four times the longest delay of the network, 30s, in") != std::string::npos);
  CHECK(why.find("in which the 30000000 bytes that a task is given pass") != std::string::npos);
}

TEST_CASE("the effective scenario tells the network that is in force and reads back") {
  const std::string lines =
      "bandwidth_up = \"1500kbit/s\"\nlatency = \"hosts\"\ndelay = \"40ms\"\n";
  const auto text = scenarios::effective_toml(scenario_of(lines));
  CHECK(text.find("bandwidth_up = \"1500kbit/s\"") != std::string::npos);
  CHECK(text.find("bandwidth_down_max") == std::string::npos);
  CHECK(text.find("sigma_host = 0.36") != std::string::npos);
  CHECK(text.find("dimensions") == std::string::npos);
  const auto again = parse_scenario(text, "again.toml").front().scenario;
  CHECK(again.network.bandwidth_up == Rate{1'500'000});
  CHECK(scenarios::effective_toml(again) == text);
}

TEST_CASE("every latency refuses the keys of the others") {
  CHECK(
      refusal("latency = \"lognormal\"\ndelay = \"9ms\"\nsigma_host = 0.1\n") ==
      "s.toml:4:1: \"sigma_host\" has no effect while \"latency\" is \"lognormal\": it belongs to "
      "hosts");
  CHECK(refusal("latency = \"hosts\"\ndimensions = 3\n") ==
        "s.toml:3:1: \"dimensions\" has no effect while \"latency\" is \"hosts\": it belongs to "
        "coordinates");
  CHECK(refusal("latency = \"coordinates\"\nsigma = 0.3\n") ==
        "s.toml:3:1: \"sigma\" has no effect while \"latency\" is \"coordinates\": it belongs to "
        "lognormal or hosts");
  CHECK(refusal("latency = \"none\"\ndelay = \"1ms\"\n").find("has no effect") !=
        std::string::npos);
  CHECK(refusal("latency = \"coordinates\"\ndimensions = 6\n") ==
        "s.toml:3:1: \"dimensions\" must be at most 5");
}

TEST_CASE("hosts cannot vary more than the pairs that they make") {
  CHECK(refusal("latency = \"hosts\"\nsigma = 0.5\nsigma_host = 0.35\n") == "accepted");
  CHECK(refusal("latency = \"hosts\"\nsigma = 0.5\nsigma_host = 0.36\n")
            .starts_with("s.toml:4:1: \"sigma_host\" is too large for \"sigma\""));
  CHECK(refusal("latency = \"hosts\"\nsigma = 0.5\n")
            .starts_with("s.toml:3:1: \"sigma_host\" is too large for \"sigma\""));
  CHECK(refusal("latency = \"hosts\"\ndelay = \"0ms\"\n") ==
        "s.toml:3:1: \"delay\" must be above 0 for hosts latencies");
}

}  // namespace rhizome::network_format_test
