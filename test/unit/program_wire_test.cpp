// The messages of a user's program over the wire, and the messages to it.
#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "agents/program/task_here.hpp"
#include "agents/program/wire.hpp"

namespace rhizome::agents::program_wire_test {

using namespace program;
using core::MessageClass, core::PeerId;
using namespace std::chrono_literals;

namespace {

template <class S>
S said(std::string_view line) {
  const Said said = read_line(line, PeerId{1}, 4);
  REQUIRE(std::holds_alternative<S>(said));
  return std::get<S>(said);
}

std::string refusal_of(std::string_view line) {
  try {
    static_cast<void>(read_line(line, PeerId{1}, 4));
  } catch (const WireError& error) {
    return error.what();
  }
  return "";
}

std::string to_env(const std::string& body) {
  return R"({"src":"n1","dest":"env","body":)" + body + "}";
}

}  // namespace

TEST_CASE("a message names its class, its cause and the tasks that go along") {
  const auto sent = said<SendBody>(
      R"({"src":"n1","dest":"n3","body":{"type":"x","class":"job","cause":"recovery","tasks":["2.0","2.7"]}})");
  CHECK(sent.to == PeerId{3});
  CHECK(sent.message_class == MessageClass::job);
  CHECK(sent.cause == core::Cause::recovery);
  CHECK(sent.tasks == std::vector<TaskId>{{2, 0}, {2, 7}});
  CHECK(is_body(sent.body));
}
TEST_CASE("a message that says no class is information, and moves no task") {
  const auto sent = said<SendBody>(R"({"src":"n1","dest":"n0","body":{"type":"x","task":"0.0"}})");
  CHECK(sent.message_class == MessageClass::information);
  CHECK(sent.tasks.empty());
}
TEST_CASE("a timer is set in seconds") {
  const auto timer = said<ArmTimer>(to_env(R"({"type":"timer","name":"t","after":0.25})"));
  CHECK(timer.after == 250ms);
  CHECK(timer.name == "t");
}
TEST_CASE("work is a task, or of the program's own, and may be stopped") {
  CHECK(said<BeginTask>(to_env(R"({"type":"work","id":"w","task":"1.2"})")).task == TaskId{1, 2});
  const auto own = said<BeginOwnWork>(to_env(R"({"type":"work","id":"w","duration":0.5})"));
  CHECK(own.id == "w");
  CHECK(own.duration == 500ms);
  CHECK(said<StopWorkNamed>(to_env(R"({"type":"stop","id":"w"})")).id == "w");
  CHECK(refusal_of(to_env(R"({"type":"work","id":"w","task":"1.2","duration":1})"))
            .find("not both") != std::string::npos);
  CHECK(refusal_of(to_env(R"({"type":"work","id":"w"})")).find("missing") != std::string::npos);
  CHECK(work_done_line(PeerId{1}, "w", {}) ==
        "{\"body\":{\"id\":\"w\",\"type\":\"work_done\"},\"dest\":\"n1\",\"src\":\"env\"}\n");
}
TEST_CASE("a fact has a word and fields") {
  const auto fact = said<NoteFact>(to_env(R"({"type":"note","name":"load","fields":{"queue":3}})"));
  CHECK(fact.name == "load");
  CHECK(fact.fields == R"({"queue":3})");
  CHECK(said<NoteFact>(to_env(R"({"type":"note","name":"load"})")).fields == "{}");
  CHECK(refusal_of(to_env(R"({"type":"note","name":"a b"})")).find("unlike 'a b'") !=
        std::string::npos);
  CHECK(refusal_of(to_env(R"({"type":"note","name":"a","fields":[1]})")).find("object") !=
        std::string::npos);
  CHECK(refusal_of(to_env(R"({"type":"note","name":"a","fields":{"x":")" + std::string(3000, 'y') +
                          R"("}})"))
            .find("2,000") != std::string::npos);
}
TEST_CASE("a program may be idle until a time") {
  CHECK(said<Idle>(to_env(R"({"type":"idle","until":1.5})")).until == core::Time{} + 1500ms);
  CHECK_FALSE(said<Idle>(to_env(R"({"type":"idle"})")).until);
}
TEST_CASE("idle is understood however it is written, and of no other peer") {
  static_cast<void>(said<Idle>(to_env(R"({"type":"idle"})")));
  static_cast<void>(said<Idle>(R"({"dest": "env", "src": "n1", "body": {"type": "idle"}})"));
  CHECK(refusal_of(R"({"src":"n2","dest":"env","body":{"type":"idle"}})") ==
        "it speaks for 'n2' and is n1");
}
TEST_CASE("the time is told in seconds, as a number of JSON") {
  CHECK(time_line(PeerId{1}, core::Time{} + 1500ms) ==
        "{\"src\":\"env\",\"dest\":\"n1\",\"body\":{\"type\":\"time\",\"now\":1.5}}\n");
  CHECK(is_body(R"({"now":1e-09})"));
}
TEST_CASE("clients and stores are told from peers by their names") {
  CHECK(said<AnswerClient>(R"({"src":"n1","dest":"c3","body":{"type":"x_ok"}})").body ==
        R"({"type":"x_ok"})");
  CHECK(said<RequestStore>(R"({"src":"n1","dest":"seq-kv","body":{"type":"read"}})").store ==
        "seq-kv");
  const auto relayed = said<RelayQuestion>(R"({"src":"c3","dest":"n2","body":{"type":"read"}})");
  CHECK(relayed.client == PeerId{3});
  CHECK(relayed.to == PeerId{2});
  CHECK(client_line(PeerId{2}, PeerId{2}, "{}") ==
        "{\"src\":\"c2\",\"dest\":\"n2\",\"body\":{}}\n");
}
TEST_CASE("a document nested too deep is refused, and brackets within texts do not count") {
  const std::string deep(200, '[');
  CHECK(refusal_of(R"({"src":"n1","dest":"n0","body":{"a":)" + deep).find("nests more than 100") !=
        std::string::npos);
  static_cast<void>(said<SendBody>(R"({"src":"n1","dest":"n0","body":{"a":"\")" + deep + R"("}})"));
  CHECK_FALSE(is_body(R"({"a":)" + deep + std::string(200, ']') + "}"));
}
TEST_CASE("a program works in lock-step if it answers init so") {
  CHECK(said<Ready>(to_env(R"({"type":"init_ok","in_reply_to":1,"rhizome":1})")).lock_step);
  CHECK_FALSE(said<Ready>(to_env(R"({"type":"init_ok","in_reply_to":1})")).lock_step);
}
TEST_CASE("a result names its executor, or means the peer that brought it") {
  CHECK(said<FinishTask>(to_env(R"({"type":"finished","task":"1.2","executor":"n2"})")).executor ==
        PeerId{2});
  CHECK_FALSE(said<FinishTask>(to_env(R"({"type":"finished","task":"1.2"})")).executor);
}
TEST_CASE("a line with an impossible effect is refused with the reason") {
  CHECK(refusal_of("hello") ==
        "this is no JSON object: 'hello'; what is no message belongs on standard error");
  CHECK(refusal_of(R"({"src":"n2","dest":"n0","body":{}})") == "it speaks for 'n2' and is n1");
  CHECK(refusal_of(R"({"src":"c2","dest":"env","body":{}})") == "it speaks for 'c2' and is n1");
  CHECK(refusal_of(R"({"src":"c4","dest":"n0","body":{}})") == "it speaks for 'c4' and is n1");
  CHECK(refusal_of(R"({"src":"n1","dest":"n4","body":{}})") == "there is no peer 'n4'");
  CHECK(refusal_of(R"({"src":"n1","dest":"n01x","body":{}})") == "there is no peer 'n01x'");
  CHECK(refusal_of(R"({"src":"n1","dest":"n0"})").starts_with("the object \"body\" is missing"));
  CHECK(refusal_of(to_env(R"({"type":"timer","name":"t","after":-1})")).find("at least 0") !=
        std::string::npos);
  CHECK(refusal_of(to_env(R"({"type":"timer","name":"t","after":1e300})")).find("at least 0") !=
        std::string::npos);
  CHECK(
      refusal_of(to_env(R"({"type":"work","id":"w","task":"1"})")).starts_with("a task is named"));
  CHECK(refusal_of(to_env(R"({"type":"dance"})")).find("'dance'") != std::string::npos);
  CHECK(refusal_of(R"({"src":"n1","dest":"n0","body":{"class":"song"}})").find("is no class") !=
        std::string::npos);
}
TEST_CASE("quoted text of a program is short and harms no terminal") {
  CHECK(in_quotes("a\x1b[2Jb") == "'a?[2Jb'");
  CHECK(in_quotes(std::string(1000, 'x')).size() < 210);
}
TEST_CASE("a peer's message reaches a program as it was said") {
  CHECK(message_line(PeerId{2}, PeerId{0}, R"({"type":"x"})") ==
        "{\"src\":\"n2\",\"dest\":\"n0\",\"body\":{\"type\":\"x\"}}\n");
  CHECK_FALSE(is_body("[1]"));
  CHECK_FALSE(is_body("{}\n{}"));
}

TEST_CASE("a task that a program hands out again is handed out again, unless it had come back") {
  struct Noting {
    std::vector<agents::TaskReissued> again{};
    [[nodiscard]] static core::PeerId self() { return {0}; }
    void note(const agents::TaskReissued& fact) { again.push_back(fact); }
    void note(const agents::TaskHanded&) {}
  };
  Noting env;
  agents::program::TaskHere here{agents::Task{.id = {2, 13}}};
  here.hand(env, {4});
  CHECK(env.again.empty());
  here.hand(env, {5});
  REQUIRE(env.again.size() == 1);
  CHECK(env.again.front().task == agents::TaskId{2, 13});
  CHECK(env.again.front().holder == core::PeerId{4});
  here = agents::program::TaskHere{here.task};  // it comes back
  here.hand(env, {6});
  CHECK(env.again.size() == 1);
}

}  // namespace rhizome::agents::program_wire_test
