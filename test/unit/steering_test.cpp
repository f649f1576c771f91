// Faults by hand: what waits and what came of it, what is refused and why, and who is named.
#include "core/engine/steering.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/virtual_engine.hpp"
#include "core/peer/latency.hpp"
#include "core/peer/rng.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/format/effective.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/live/messages.hpp"
#include "scenarios/live/steering.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/peer_list.hpp"
#include "test/support/gossip.hpp"

namespace rhizome::steering_test {

using namespace std::chrono_literals;
using core::OperatorCommand;
using core::PeerId;
using core::Presence;
using core::Steering;
using Kind = core::OperatorCommand::Kind;

namespace {

OperatorCommand operator_command(Kind kind, std::vector<PeerId> peers = {}) {
  return {.kind = kind, .peers = std::move(peers)};
}

// Of ten peers of which 1 is down and 2 has not joined.
std::string refusal(const OperatorCommand& operator_command, bool is_parted = false) {
  return core::refusal(operator_command, 10, is_parted, [](PeerId peer) {
    if (peer.value == 2) return Presence::to_join;
    return peer.value == 1 ? Presence::down : Presence::up;
  });
}

}  // namespace

TEST_CASE(
    "operator commands wait until the run comes to them, in their order, and each is answered "
    "once") {
  Steering steering;
  const auto crash = steering.post(operator_command(Kind::crash, {PeerId{3}}));
  const auto heal = steering.post(operator_command(Kind::heal));
  REQUIRE(crash);
  REQUIRE(heal);
  CHECK_FALSE(steering.answer(*crash));
  std::vector<Kind> order;
  steering.drain([&](OperatorCommand& operator_command) {
    order.push_back(operator_command.kind);
    operator_command.at = core::Time(3ns);
    return operator_command.kind == Kind::heal ? "no" : "";
  });
  CHECK(order == std::vector{Kind::crash, Kind::heal});
  const auto crashed = steering.answer(*crash);
  REQUIRE(crashed);
  REQUIRE(crashed->done);
  CHECK(crashed->done->at == core::Time(3ns));
  CHECK_FALSE(steering.answer(*crash));
  const auto refused = steering.answer(*heal);
  REQUIRE(refused);
  CHECK_FALSE(refused->done);
  CHECK(refused->reason == "no");
  CHECK(steering.count() == 1);
  CHECK(steering.done() == std::vector{*crashed->done});
}

TEST_CASE("no more operator commands wait than there is room for, and there is room again") {
  Steering steering;
  for (std::size_t i = 0; i < Steering::most_waiting; ++i)
    REQUIRE(steering.post(operator_command(Kind::heal)));
  CHECK_FALSE(steering.post(operator_command(Kind::heal)));
  steering.drain([](OperatorCommand&) { return std::string(); });
  CHECK(steering.post(operator_command(Kind::heal)));
}

TEST_CASE("an impossible command for a peer is refused with the reason") {
  CHECK(refusal(operator_command(Kind::crash, {PeerId{0}})).empty());
  CHECK(refusal(operator_command(Kind::crash, {PeerId{1}})) == "peer 1 is down already");
  CHECK(refusal(operator_command(Kind::leave, {PeerId{1}})) == "peer 1 is down already");
  CHECK(refusal(operator_command(Kind::restart, {PeerId{1}})).empty());
  CHECK(refusal(operator_command(Kind::restart, {PeerId{0}})) ==
        "peer 0 is up: only one that is down can restart");
  CHECK(refusal(operator_command(Kind::restart, {PeerId{2}})) == "peer 2 has not joined yet");
  CHECK(refusal(operator_command(Kind::crash, {PeerId{2}})) == "peer 2 has not joined yet");
  CHECK(refusal(operator_command(Kind::crash, {PeerId{10}})) ==
        "there is no peer 10: they count from 0 to 9");
  CHECK(refusal(operator_command(Kind::crash)) == "one peer is to be named");
  CHECK(refusal(operator_command(Kind::crash, {PeerId{3}, PeerId{4}})) ==
        "one peer is to be named");
}

TEST_CASE("peers are cut off once at a time, from some other peer, and only a cut can be healed") {
  CHECK(refusal(operator_command(Kind::cut_off, {PeerId{3}, PeerId{4}})).empty());
  CHECK_FALSE(refusal(operator_command(Kind::cut_off, {PeerId{3}}), true).empty());
  CHECK_FALSE(refusal(operator_command(Kind::cut_off)).empty());
  CHECK_FALSE(refusal(operator_command(Kind::cut_off, {PeerId{3}, PeerId{10}})).empty());
  std::vector<PeerId> all;
  for (std::uint32_t i = 0; i < 10; ++i) all.push_back({i});
  CHECK(refusal(operator_command(Kind::cut_off, all)) ==
        "no peer is left to cut these peers off from");
  CHECK(refusal(operator_command(Kind::heal), true).empty());
  CHECK(refusal(operator_command(Kind::heal)) == "no peer is cut off by hand");
}

TEST_CASE("a fault by hand comes at an instant of its own, behind all that follows one another") {
  Steering steering;
  core::LinkChain links;
  links.add<core::ConstantLatency>(1ms);
  core::EngineSetup setup;
  setup.peers = 8;
  setup.links = &links;
  setup.limit = 2ms;
  for (std::uint32_t i = 1; i <= 3; ++i)
    setup.faults.push_back({core::Time(core::Duration(i)), PeerId{i}, core::Fault::Kind::crash});
  setup.make_peer = [](PeerId id, core::Incarnation life) {
    auto peer = std::make_unique<core::Peer>(id, life, 1);
    peer->add<test::Gossip>(test::GossipOptions{.peers = 8});
    return peer;
  };
  REQUIRE(steering.post(operator_command(Kind::crash, {PeerId{3}})));
  REQUIRE(steering.post(operator_command(Kind::cut_off, {PeerId{4}})));
  REQUIRE(steering.post(operator_command(Kind::crash, {PeerId{5}})));
  const core::EngineReport report =
      core::VirtualEngine(std::move(setup)).run({.steering = &steering});
  const std::vector<OperatorCommand> done = steering.done();
  REQUIRE(done.size() == 2);
  CHECK(done[0].at == core::Time(4ns));
  CHECK(done[1].at == core::Time(5ns));
  CHECK_FALSE(report.alive[5]);
}

TEST_CASE("a cut separates its peers from all others until it is healed") {
  core::Cut cut;
  const core::CutLink link(cut);
  core::Rng rng = core::Rng::derive({1}, "cut");
  const auto passes = [&](std::uint32_t from, std::uint32_t to) {
    const core::PacketHeader header{.from = PeerId{from}, .to = PeerId{to}};
    return link.judge({}, header, rng).kind == core::LinkVerdict::Kind::pass;
  };
  CHECK(passes(0, 1));
  cut.part({true, false, true});
  CHECK(cut.is_parted());
  CHECK_FALSE(passes(0, 1));
  CHECK_FALSE(passes(7, 2));
  CHECK(passes(0, 2));
  CHECK(passes(1, 7));
  cut.heal();
  CHECK_FALSE(cut.is_parted());
  CHECK(passes(0, 1));
}

TEST_CASE("peers are listed by numbers and ranges, and written as shortly") {
  const auto peers = scenarios::parse_peers("9..12,3,4");
  REQUIRE(peers);
  CHECK(peers->size() == 6);
  CHECK(scenarios::peers_text(*peers) == "3,4,9..12");
  for (const char* text : {"", "3,", ",3", "a", "4..3", "3..", "-1", "1 2", "0..4000000000",
                           "1000000", "0..999999,0..999999"})
    CHECK_FALSE(scenarios::parse_peers(text));
}

TEST_CASE("every command of a monitor is about the pace, or is the operator command of its name") {
  using Command = scenarios::live::Steer::Command;
  const auto kind_of = [](Command command) {
    const auto operator_command =
        scenarios::live::operator_command_of({.command = command, .peers = {PeerId{1}}});
    return operator_command ? std::optional(operator_command->kind) : std::nullopt;
  };
  for (const Command command :
       {Command::hold, Command::go, Command::step, Command::until, Command::speed})
    CHECK_FALSE(kind_of(command));
  CHECK(kind_of(Command::crash) == Kind::crash);
  CHECK(kind_of(Command::leave) == Kind::leave);
  CHECK(kind_of(Command::restart) == Kind::restart);
  CHECK(kind_of(Command::cut_off) == Kind::cut_off);
  CHECK(kind_of(Command::heal) == Kind::heal);
  CHECK(
      scenarios::live::text_of({Kind::cut_off, {PeerId{4}, PeerId{3}}, core::Time(3200000001ns)}) ==
      "peers 3,4 were cut off at 3.200000001 s");
}

TEST_CASE("a command may name its most peers, and a foreign command is refused") {
  scenarios::live::Steer steer{.command = scenarios::live::Steer::Command::cut_off};
  for (std::uint32_t i = 0; i < scenarios::live::Steer::most_peers; ++i)
    steer.peers.push_back({999'000 + i});
  const auto read = scenarios::live::decode_request(encode(scenarios::live::Request{steer}));
  REQUIRE(read);
  CHECK(std::get<scenarios::live::Steer>(*read).peers == steer.peers);
  steer.command = static_cast<scenarios::live::Steer::Command>(
      static_cast<unsigned>(scenarios::live::Steer::Command::last) + 1);
  CHECK_FALSE(scenarios::live::decode_request(encode(scenarios::live::Request{steer})));
}

TEST_CASE("repetitions before the first are left out, and one is left") {
  const std::string text = "run.repetitions = 3\n[[scheduler]]\nuse = \"organic-grid\"\n";
  const auto cells =
      scenarios::parse_scenario(text, "test.toml", {.command_line = {"run.first=3"}});
  CHECK(scenarios::count_runs(cells) == 1);
  CHECK(scenarios::effective_toml(cells.front().scenario).find("\nfirst = 3\n") !=
        std::string::npos);
  CHECK_THROWS_AS(static_cast<void>(scenarios::parse_scenario(text, "test.toml",
                                                              {.command_line = {"run.first=4"}})),
                  scenarios::InputError);
}

TEST_CASE("a partition names its peers or takes a share of them, and they must be there") {
  const auto refused = [](const std::string& line) -> std::string {
    const std::string text =
        "peers.count = 10\n[[network.partition]]\nfrom = \"1s\"\n"
        "until = \"2s\"\n" +
        line + "\n[[scheduler]]\nuse = \"organic-grid\"\n";
    try {
      static_cast<void>(scenarios::parse_scenario(text, "test.toml"));
      return "";
    } catch (const scenarios::InputError& error) {
      return error.what();
    }
  };
  CHECK(refused("peers = \"3,4\"").empty());
  CHECK(refused("peers = \"3,10\"").find("there is no peer 10") != std::string::npos);
  CHECK(refused("peers = \"all\"").find("numbers and ranges") != std::string::npos);
  CHECK(refused("peers = \"3\"\nshare = 0.5").find("no effect") != std::string::npos);
}

}  // namespace rhizome::steering_test
