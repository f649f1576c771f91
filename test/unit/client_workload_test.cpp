// The judgement of a service's answers, and the stores that its programs may use.
#include <doctest/doctest.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "agents/program/client_workload.hpp"
#include "agents/program/linearizable.hpp"
#include "agents/program/stores.hpp"
#include "agents/program/wire.hpp"

namespace rhizome::agents::client_workload_test {

using namespace program;
using core::PeerId, core::Rng, core::Time;

namespace {

using Kind = RegisterCall::Kind;

Time at(int seconds) { return Time{} + std::chrono::seconds(seconds); }

RegisterCall write(std::int64_t value, int from, int to) {
  return {.kind = Kind::write, .value = value, .called = at(from), .returned = at(to)};
}
RegisterCall read(std::optional<std::int64_t> value, int from, int to) {
  return {.kind = Kind::read, .value = value, .called = at(from), .returned = at(to)};
}
RegisterCall swap(std::int64_t expected, std::int64_t value, int from, int to) {
  return {.kind = Kind::swap,
          .value = value,
          .expected = expected,
          .called = at(from),
          .returned = at(to)};
}
RegisterCall unknown(RegisterCall call) {
  call.unknown = true;
  return call;
}

// Some legal history: operations take effect in the middle of their time, several at once.
std::vector<RegisterCall> legal_history(std::size_t operations, std::uint64_t seed) {
  Rng rng = Rng::derive({seed}, "history");
  std::vector<RegisterCall> calls;
  std::optional<std::int64_t> value;
  for (std::size_t i = 0; i < operations; ++i) {
    const int middle = static_cast<int>(i) * 10;
    const int before = static_cast<int>(rng.below(40));
    const int after = static_cast<int>(rng.below(40));
    RegisterCall call = read(value, middle - before, middle + after);
    if (rng.chance(0.5)) {
      value = static_cast<std::int64_t>(rng.below(5));
      call = write(*value, middle - before, middle + after);
    } else if (value && rng.chance(0.3)) {
      const auto next = static_cast<std::int64_t>(rng.below(5));
      call = swap(*value, next, middle - before, middle + after);
      value = next;
    }
    calls.push_back(call);
  }
  return calls;
}

// The verdict on answers that are numbered by their questions, one after the other.
std::string first_question(ClientWorkload& workload, std::uint32_t number) {
  Rng rng = Rng::derive({number}, "question");
  return workload.question(number, rng);
}

}  // namespace

TEST_CASE("a read that begins after a write has returned sees it, or a later one") {
  CHECK(*is_linearizable({write(1, 0, 1), read(1, 2, 3)}));
  CHECK_FALSE(*is_linearizable({write(1, 0, 1), write(2, 2, 3), read(1, 4, 5)}));
  CHECK(*is_linearizable({write(1, 0, 1), write(2, 2, 5), read(1, 3, 4)}));
  CHECK_FALSE(*is_linearizable({write(1, 0, 1), read({}, 2, 3)}));
  CHECK(*is_linearizable({write(1, 0, 3), read({}, 1, 2)}));
  CHECK(*is_linearizable({}));
}
TEST_CASE("two reads at different times cannot see two writes in opposite orders") {
  CHECK_FALSE(*is_linearizable(
      {write(1, 0, 10), write(2, 0, 10), read(1, 1, 2), read(2, 3, 4), read(1, 5, 6)}));
  CHECK(*is_linearizable({write(1, 0, 10), write(2, 0, 10), read(1, 1, 2), read(2, 3, 4)}));
}
TEST_CASE("a swap takes effect only where the value is as expected") {
  CHECK(*is_linearizable({write(1, 0, 1), swap(1, 3, 2, 3), read(3, 4, 5)}));
  CHECK_FALSE(*is_linearizable({write(1, 0, 1), swap(2, 3, 2, 3)}));
}
TEST_CASE("an operation of which nothing is known may have taken effect, now or later, or never") {
  CHECK(*is_linearizable({write(1, 0, 1), unknown(write(2, 2, 2)), read(1, 3, 4), read(2, 5, 6)}));
  CHECK(*is_linearizable({write(1, 0, 1), unknown(write(2, 2, 2)), read(1, 3, 4)}));
  CHECK_FALSE(*is_linearizable({read(2, 0, 1), unknown(write(2, 2, 2))}));
  CHECK_FALSE(*is_linearizable({write(1, 0, 1), unknown(swap(2, 3, 2, 2)), read(3, 3, 4)}));
}
TEST_CASE("histories of a thousand operations are judged, the right and the wrong ones") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    std::vector<RegisterCall> calls = legal_history(1000, seed);
    CHECK(is_linearizable(calls) == true);
    calls.push_back(read(77, 5000, 5001));
    CHECK(is_linearizable(calls) == false);
  }
}
TEST_CASE("a search that is given too few steps says nothing") {
  CHECK_FALSE(is_linearizable(legal_history(100, 1), 10).has_value());
}

