// Resources that a scenario names: how they add up, how they travel, and what a scenario can and
// cannot say of them.
#include "agents/resources.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "agents/server.hpp"
#include "scenarios/experiment/conditions.hpp"
#include "scenarios/format/effective.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/format/schema.hpp"
#include "scenarios/text/json.hpp"
#include "scenarios/world/resources.hpp"
#include "test/support/refusal.hpp"
#include "tools/guide/guide.hpp"

namespace rhizome::resources_test {

using agents::Amounts;
using agents::Resources;
using scenarios::parse_scenario;

namespace {

Amounts amounts(std::uint32_t first, std::uint32_t second = 0) {
  Amounts made;
  made.set(0, first);
  made.set(1, second);
  return made;
}

const std::string sparrow = "[[scheduler]]\nuse = \"sparrow\"\n";
const std::string robin = "[[scheduler]]\nuse = \"round-robin\"\n";
const std::string gpus = "[peers.resources]\ngpu = 2\n[workload.resources]\ngpu = 1\n";

// The message with which a scenario is refused, when it is read or when its world is made.
std::string refusal(const std::string& text, const scenarios::Overrides& overrides = {}) {
  return test::refusal_by([&] {
    for (const auto& cell : parse_scenario(text, "s.toml", overrides))
      static_cast<void>(scenarios::make_surroundings(cell.scenario, 1));
  });
}

scenarios::Surroundings surroundings(const std::string& text) {
  return scenarios::make_surroundings(parse_scenario(text, "s.toml").front().scenario, 1);
}

}  // namespace

TEST_CASE("a peer that lacks some of one resource has no room, however much it has of another") {
  const Resources peer{4, 1, amounts(1000, 2000)};
  CHECK(Resources{4, 1, amounts(1000, 2000)}.within(peer));
  CHECK_FALSE(Resources{1, 0, amounts(1001)}.within(peer));
  CHECK_FALSE(Resources{1, 0, amounts(0, 2001)}.within(peer));
  CHECK_FALSE((Resources{1, 0, amounts(600)} + Resources{1, 0, amounts(600)}).within(peer));
}

TEST_CASE("amounts add up and are given back exactly, and never wrap around") {
  Amounts held;
  for (int i = 0; i < 10; ++i) held = held + amounts(100);
  CHECK(held == amounts(1000));
  for (int i = 0; i < 10; ++i) held = held - amounts(100);
  CHECK(held == Amounts{});
  CHECK(Amounts{} - amounts(5) == Amounts{});
  CHECK(amounts(UINT32_MAX) + amounts(5) == amounts(UINT32_MAX));
}

TEST_CASE("resources are encoded as before where none is named, and whole where one is") {
  const auto encoded = [](const auto& value) {
    core::Bytes bytes;
    core::encode(value, bytes);
    return bytes;
  };
  struct Before {
    std::uint32_t cpus;
    double memory;
  };
  CHECK(encoded(Resources{2, 0.5}) == encoded(Before{2, 0.5}));
  for (const Amounts& named : {Amounts{}, amounts(1500), amounts(0, 7)}) {
    Resources heard;
    REQUIRE(core::decode(encoded(Resources{3, 0.25, named}), heard) == core::DecodeError::none);
    CHECK(heard.cpus == 3);
    CHECK(heard.memory == 0.25);
    CHECK(heard.named == named);
  }
}

TEST_CASE("more of a name than a scenario can say, or of more names, is refused") {
  const auto refused = [](std::size_t names, std::uint64_t amount) {
    core::Bytes bytes;
    core::Writer out(bytes);
    out.array(names);
    for (std::size_t i = 0; i < names; ++i) out.natural(amount);
    Amounts heard;
    return core::decode(bytes, heard) != core::DecodeError::none;
  };
  CHECK_FALSE(refused(Amounts::most_names, Amounts::most));
  CHECK(refused(Amounts::most_names, std::uint64_t{Amounts::most} + 1));
  CHECK(refused(Amounts::most_names + 1, 1));
}

TEST_CASE("an amount that is reserved at a server is free again once it is released") {
  agents::Server server({.slots = 4, .named = amounts(2000)});
  const agents::Task task{.id = {0, 0}, .named = amounts(1500)};
  server.reserve(7, task);
  CHECK_FALSE(server.idle());
  CHECK_FALSE(server.would_serve(task, {}));
  CHECK(server.would_serve({.id = {0, 1}, .named = amounts(500)}, {}));
  CHECK(server.free().named == amounts(500));
  server.release(7);
  CHECK(server.free().named == amounts(2000));
  CHECK(server.would_serve(task, {}));
}

TEST_CASE("peers have, and tasks need, the resources that the scenario names") {
  const auto made = surroundings(
      "[peers.resources]\nlicence = 0.5\ngpu = 2\n[workload.resources]\ngpu = 1\nlicence = "
      "0.125\n" +
      sparrow);
  for (const agents::Capacity& peer : made.world.capacities)
    CHECK(peer.named == amounts(2000, 500));
  CHECK(made.world.arrivals()->next()->portions[3].named == amounts(1000, 125));
}

TEST_CASE("amounts between whole numbers are whole, and a share has none") {
  const auto made = surroundings(
      "[peers.resources]\ngpu = 1\ngpu_max = 3\ngpu_share = 0.5\n[workload.resources]\ngpu = 1\n" +
      sparrow);
  std::array<int, 4> peers{};
  for (const agents::Capacity& peer : made.world.capacities) {
    REQUIRE(peer.named.at(0) % 1000 == 0);
    REQUIRE(peer.named.at(0) <= 3000);
    ++peers.at(peer.named.at(0) / 1000);
  }
  CHECK(peers[0] > 30);
  CHECK(peers[0] < 70);
  for (int gpus_of_peer = 1; gpus_of_peer <= 3; ++gpus_of_peer) CHECK(peers.at(gpus_of_peer) > 5);
}

TEST_CASE("naming a resource changes nothing else of the world") {
  const auto without = surroundings(sparrow);
  const auto with = surroundings(
      "[peers.resources]\ngpu = 1\ngpu_max = 3\n"
      "[workload.resources]\ngpu = 1\n" +
      sparrow);
  for (std::size_t i = 0; i < without.world.capacities.size(); ++i)
    REQUIRE(with.world.capacities[i].speed == without.world.capacities[i].speed);
  CHECK(with.world.source == without.world.source);
}

TEST_CASE("a resource that is named on one side only is an error") {
  CHECK(refusal(gpus + sparrow) == "accepted");
  CHECK(refusal("[peers.resources]\ngpu = 2\n" + sparrow) ==
        "s.toml:2:1: \"gpu\" has no effect: [workload.resources] does not name \"gpu\", so that no "
        "task needs it");
  CHECK(refusal("[workload.resources]\ngpu = 1\n" + sparrow) ==
        "s.toml:2:1: no peer has any \"gpu\": say how much in [peers.resources]");
}

TEST_CASE("a setting of a resource without a meaning is an error") {
  CHECK(refusal("[peers.resources]\ngpu = 1\n[workload.resources]\ngpu_share = 0.5\n" + sparrow) ==
        "s.toml:4:1: \"gpu_share\" has no effect: say how much there is of \"gpu\" in "
        "[workload.resources]");
  CHECK(refusal("[peers.resources]\ngpu = 4\ngpu_max = 2\n[workload.resources]\ngpu = 1\n" +
                sparrow) == "s.toml:2:1: \"gpu_max\" has no effect: it must be more than \"gpu\"");
}

TEST_CASE("resources rest where a later layer has chosen a trace, and else have no effect there") {
  const std::string trace = "[workload]\nkind = \"swf\"\nfile = \"/dev/null\"\n";
  CHECK(refusal(trace + gpus + sparrow) ==
        "s.toml:3:1: there is no file \"/dev/null\"\n"
        "s.toml:7:1: \"gpu\" has no effect while \"kind\" is \"swf\": it belongs to generated");
  CHECK(refusal(gpus + sparrow, {.command_line = {"workload.kind=swf", "workload.file=/nowhere"}})
            .find("gpu") == std::string::npos);
}

TEST_CASE("errors in a named resource are reported with their place") {
  CHECK(refusal("[peers.resources]\ngpu = \"two\"\n" + sparrow) ==
        "s.toml:2:1: \"gpu\" must be a number, not \"two\"");
  CHECK(refusal("[peers.resources]\ngpu_share = 2\n" + sparrow) ==
        "s.toml:2:1: \"gpu_share\" must be at most 1");
  CHECK(refusal("[peers.resources]\ngpu = 0.0001\n" + sparrow) ==
        "s.toml:2:1: \"gpu\" is counted in thousandths");
  CHECK(refusal("[peers.resources]\nmemory = 1\n" + sparrow)
            .starts_with("s.toml:2:1: \"memory\" can be no resource's name"));
  CHECK(refusal("[peers.resources]\na = 1\nb = 1\nc = 1\nd = 1\ne = 1\n" + sparrow) ==
        "s.toml:6:1: there are more than 4 named resources");
  CHECK(refusal("[peers.resource]\ngpu = 1\n" + sparrow) ==
        "s.toml:1:1: there is no table [peers.resource]; did you mean [peers.resources]?");
}

TEST_CASE("a task that fits no peer is told where the scenario asks for too much") {
  CHECK(refusal("[peers.resources]\ngpu = 1\n[workload]\ncpus = 1\nresources.gpu = 1.5\n" +
                sparrow) ==
        "s.toml:5:11: task 0.0 fits no peer: it needs 1 slot and memory 0, gpu 1.5");
  CHECK(refusal("[workload]\nmemory = 0.5\ncpus = 2\n" + sparrow) ==
        "s.toml:3:1: task 0.0 fits no peer: it needs 2 slots and memory 0.5");
}

TEST_CASE("a scheduler that places any task anywhere is refused where some peers lack a resource") {
  const std::string some =
      "[peers.resources]\ngpu = 1\ngpu_share = 0.5\n"
      "[workload.resources]\ngpu = 1\n";
  CHECK(refusal(some + sparrow) == "accepted");
  CHECK(refusal(gpus + robin) == "accepted");
  CHECK(refusal(some + robin) ==
        "s.toml:5:1: round-robin: it may take any task to any peer, and not all have what task 0.0 "
        "needs: 1 slot and memory 0, gpu 1");
}

TEST_CASE("the effective scenario says the same of named resources") {
  const auto first = parse_scenario(
      "[peers.resources]\ngpu = 1\ngpu_max = 4\n[workload.resources]\ngpu = 1\n" + sparrow,
      "s.toml");
  const std::string text = scenarios::effective_toml(first.front().scenario);
  CHECK(text.find("[peers.resources]\ngpu = 1.0\ngpu_max = 4.0\ngpu_share = 1.0\n") !=
        std::string::npos);
  CHECK(scenarios::effective_toml(parse_scenario(text, "e.toml").front().scenario) == text);
  CHECK(scenarios::effective_toml(parse_scenario(sparrow, "s.toml").front().scenario)
            .find("resources") == std::string::npos);
}

TEST_CASE("named resources are swept, documented and in the schema") {
  CHECK(parse_scenario("[peers.resources]\ngpu = [1, 2]\n[workload.resources]\ngpu = 1\n" + sparrow,
                       "s.toml")
            .size() == 2);
  const auto all = tools::guide_to_keys();
  const std::string keys = tools::text_of(tools::sections_within(all, "peers.resources").front());
  CHECK(keys.starts_with("[peers.resources]"));
  CHECK(keys.find("NAME_share = 1.0") != std::string::npos);
  const auto schema = scenarios::parse_json(scenarios::scenario_schema());
  REQUIRE(schema.has_value());
  const auto& patterns = schema->at("properties")
                             .at("workload")
                             .at("properties")
                             .at("resources")
                             .at("patternProperties");
  CHECK(patterns.contains("^[a-z0-9][a-z0-9_-]*_max$"));
}

}  // namespace rhizome::resources_test
