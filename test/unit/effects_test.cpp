// Settings that others leave without effect, and times beyond what a run's clock counts: both are
// refused at their place.
#include <doctest/doctest.h>

#include <string>

#include "scenarios/format/effective.hpp"
#include "scenarios/format/parser.hpp"
#include "test/support/refusal.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::effects_test {

using scenarios::parse_scenario;
using test::refusal;
using test::tail;

TEST_CASE("an upper bound below its lower one is refused, not taken for none") {
  CHECK(refusal("peers.slots = 4\npeers.slots_max = 2\n") ==
        "s.toml:2:7: \"slots_max\" is below \"slots\"");
  CHECK(refusal("workload.cpus = 4\nworkload.cpus_max = 2\npeers.slots = 4\n") ==
        "s.toml:2:10: \"cpus_max\" is below \"cpus\"");
  CHECK(refusal("workload.memory = 0.5\nworkload.memory_max = 0.25\n") ==
        "s.toml:2:10: \"memory_max\" is below \"memory\"");
  CHECK(refusal("peers.slots = 2\npeers.slots_max = 4\n") == "accepted");
  CHECK(refusal("peers.slots = 4\npeers.slots_max = 0\n") == "accepted");
}

TEST_CASE("shared processors without costs are refused, unless the costs were taken later") {
  const std::string cores = "engine.kind = \"virtual\"\nengine.cores = 4\n";
  CHECK(refusal(cores).starts_with("s.toml:2:8: \"cores\" has no effect while neither"));
  CHECK(refusal(cores + "engine.handling = \"10us\"\n") == "accepted");
  CHECK(refusal(cores + "engine.handling = \"10us\"\n",
                {.command_line = {"engine.handling=0ms"}}) == "accepted");
  CHECK(refusal("engine.kind = \"virtual\"\nengine.cores = 0\n") == "accepted");
}

TEST_CASE("memory that no task needs is refused") {
  CHECK(refusal("peers.memory = 2\n").starts_with("s.toml:1:7: \"memory\" has no effect"));
  CHECK(refusal("peers.memory = 2\nworkload.memory = 1\n") == "accepted");
  CHECK(refusal("peers.memory = 2\nworkload.memory_max = 1\n") == "accepted");
}

TEST_CASE("a choice of the unit of drawn durations is refused where all tasks are alike") {
  CHECK(refusal("workload.portion_draw = \"job\"\n")
            .starts_with("s.toml:1:10: \"portion_draw\" has no effect while all tasks are alike"));
  CHECK(refusal("workload.portion_draw = \"job\"\nworkload.jitter = 0.5\n") == "accepted");
}