TEST_CASE("an echo must equal the request") {
  const auto echo = workload_of(Clients::echo, 3);
  const std::string asked = first_question(*echo, 0);
  std::string right = asked;
  right.replace(right.find("\"type\":\"echo\""), 13, "\"type\":\"echo_ok\"");
  CHECK(echo->answer(0, {}, right).empty());
  static_cast<void>(first_question(*echo, 1));
  CHECK(echo->answer(1, {}, R"({"type":"echo_ok","echo":"else"})").find("came back as") !=
        std::string::npos);
  static_cast<void>(first_question(*echo, 2));
  CHECK(echo->answer(2, {}, R"({"type":"ok"})").find("is not of the type \"echo_ok\"") !=
        std::string::npos);
}
TEST_CASE("an id is given out once") {
  const auto ids = workload_of(Clients::unique_ids, 3);
  CHECK(ids->answer(0, {}, R"({"type":"generate_ok","id":"a"})").empty());
  CHECK(ids->answer(1, {}, R"({"type":"generate_ok","id":["a"]})").empty());
  CHECK(ids->answer(2, {}, R"({"type":"generate_ok","id":"a"})").find("given out twice") !=
        std::string::npos);
  CHECK_FALSE(ids->answer(3, {}, R"({"type":"generate_ok"})").empty());
}
TEST_CASE("at the end every peer knows each message that was acknowledged, and no others") {
  const auto broadcast = workload_of(Clients::broadcast, 4);
  std::vector<std::uint32_t> told;
  for (std::uint32_t i = 0; i < 20; ++i)
    if (first_question(*broadcast, i).find("broadcast") != std::string::npos) told.push_back(i);
  REQUIRE(told.size() > 2);
  CHECK(broadcast->answer(told[0], {}, R"({"type":"broadcast_ok"})").empty());
  const auto known = [](const std::string& list) {
    return R"({"type":"read_ok","messages":[)" + list + "]}";
  };
  const std::string first = std::to_string(told[0]);
  CHECK(broadcast->last_answer(PeerId{1}, {}, known(first)).empty());
  CHECK(
      broadcast->last_answer(PeerId{1}, {}, known(first + "," + std::to_string(told[1]))).empty());
  CHECK(broadcast->last_answer(PeerId{2}, {}, known("")).find("n2 does not know it") !=
        std::string::npos);
  CHECK(broadcast->last_answer(PeerId{2}, {}, known("999")).find("never sent") !=
        std::string::npos);
  CHECK(broadcast->first_question().find(R"("n0":["n1","n2"])") != std::string::npos);
}
TEST_CASE("a value is stable once no later read misses it") {
  const auto broadcast = workload_of(Clients::broadcast, 4);
  std::vector<std::uint32_t> told;
  std::vector<std::uint32_t> reads;
  for (std::uint32_t i = 0; i < 40; ++i)
    (first_question(*broadcast, i).find("broadcast") != std::string::npos ? told : reads)
        .push_back(i);
  REQUIRE(told.size() > 1);
  REQUIRE(reads.size() > 3);
  const auto at = [](int second) { return core::Time{} + std::chrono::seconds(second); };
  const auto read = [&](std::size_t which, int asked, const std::string& list) {
    const std::string body = R"({"type":"read_ok","messages":[)" + list + "]}";
    CHECK(broadcast->answer(reads[which], {at(asked), at(asked + 1)}, body).empty());
  };
  const std::string both = std::to_string(told[0]) + "," + std::to_string(told[1]);
  CHECK(broadcast->answer(told[0], {at(1), at(2)}, R"({"type":"broadcast_ok"})").empty());
  CHECK(broadcast->answer(told[1], {at(1), at(2)}, R"({"type":"broadcast_ok"})").empty());
  read(0, 1, "");                       // begins before the acknowledgement
  read(1, 5, std::to_string(told[1]));  // misses the first
  read(2, 4, both);
  CHECK(broadcast->stable_latencies() ==
        std::map<std::uint32_t, core::Duration>{{told[0], std::chrono::seconds(3)},
                                                {told[1], core::Duration{0}}});
  CHECK(broadcast
            ->last_answer(PeerId{1}, {at(9), at(9)},
                          R"({"type":"read_ok","messages":[)" + both + "]}")
            .empty());
  CHECK(broadcast->stable_latencies().at(told[0]) == std::chrono::seconds(3));
}
TEST_CASE("a counter ends with the acknowledged additions, and perhaps with uncertain ones") {
  const auto counter = workload_of(Clients::g_counter, 3);
  std::int64_t sum = 0;
  std::vector<std::pair<std::uint32_t, std::int64_t>> added;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const std::string asked = first_question(*counter, i);
    const std::size_t delta = asked.find("\"delta\":");
    if (delta != std::string::npos && asked[delta + 8] != '0')
      added.emplace_back(i, asked[delta + 8] - '0');
  }
  REQUIRE(added.size() > 3);
  for (std::size_t i = 1; i < added.size(); ++i) {
    CHECK(counter->answer(added[i].first, {}, R"({"type":"add_ok"})").empty());
    sum += added[i].second;
  }
  const auto reads = [&](std::int64_t value) {
    return counter->last_answer(PeerId{0}, {},
                                R"({"type":"read_ok","value":)" + std::to_string(value) + "}");
  };
  CHECK(reads(sum).empty());
  CHECK_FALSE(reads(sum - 1).empty());
  CHECK_FALSE(reads(sum + 1).empty());
  counter->unknown(added[0].first, {});
  CHECK(reads(sum + added[0].second).empty());
  CHECK_FALSE(reads(sum + added[0].second + 1).empty());
}
TEST_CASE("registers whose reads do not fit together are told by their key") {
  const auto registers = workload_of(Clients::lin_kv, 3);
  std::uint32_t number = 0;
  int asked_at = 0;
  while (registers->verdict().empty() && number < 200) {
    const std::string asked = first_question(*registers, number);
    const Span span{at(asked_at), at(asked_at + 1)};
    asked_at += 2;
    if (asked.find("\"read\"") != std::string::npos) {
      CHECK(registers->answer(number, span, R"({"type":"read_ok","value":77})").empty());
    } else {
      registers->failed(number, span, 11);
    }
    ++number;
  }
  CHECK(registers->verdict().find("not linearizable") != std::string::npos);
}
TEST_CASE("an error says whether nothing can have happened") {
  CHECK_FALSE(read_answer(R"({"type":"read_ok","in_reply_to":7})").error);
  CHECK(read_answer(R"({"type":"read_ok","in_reply_to":7})").in_reply_to == 7);
  CHECK(read_answer(R"({"type":"error","code":22,"in_reply_to":7})").definite);
  for (const char* code : {"0", "13", "1000", "\"x\"", "-3"})
    CHECK_FALSE(read_answer(std::string(R"({"type":"error","in_reply_to":7,"code":)") + code + "}")
                    .definite);
  CHECK_THROWS_AS(static_cast<void>(read_answer(R"({"type":"read_ok"})")), WireError);
  CHECK_THROWS_AS(static_cast<void>(read_answer(R"({"in_reply_to":-1})")), WireError);
}

