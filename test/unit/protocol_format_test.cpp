// [[protocol]] and [client] of a scenario: their meaning, and settings that exclude them.
#include <doctest/doctest.h>

#include <any>
#include <cstdint>
#include <string>

#include "agents/program/options.hpp"
#include "scenarios/format/effective.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/format/schema.hpp"
#include "scenarios/format/swept.hpp"
#include "scenarios/format/unsaid.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/json.hpp"
#include "test/support/refusal.hpp"

namespace rhizome::protocol_format_test {

using agents::program::Clients;
using scenarios::Overrides;
using scenarios::parse_scenario;
using scenarios::Scenario;
using test::whole::refusal;

namespace {

const std::string protocol = "[[protocol]]\ncommand = \"cat\"\n";
const std::string client = "[client]\nworkload = \"broadcast\"\n";
const std::string whole = protocol + client;

Scenario parsed(const std::string& text, const Overrides& overrides = {}) {
  return parse_scenario(text, "s.toml", overrides).front().scenario;
}

const agents::program::Options& options_of(const Scenario& scenario, std::size_t index = 0) {
  const auto* options =
      std::any_cast<agents::program::Options>(&scenario.schedulers.at(index).options);
  REQUIRE(options != nullptr);
  return *options;
}

core::SettingValue option_of(const Scenario& scenario, const std::string& name) {
  scenarios::SchedulerChoice choice = scenario.schedulers.front();
  for (const core::Setting& setting : choice.scheduler->settings)
    if (setting.name == name) return setting.read(choice.scheduler->address(choice.options));
  return false;
}

}  // namespace

TEST_CASE("a protocol is a program that clients ask as [client] says") {
  const Scenario scenario =
      parsed(protocol + client +
             "rate = 20\narrivals = \"exponential\"\noperations = 30\noperation_time = \"2ms\"\n"
             "timeout = \"3s\"\nsettle = \"4s\"\n");
  REQUIRE(scenario.schedulers.size() == 1);
  CHECK(scenario.schedulers.front().scheduler->name == "program");
  CHECK(scenario.schedulers.front().label == "protocol");
  CHECK(options_of(scenario).command == "cat");
  REQUIRE(options_of(scenario).client);
  CHECK(options_of(scenario).client->workload == Clients::broadcast);
  CHECK(options_of(scenario).client->timeout == std::chrono::seconds(3));
  CHECK(options_of(scenario).client->settle == std::chrono::seconds(4));
  CHECK(scenario.workload.jobs == 30);
  CHECK(scenario.workload.portions == 1);
  CHECK(scenario.workload.portion_time == std::chrono::milliseconds(2));
  CHECK(scenario.workload.spacing == std::chrono::milliseconds(50));
  CHECK(scenario.workload.arrivals == scenarios::ArrivalKind::exponential);
}

TEST_CASE("a scheduler that is a program has no clients") {
  const Scenario scenario = parsed("[[scheduler]]\nuse = \"program\"\ncommand = \"cat\"\n");
  CHECK_FALSE(options_of(scenario).client);
  CHECK(scenario.workload.portions == 18);
}

TEST_CASE("protocols are compared, selected, set and swept by their labels") {
  const std::string two =
      "claims = [\"a.makespan < protocol.makespan\"]\n" + protocol + "label = \"a\"\n" + whole;
  CHECK(parsed(two).schedulers.size() == 2);
  const Scenario one = parsed(two, {.schedulers = {"a"}});
  REQUIRE(one.schedulers.size() == 1);
  CHECK(one.schedulers.front().label == "a");
  CHECK(one.claims_left_out.size() == 1);
  CHECK(parsed(two, {.schedulers = {"protocol"}}).schedulers.front().label == "protocol");
  const Scenario set =
      parsed(two, {.command_line = {"protocol.a.peers_per_process=2",
                                    "protocol.protocol.peers_per_process=3", "client.rate=7"}});
  CHECK(options_of(set, 0).peers_per_process == 2);
  CHECK(options_of(set, 1).peers_per_process == 3);
  CHECK(set.client.rate == 7);
  const auto cells = parse_scenario(two + "[peers]\ncount = 5\n", "s.toml",
                                    {.command_line = {"protocol.a.peers_per_process=[1, 2]"}});
  REQUIRE(cells.size() == 2);
  CHECK(cells.back().assignments.front().first == "protocol.a.peers_per_process");
  CHECK(scenarios::choices_for(cells.back(), "a").size() == 1);
  CHECK(scenarios::choices_for(cells.back(), "protocol").empty());
}

TEST_CASE("labels of protocols are unique, and unknown ones refused with the known ones") {
  CHECK(refusal(protocol + whole) ==
        "s.toml:4:1: two protocols have the label \"protocol\": give one another \"label\"");
  CHECK(refusal(whole, {.command_line = {"protocol.b.survives=true"}})
            .find("no protocol of this scenario is called \"b\"; it is one of protocol") !=
        std::string::npos);
  CHECK(refusal(whole, {.command_line = {"protocol.survives=true"}})
            .find("as in protocol.protocol.survives") != std::string::npos);
  CHECK(refusal(whole, {.command_line = {"scheduler.survives=true"}}) ==
        "--set scheduler.survives=true: this scenario has no [[scheduler]]");
  CHECK(refusal("[[scheduler]]\nuse = \"round-robin\"\n", {.command_line = {"protocol.log=x"}}) ==
        "--set protocol.log=x: this scenario has no [[protocol]]");
  CHECK(refusal("claims = [\"b.makespan < 1\"]\n" + whole).find("which is no protocol of this") !=
        std::string::npos);
}

TEST_CASE("a protocol needs clients, and clients a protocol") {
  CHECK(refusal(protocol) ==
        "s.toml:2:1: [[protocol]] needs clients: say in [client] what they ask, with the key "
        "\"workload\": echo, unique-ids, broadcast, g-counter, lin-kv or peer-sampling");
  CHECK(refusal(protocol + "[client]\nrate = 1\n").starts_with("s.toml:2:1: [[protocol]] needs"));
  CHECK(refusal("[[scheduler]]\nuse = \"round-robin\"\n" + client) ==
        "s.toml:4:1: \"workload\" has no effect without [[protocol]]: clients ask programs that "
        "stand in [[protocol]]");
}

TEST_CASE("jobs and schedulers are refused beside protocols, at their place") {
  CHECK(refusal("[workload]\njobs = 3\njitter = 0.1\n" + whole) ==
        "s.toml:2:1: \"jobs\" has no effect beside [[protocol]]: [client] says what clients ask, "
        "with the key \"operations\"\ns.toml:3:1: \"jitter\" has no effect beside [[protocol]]: "
        "[client] says what clients ask");
  CHECK(refusal("[[files.input]]\nsize = 3\n" + whole)
            .starts_with("s.toml:2:1: \"size\" has no effect beside [[protocol]]"));
  CHECK(refusal(whole, {.command_line = {"workload.spacing=1s"}}).find("with the key \"rate\"") !=
        std::string::npos);
  CHECK(refusal("[[scheduler]]\nuse = \"round-robin\"\n" + whole) ==
        "s.toml:1:1: [[scheduler]] cannot stand beside [[protocol]]: clients ask protocols, and a "
        "scheduler gets jobs");
}

TEST_CASE("the former keys of clients are refused with their replacements") {
  const std::string scheduler = "[[scheduler]]\nuse = \"program\"\ncommand = \"cat\"\n";
  CHECK(refusal(scheduler + "clients = \"echo\"\nclient_timeout = \"1s\"\n") ==
        "s.toml:4:1: \"clients\" is no option of a program: write [[protocol]] in place of "
        "[[scheduler]], and say \"workload\" in [client]\ns.toml:5:1: \"client_timeout\" is no "
        "option of a program: write [[protocol]] in place of [[scheduler]], and say \"timeout\" in "
        "[client]");
  CHECK(refusal(protocol + "settle = \"1s\"\n" + client) ==
        "s.toml:3:1: \"settle\" is no option of a program: say \"settle\" in [client]");
  CHECK(refusal("[[scheduler]]\nuse = \"round-robin\"\nclients = \"echo\"\n")
            .starts_with("s.toml:3:1: the scheduler \"round-robin\" has no option \"clients\""));
}

TEST_CASE("misspelt keys and tables of protocols are told with the name that was meant") {
  CHECK(refusal("[[protocol]]\ncomand = \"cat\"\n" + client)
            .starts_with(
                "s.toml:2:1: [[protocol]] has no key \"comand\"; did you mean \"command\"?"));
  CHECK(refusal(protocol + "[client]\nworklod = \"echo\"\n") ==
        "s.toml:4:1: there is no key \"worklod\" in [client]; did you mean \"workload\"?");
  CHECK(refusal(protocol + "[client]\nworkload = \"ecco\"\n") ==
        "s.toml:4:1: \"workload\" cannot be \"ecco\"; did you mean \"echo\"?");
  CHECK(refusal("[[protocl]]\ncommand = \"cat\"\n" + client) ==
        "s.toml:1:1: there is no table [protocl]; did you mean [[protocol]]?");
  CHECK(refusal("[protocol]\ncommand = \"cat\"\n" + client) ==
        "s.toml:2:1: protocols are a list: write [[protocol]]");
  CHECK(refusal("[[client]]\nworkload = \"echo\"\n" + protocol) ==
        "s.toml:2:1: [[client]] stands once: write [client]");
}

TEST_CASE("a built-in overlay is one more protocol, under its name, with options of its own") {
  const std::string sampling = "[client]\nworkload = \"peer-sampling\"\n";
  const std::string overlay = "[[protocol]]\nuse = \"cyclon\"\nview_size = 7\n";
  const Scenario scenario = parsed(overlay + protocol + sampling);
  REQUIRE(scenario.schedulers.size() == 2);
  CHECK(scenario.schedulers.front().label == "cyclon");
  CHECK(option_of(scenario, "view_size") == core::SettingValue(std::int64_t{7}));
  const std::string text = scenarios::effective_toml(scenario);
  CHECK(text.find("[[protocol]]\nuse = \"cyclon\"\nlabel = \"cyclon\"\nview_size = 7\n") !=
        std::string::npos);
  CHECK(scenarios::effective_toml(parsed(text)) == text);
  CHECK(parsed(overlay + protocol + sampling, {.schedulers = {"cyclon"}}).schedulers.size() == 1);
  CHECK(option_of(parsed(overlay + sampling, {.command_line = {"protocol.cyclon.view_size=9"}}),
                  "view_size") == core::SettingValue(std::int64_t{9}));
  CHECK(option_of(parsed("[[protocol]]\nuse = \"t-man\"\n" + sampling), "topology") ==
        core::SettingValue(std::string("ring")));
}

TEST_CASE("a built-in overlay takes no command, and serves no workload but views") {
  const std::string overlay = "[[protocol]]\nuse = \"cyclon\"\n";
  CHECK(refusal(overlay + client) ==
        "s.toml:4:1: the built-in overlay \"cyclon\" serves \"peer-sampling\" only; other "
        "workloads need programs");
  CHECK(refusal(overlay + "command = \"cat\"\n[client]\nworkload = \"peer-sampling\"\n")
            .starts_with("s.toml:3:1: the protocol \"cyclon\" has no option \"command\""));
  CHECK(refusal("[[protocol]]\nuse = \"cyclone\"\n" + client)
            .starts_with("s.toml:2:1: there is no protocol \"cyclone\"; did you mean \"cyclon\"?"));
  CHECK(refusal("[[protocol]]\nuse = \"round-robin\"\n" + client)
            .starts_with("s.toml:2:1: there is no protocol \"round-robin\""));
}

TEST_CASE("the effective scenario of protocols tells the requests of clients, and reads back") {
  const std::string text = scenarios::effective_toml(parsed(whole + "rate = 20\n"));
  CHECK(text.find("[[protocol]]\nlabel = \"protocol\"\n") != std::string::npos);
  CHECK(text.find("[client]\nworkload = \"broadcast\"\nrate = 20.0\n") != std::string::npos);
  CHECK(text.find("# follows the workload: settle = \"10s\"") != std::string::npos);
  CHECK(text.find("[workload]") == std::string::npos);
  CHECK(text.find("[files]") == std::string::npos);
  CHECK(scenarios::effective_toml(parsed(text)) == text);
  CHECK(scenarios::effective_toml(parsed("[[scheduler]]\nuse = \"round-robin\"\n"))
            .find("[client]") == std::string::npos);
}

TEST_CASE("times of clients that are not said follow the network, and others do not") {
  agents::World world;
  world.longest_delay = std::chrono::seconds(10);
  const Scenario unsaid = scenarios::complete(
      parsed("engine.kind = \"threads\"\n" + whole + "timeout = \"3s\"\n"), world);
  CHECK(options_of(unsaid).client->timeout == std::chrono::seconds(3));
  CHECK(options_of(unsaid).client->settle > std::chrono::seconds(10));
  CHECK(unsaid.client.settle == options_of(unsaid).client->settle);
}

TEST_CASE("the schema takes schedulers, or protocols with clients") {
  const auto schema = scenarios::parse_json(scenarios::scenario_schema());
  REQUIRE(schema);
  const auto& items = schema->at("properties").at("protocol").at("items").at("oneOf");
  REQUIRE(items.size() == 3);
  CHECK(items.at(0).at("properties").contains("peers_per_process"));
  CHECK(items.at(0).at("required").at(0) == "command");
  CHECK(items.at(1).at("properties").at("use").at("const") == "cyclon");
  CHECK_FALSE(items.at(1).at("properties").contains("cycles"));
  CHECK(schema->at("properties").at("client").at("properties").contains("operations"));
  CHECK(schema->at("oneOf").size() == 2);
}

}  // namespace rhizome::protocol_format_test