TEST_CASE(
    "wrong sizes are refused where nothing compares sizes, and accepted where something does") {
  const std::string wrong = "workload.estimate_error = 1\n";
  const std::string none = "s.toml:1:10: \"estimate_error\" has no effect while nothing compares";
  const auto said = [&](const std::string& text, const scenarios::Overrides& overrides = {}) {
    try {
      static_cast<void>(parse_scenario(wrong + text, "s.toml", overrides));
    } catch (const scenarios::InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const std::string by_size = "peers.discipline = \"srpt\"\n";
  CHECK(said(tail).starts_with(none));
  CHECK(said(by_size + tail) == "accepted");
  CHECK(said("peers.discipline = \"ps\"\n[[scheduler]]\nuse = \"dispatcher\"\npolicy = \"jsq\"\n")
            .starts_with(none));
  CHECK(said(by_size + "[[scheduler]]\nuse = \"dispatcher\"\npolicy = \"jsq\"\n") == "accepted");
  for (const std::string policy :
       {"lwl", "lwl-d", "threshold", "random", "jiq", "jbt-d", "jsq-d"}) {
    CAPTURE(policy);
    const std::string text = "[[scheduler]]\nuse = \"dispatcher\"\npolicy = \"" + policy + "\"\n";
    const bool compares = policy.starts_with("lwl") || policy == "threshold";
    CHECK((said(text) == "accepted") == compares);
    CHECK(said(text, {.command_line = {"scheduler.dispatcher.policy=random"}}) == "accepted");
  }
  CHECK(said("[[scheduler]]\nuse = \"dispatcher\"\n",
             {.command_line = {"peers.discipline=fcfs"}}) == "accepted");
  CHECK(refusal("workload.estimate_error = 0\n") == "accepted");
}

TEST_CASE("a degree beyond the number of peers is refused, if the scenario sets it") {
  const std::string few = "peers.count = 4\n";
  CHECK(refusal(few) == "accepted");  // with a default mean of six
  CHECK(refusal(few + "graph.mean_degree = 5\n") ==
        "s.toml:2:7: \"mean_degree\" is 5, but among 4 peers no peer can know more than 3 others: "
        "lower it, or raise peers.count");
  for (const std::string setting : {"graph = {kind = \"k-out\", out_degree = 4}\n",
                                    "graph = {kind = \"watts-strogatz\", nearest = 4}\n",
                                    "graph = {kind = \"barabasi-albert\", attachments = 4}\n"}) {
    CAPTURE(setting);
    CHECK(refusal(few + setting).find("among 4 peers") != std::string::npos);
    CHECK(refusal("peers.count = 5\n" + setting) == "accepted");
    CHECK(refusal(setting, {.command_line = {"peers.count=4"}}) == "accepted");
  }
}

TEST_CASE("a view larger than there are others to know is refused") {
  const std::string overlay = "[[scheduler]]\nuse = \"overlay-only\"\nview_size = 12\n";
  const auto said = [&](const std::string& peers, const scenarios::Overrides& overrides = {}) {
    try {
      static_cast<void>(parse_scenario(peers + overlay, "s.toml", overrides));
    } catch (const scenarios::InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(said("peers.count = 12\n") ==
        "s.toml:4:1: \"view_size\" is 12, but among 12 peers no peer can know more than 11 others: "
        "lower it, or raise peers.count");
  CHECK(said("peers.count = 13\n") == "accepted");
  CHECK(said("", {.command_line = {"peers.count=4"}}) == "accepted");
  CHECK(said("peers.count = 4\n", {.command_line = {"scheduler.overlay-only.view_size=10"}}) ==
        "accepted");  // the default
}

TEST_CASE("probes and helpers beyond the peers that there are, are refused where they are said") {
  const auto said = [&](const std::string& text, const scenarios::Overrides& overrides = {}) {
    try {
      static_cast<void>(parse_scenario(text, "s.toml", overrides));
    } catch (const scenarios::InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const std::string sparrow = "[[scheduler]]\nuse = \"sparrow\"\n";
  CHECK(
      said("peers.count = 12\n" + sparrow + "probes = 12\n") ==
      "s.toml:4:1: \"probes\" is 12, but among 12 peers no task can be probed for at more than 11 "
      "others: lower it, or raise peers.count");
  CHECK(said("peers.count = 12\n" + sparrow + "probes = 11\nview_size = 11\n") == "accepted");
  CHECK(
      said("peers.count = 12\n" + sparrow + "helpers = 11\n") ==
      "s.toml:4:1: \"helpers\" is 11, but among 12 peers besides who asks and who is silent there "
      "are no more than 10 to ask: lower it, or raise peers.count");
  CHECK(said("peers.count = 12\n" + sparrow + "helpers = 10\n") == "accepted");
  CHECK(said("peers.count = 4\n" + sparrow + "helpers = 3\n") == "accepted");  // the default
  CHECK(said(sparrow + "probes = 8\n", {.command_line = {"peers.count=5"}}) == "accepted");
  // Each of two tasks may be probed for at every other peer.
  CHECK(said("peers.count = 12\n" + sparrow + "min_probes = 20\nprobing = \"per-job\"\n") ==
        "accepted");
}

TEST_CASE("a scenario written out with all defaults is read again, though some have no effect") {
  for (const std::string text :
       {"", "peers.count = 3\n", "peers.count = 3\ngraph.kind = \"watts-strogatz\"\n",
        "peers.count = 3\ngraph.kind = \"barabasi-albert\"\n", "engine.kind = \"virtual\"\n"}) {
    CAPTURE(text);
    const auto cells = parse_scenario(text + tail, "s.toml");
    CHECK_NOTHROW(static_cast<void>(
        parse_scenario(scenarios::effective_toml(cells.front().scenario), "again.toml")));
  }
}

TEST_CASE("an odd number of nearest neighbours is refused, not rounded down") {
  CHECK(refusal("graph = {kind = \"watts-strogatz\", nearest = 5}\n") ==
        "s.toml:1:35: \"nearest\" must be even, half of them on either side: 4 or 6");
}

TEST_CASE("a matrix of more hosts than peers is refused, not cut off") {
  const test::TemporaryFile matrix("0 1 2\n1 0 3\n2 3 0\n");
  const std::string network =
      "network = {latency = \"matrix\", file = \"" + matrix.name() + "\"}\n";
  CHECK(refusal("peers.count = 2\n" + network) ==
        "s.toml:2:32: \"file\" names 3 hosts, and there are 2 peers, so that 1 of the hosts would "
        "be left out: set peers.count to at least 3, or shorten the file");
  CHECK(refusal("peers.count = 3\n" + network) == "accepted");
  CHECK(refusal("peers.count = 7\n" + network) == "accepted");
}

TEST_CASE("a topology of more nodes than peers is refused, as a graph and as distances") {
  const std::string file = test::shipped("scenarios/data/Abilene.graphml");
  for (const std::string& setting :
       {"graph = {kind = \"graphml\", file = \"" + file + "\"}\n",
        "network = {latency = \"graphml\", file = \"" + file + "\"}\n"}) {
    CHECK(refusal("peers.count = 10\n" + setting).find("names 11 hosts, and there are 10 peers") !=
          std::string::npos);
    CHECK(refusal("peers.count = 11\n" + setting) == "accepted");
  }
}

TEST_CASE("a time beyond a run's clock is refused at its place, not wrapped around") {
  CHECK(refusal("engine.time_limit = \"9999999h\"\n") ==
        "s.toml:1:8: \"time_limit\" must be at most 1000000h, not \"9999999h\"");
  CHECK(refusal("network.bandwidth_up = \"99999999999999Gbit/s\"\n") ==
        "s.toml:1:9: \"bandwidth_up\" must be at most 1000Gbit/s, not \"99999999999999Gbit/s\"");
  const std::string far = "leads beyond the 292 years that the clock of a run counts";
  const auto too_far = [&](const std::string& text) {
    return refusal(text).find(far) != std::string::npos;
  };
  CHECK(too_far("workload.portion_time = \"1000000h\"\npeers.speed_min = 0.001\n"));
  CHECK_FALSE(too_far("workload.portion_time = \"1000000h\"\npeers.speed_min = 1\n"));
  CHECK(too_far("engine.time_limit = \"1000000h\"\nengine.time_scale = 0.001\n"));
  CHECK_FALSE(too_far("engine.time_limit = \"1000000h\"\nengine.kind = \"virtual\"\n"));
  CHECK(too_far("workload.spacing = \"1000000h\"\n"));
  CHECK_FALSE(too_far("workload.spacing = \"1000000h\"\nworkload.jobs = 2\n"));
  CHECK_FALSE(
      too_far("workload.spacing = \"1000h\"\nworkload.jobs = 10000000\nrun.duration = \"1s\"\n"));
  CHECK(too_far(
      "workload.portion_time = \"1000000h\"\nengine.time_scale = 0.1\npeers.speed_min = 1\n"));
  CHECK(too_far("network = {latency = \"lognormal\", delay = \"1h\", sigma = 5}\n"));
  CHECK(too_far("network.bandwidth_up = \"1bit/s\"\nworkload.payload = 1000000000000\n"));
  CHECK_FALSE(too_far("network.bandwidth_up = \"1Gbit/s\"\nworkload.payload = 1000000\n"));
}

TEST_CASE("lives too short for a long run are refused before all of them are drawn") {
  const std::string lives =
      "[faults.lifetimes]\ndistribution = \"exponential\"\nmean = \"1ms\"\n"
      "downtime = \"exponential\"\ndowntime_mean = \"1ms\"\n";
  CHECK(refusal("engine.time_limit = \"100h\"\n" + lives)
            .starts_with("s.toml:4:1: \"mean\" makes about 1.8e+10 lives"));
  CHECK(refusal("engine.time_limit = \"10s\"\n" + lives) == "accepted");
}

TEST_CASE("ten thousand settings are taken, and no more") {
  std::vector<std::string> many(10'000, "peers.count=4");
  CHECK(refusal("", {.command_line = many}) == "accepted");
  many.emplace_back("peers.count=4");
  const std::string too_many =
      "--set:1:1: there are more than 10,000 of them, with those of RHIZOME_SET";
  CHECK(refusal("", {.command_line = many}) == too_many);
  std::string environment;
  for (const std::string& each : many) environment += each + ";";
  CHECK(refusal("", {.environment = environment}) == too_many);
}

}  // namespace rhizome::effects_test
