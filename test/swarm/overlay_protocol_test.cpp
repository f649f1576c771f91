// Overlays as protocols, built in and written by users: clients ask peers for their views, and the
// views that peers have at the end are measured.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "agents/overlay_facts.hpp"
#include "test/support/experiments.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::overlay_protocol_test {

namespace {

const std::string clients = R"(
[client]
workload = "peer-sampling"
operations = 250
rate = 10
)";

// `more`: lines before the first table.
std::string scenario(const std::string& protocol, const std::string& more) {
  return more + "engine.kind = \"virtual\"\n[[protocol]]\n" + protocol + clients;
}
std::string in_python(const std::string& command) {
  return "command = '''" + command + "'''\ndirectory = \"" + test::shipped("scenarios/programs") +
         "\"\n";
}
const std::string built_in = "use = \"cyclon\"\n";
const std::string program = in_python("python3 cyclon.py") + "peers_per_process = 100\n";
const std::string world = "peers.count = 100\ngraph = { kind = \"k-out\", out_degree = 10 }\n";

// Of a program that answers every question with that body, "view_ok" aside.
std::string failure_with(const std::string& body) {
  const std::string peer =
      "python3 -c \"from rhizome_peer import Peer, run\nclass Wrong(Peer):\n"
      "  def on_message(self, sender, body):\n"
      "    if sender[0] == 'c': self.reply(sender, body, " +
      body + ")\nrun(Wrong)\"";
  return test::run_scenario(scenario(in_python(peer), "peers.count = 3\n"), 0, 0,
                            {.command_line = {"client.operations=10"}})
      .failure;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("Cyclon in Python makes overlays like those of the built-in one, for as many messages") {
  constexpr std::array<std::pair<const char*, double>, 4> margins{{{"in_degree_deviation", 0.2},
                                                                   {"clustering", 0.1},
                                                                   {"mean_path", 0.02},
                                                                   {"information_messages", 0.02}}};
  std::map<std::string_view, double> of_one;
  std::map<std::string_view, double> of_other;
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    const auto one = test::run_scenario(scenario(built_in, world), seed);
    const auto other = test::run_scenario(scenario(program, world), seed);
    test::check_sound(one);
    test::check_sound(other);
    for (const auto& [name, margin] : margins) {
      of_one[name] += test::metric(one, name);
      of_other[name] += test::metric(other, name);
    }
  }
  for (const auto& [name, margin] : margins)
    CHECK_MESSAGE(std::abs(of_other[name] / of_one[name] - 1) < margin, name);
}
TEST_CASE("T-Man as a protocol is measured by the ring that it builds") {
  const auto outcome = test::run_scenario(
      scenario("use = \"t-man\"\nsimilar_size = 4\nsimilar_best = 4\n", "peers.count = 60\n"));
  test::check_sound(outcome);
  std::map<std::uint32_t, std::uint32_t> near;  // by peer: links to the next on either side
  for (const auto& noted : outcome.facts.of<agents::LinkHeld>()) {
    const std::uint32_t apart = (noted.fact.known.value + 60 - noted.peer.value) % 60;
    near[noted.peer.value] += apart == 1 || apart == 59 ? 1 : 0;
  }
  REQUIRE(near.size() == 60);
  for (const auto& [peer, links] : near) CHECK_MESSAGE(links == 2, peer);
}
TEST_CASE("the living half of an overlay is measured, and has forgotten the dead half") {
  const auto outcome = test::run_scenario(scenario(built_in, world) +
                                          "[[faults.mass]]\nat = \"10s\"\nshare = 0.5\n");
  CHECK(outcome.failure == "");
  CHECK(test::metric(outcome, "largest_part") == 50);
  CHECK(test::metric(outcome, "dead_links") == 0);
}
TEST_CASE("views that cannot be are told, with the peer and the reason") {
  CHECK(
      contains(failure_with("'view_ok', peers=['n7']"), "its view has '\"n7\"', which is no peer"));
  CHECK(contains(failure_with("'view_ok', peers=['n1', 'n1']"), "its view has n1 twice"));
  CHECK(contains(failure_with("'view_ok', peers=[self.id]"), "its view has itself"));
  CHECK(contains(failure_with("'view_ok', peers=7"), "is not of the type \"view_ok\" with a list"));
  CHECK(contains(failure_with("'ok', peers=[]"), "is not of the type \"view_ok\" with a list"));
  CHECK(failure_with("'view_ok', peers=[]") == "");
}
TEST_CASE("a peer that does not say its view at the end is told") {
  const std::string silent =
      "python3 -c \"from rhizome_peer import Peer, run\nclass Silent(Peer):\n"
      "  def on_message(self, sender, body):\n"
      "    if body['msg_id'] < 1000: self.reply(sender, body, 'view_ok', peers=[])\nrun(Silent)\"";
  CHECK(contains(test::run_scenario(scenario(in_python(silent), "peers.count = 3\n")).failure,
                 "has not said at the end what its view is"));
}

}  // namespace rhizome::overlay_protocol_test
