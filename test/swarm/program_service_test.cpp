// Services kept by programs in several languages, with clients that judge the answers.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "agents/program/facts.hpp"
#include "agents/work/command_line.hpp"
#include "core/child/own_program.hpp"
#include "test/support/experiments.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::program_service_test {

namespace {

// Which stands beside the executables of the tests.
std::string quick_peer() {
  const std::filesystem::path warden(core::warden_program());
  return (warden.parent_path() / "rhizome_quick_peer").string();
}

struct Service {
  std::string command;
  std::string workload;
  std::string client{};  // more lines of [client]
  std::string more{};    // lines of [[protocol]]
};

// `network` and `faults` are lines of those sections.
scenarios::Outcome run(const Service& service, const std::string& network = "",
                       const std::string& faults = "") {
  return test::run_scenario(
      R"(
peers.count = 5
graph.kind = "complete"
engine.kind = "virtual"
[network]
latency = "uniform"
delay_max = "10ms"
)" + network +
      "[faults]\n" + faults + "[[protocol]]\ndirectory = \"" + test::shipped("scenarios/programs") +
      "\"\ncommand = '''" + service.command + "'''\n" + service.more +
      "[client]\noperations = 120\nworkload = \"" + service.workload + "\"\n" + service.client);
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

void check_right(const Service& service, const std::string& network = "") {
  CAPTURE(service.command);
  const auto outcome = run(service, network);
  test::check_sound(outcome);
  CHECK(outcome.failure == "");
  CHECK(test::metric(outcome, "completed") == 120);
}

}  // namespace

TEST_CASE("services in Python, shell and C++ answer their clients rightly") {
  check_right({"sh echo.sh", "echo"});
  check_right({quick_peer(), "unique-ids"});
  check_right({"python3 gossip.py", "broadcast"});
  check_right({"python3 g_counter.py", "g-counter"});
}
TEST_CASE("services in Perl answer their clients rightly") {
  if (std::system("perl -MJSON::PP -e1 2>/dev/null") != 0) {
    MESSAGE("skipped: there is no perl with JSON::PP");
    return;
  }
  check_right({"perl unique_ids.pl", "unique-ids"});
}
TEST_CASE("services in JavaScript answer their clients rightly") {
  if (!agents::program_place("node", ".")) {
    MESSAGE("skipped: there is no node");
    return;
  }
  check_right({"node lin_kv.js", "lin-kv"});
  check_right({"node lin_kv.js", "lin-kv", "", "peers_per_process = 5\n"});
}
TEST_CASE("a question may be passed on, and answered by another peer than was asked") {
  check_right({"python3 " + test::shipped("test/support/programs") + "/relay.py", "echo"});
}
TEST_CASE("gossip reaches all although messages are lost") {
  check_right({"python3 gossip.py", "broadcast", "settle = \"30s\""}, "loss = 0.2\n");
}
TEST_CASE(
    "a service that forgets what it has acknowledged is reported, with the peer and the message") {
  const auto outcome = run({"python3 gossip.py", "broadcast", "settle = \"0s\""});
  CHECK(contains(outcome.failure, "was acknowledged, and n"));
}
TEST_CASE("a service that answers wrongly is told, with the peer and the answer") {
  CHECK(contains(run({quick_peer(), "echo"}).failure, "operations has succeeded"));
  CHECK(contains(run({"sh echo.sh", "broadcast"}).failure, "has not answered"));
}
TEST_CASE("a service goes on when peers crash and begin anew, each with a new process") {
  const std::string struck = R"(
crash_share = 0.8
crash_from = "200ms"
crash_until = "600ms"
restart_after = "200ms"
)";
  const auto survivor = run({"sh echo.sh", "echo", "", "survives = true\n"}, "", struck);
  test::check_sound(survivor);
  CHECK(survivor.failure == "");
  CHECK(test::metric(survivor, "completed") == 120);
  std::uint32_t restarts = 0;
  for (const auto& peer : survivor.peers) restarts += peer.restarts;
  CHECK(restarts > 1);
  const auto forgetful = run({quick_peer(), "unique-ids", "", "survives = true\n"}, "", struck);
  CHECK(contains(forgetful.failure, "was given out twice"));
}
TEST_CASE("a later life is told its number and the time, and has random numbers of its own") {
  const auto outcome = run({"python3 " + test::shipped("test/support/programs") + "/lives.py",
                            "echo", "", "survives = true\n"},
                           "",
                           "crash_share = 0.8\ncrash_from = \"200ms\"\n"
                           "crash_until = \"600ms\"\nrestart_after = \"200ms\"\n");
  CHECK(outcome.failure == "");
  std::set<std::string> numbers;
  std::size_t later = 0;
  const auto& noted = outcome.facts.of<agents::program::ProgramNoted>();
  for (const auto& each : noted) {
    const std::size_t drawn = each.fact.fields.find("\"drawn\":");
    REQUIRE(drawn != std::string::npos);
    numbers.insert(
        each.fact.fields.substr(drawn, each.fact.fields.find_first_of(",}", drawn) - drawn));
    const bool anew = !contains(each.fact.fields, "\"life\":0");
    later += anew ? 1 : 0;
    CHECK(anew == contains(each.fact.fields, "\"late\":true"));
  }
  CHECK(later > 1);
  CHECK(numbers.size() == noted.size());  // none is drawn twice
}
TEST_CASE("the same seed gives the same history of a service") {
  const auto first = run({"python3 gossip.py", "broadcast"});
  const auto again = run({"python3 gossip.py", "broadcast"});
  CHECK(first.failure == "");
  CHECK(again.failure == "");
  REQUIRE(first.facts.size() > 0);
  CHECK(first.facts == again.facts);
  CHECK(first.peers == again.peers);
}
TEST_CASE("a program that never says \"idle\" is refused unless silence is said to do") {
  const std::string program =
      "python3 -uc \"import json\nwhile True:\n  m = json.loads(input())\n  b = m['body']\n"
      "  print(json.dumps({'src': m['dest'], 'dest': m['src'], 'body': {'type': b['type'] + "
      "'_ok', 'in_reply_to': b['msg_id'], 'echo': b.get('echo')}}))\"";
  CHECK(contains(run({program, "echo"}).failure, "it does not say \"idle\""));
  const auto outcome = run({program, "echo", "timeout = \"60s\"", "quiet_for = \"2ms\"\n"});
  CHECK(outcome.failure == "");
}
TEST_CASE("a program that knows Maelstrom's messages alone gets no other, not even at the end") {
  const std::string program =
      "python3 -uc \"import json\nwhile True:\n  m = json.loads(input())\n  b = m['body']\n"
      "  print(json.dumps({'src': m['dest'], 'dest': m['src'], 'body': {'type': b['type'] + "
      "'_ok', 'in_reply_to': b['msg_id'], 'echo': b.get('echo')}}) if 'msg_id' in b else "
      "'unknown: ' + b['type'])\"";
  const auto outcome = test::run_scenario(
      "peers.count = 2\nengine.kind = \"virtual\"\n[[protocol]]\nquiet_for = \"200ms\"\n"
      "command = '''" +
      program + "'''\n[client]\nworkload = \"echo\"\noperations = 2\ntimeout = \"60s\"\n");
  CHECK(outcome.failure == "");
  CHECK(test::metric(outcome, "completed") == 2);
}

}  // namespace rhizome::program_service_test