TEST_CASE("a store keeps values by key, and swaps only an expected value") {
  Stores stores;
  const auto ask = [&](const std::string& body) { return stores.answer("seq-kv", body); };
  const auto holds = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(holds(ask(R"({"type":"read","key":"a","msg_id":4})"), "\"code\":20"));
  CHECK(holds(ask(R"({"type":"read","key":"a","msg_id":4})"), "\"in_reply_to\":4"));
  CHECK(holds(ask(R"({"type":"write","key":"a","value":[1]})"), "write_ok"));
  CHECK(holds(ask(R"({"type":"read","key":"a"})"), "\"value\":[1]"));
  CHECK(holds(ask(R"({"type":"cas","key":"a","from":2,"to":3})"), "\"code\":22"));
  CHECK(holds(ask(R"({"type":"cas","key":"a","from":[1],"to":3})"), "cas_ok"));
  CHECK(holds(ask(R"({"type":"cas","key":"b","from":1,"to":3})"), "\"code\":20"));
  CHECK(holds(ask(R"({"type":"cas","key":"b","from":1,"to":3,"create_if_not_exists":true})"),
              "cas_ok"));
  CHECK(holds(stores.answer("lin-kv", R"({"type":"read","key":"a"})"), "\"code\":20"));
  CHECK(holds(stores.answer("lin-tso", R"({"type":"ts"})"), "\"ts\":0"));
  CHECK(holds(stores.answer("lin-tso", R"({"type":"ts"})"), "\"ts\":1"));
  CHECK(holds(ask(R"({"type":"dance"})"), "\"code\":10"));
  CHECK(holds(ask(R"({"type":"read"})"), "\"code\":12"));
  CHECK(holds(ask("[]"), "\"code\":10"));
}

}  // namespace rhizome::agents::client_workload_test
