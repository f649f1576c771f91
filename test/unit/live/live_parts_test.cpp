// The small parts of a live view: the tail of facts, the past, the budget, plain text and the
// messages.
#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include "scenarios/live/feed.hpp"
#include "scenarios/live/messages.hpp"
#include "scenarios/live/past.hpp"
#include "scenarios/live/sampler.hpp"
#include "scenarios/text/plain_text.hpp"

namespace rhizome::live_parts_test {

using namespace std::chrono_literals;
using namespace scenarios::live;
using scenarios::plain_lines;
using scenarios::plain_text;

namespace {

std::vector<std::uint32_t> kinds_of(const FactSlice& slice) {
  std::vector<std::uint32_t> kinds;
  for (const LiveFact& fact : slice.facts) kinds.push_back(fact.kind);
  return kinds;
}
using Kinds = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("a follower of facts gets each once, and is told how many came too fast") {
  FactTail tail(4);
  CHECK(tail.slice(0, 3).next == 1);
  for (std::uint32_t kind = 1; kind <= 3; ++kind) tail.add({.kind = kind});
  CHECK(kinds_of(tail.slice(1, 2)) == Kinds{1, 2});
  CHECK(tail.slice(1, 2).next == 3);
  CHECK(kinds_of(tail.slice(3, 2)) == Kinds{3});
  CHECK(kinds_of(tail.slice(0, 2)) == Kinds{2, 3});
  for (std::uint32_t kind = 4; kind <= 9; ++kind) tail.add({.kind = kind});
  const FactSlice late = tail.slice(3, 10);
  CHECK(kinds_of(late) == Kinds{6, 7, 8, 9});
  CHECK(late.missed == 3);
  CHECK(late.next == 10);
  CHECK(tail.slice(0, 10).missed == 0);
  CHECK(tail.slice(99, 10).facts.empty());
  CHECK(tail.slice(99, 10).next == 10);
}

TEST_CASE("facts noted while no monitor listened are missed by a later request") {
  FactTail tail(4);
  tail.add({.kind = 1});
  tail.pass_over(0);
  tail.pass_over(1);
  tail.add({.kind = 3});
  const FactSlice slice = tail.slice(2, 9);
  CHECK(kinds_of(slice) == Kinds{3});
  CHECK(slice.missed == 1);
  CHECK(slice.next == 4);
}

TEST_CASE("a past of any length is bounded, and reaches from the beginning to the end") {
  const Past::Clock::time_point begin{};
  Past past(begin);
  auto now = begin;
  std::uint64_t second = 0;
  for (; second < 10'000; ++second) {
    now += 1s;
    if (now < past.due()) continue;
    past.add(now, {.at = core::Time(now - begin), .completed = second});
    CHECK(past.moments().size() < Past::most);
  }
  CHECK(past.moments().size() > Past::most / 4);
  CHECK(past.moments().front().at < core::Time{20s});
  CHECK(past.moments().back().at > core::Time{9'960s});
  for (std::size_t i = 1; i < past.moments().size(); ++i)
    CHECK(past.moments()[i].at > past.moments()[i - 1].at);
}

TEST_CASE("a sampling that takes too much of a processor is done less often, until it fits") {
  Budget budget(0.01, 100ms);
  CHECK(budget.interval() == 100ms);
  CHECK(budget.share() == 0);
  budget.spent(500us);
  CHECK(budget.interval() == 100ms);
  CHECK_FALSE(budget.slows());
  CHECK(budget.share() == doctest::Approx(0.005));
  for (int i = 0; i < 50; ++i) budget.spent(8ms);
  CHECK(budget.slows());
  CHECK(budget.interval() > 790ms);
  CHECK(budget.interval() <= 800ms);
  CHECK(budget.share() == doctest::Approx(0.01));
}

TEST_CASE("a label moves no cursor and turns no line, whatever it holds") {
  CHECK(plain_text("sparrow, größer als 3") == "sparrow, größer als 3");
  CHECK(plain_text("a\x1b[2Jb\r\n\x7f\tc") == "a\\x1b[2Jb\\x0d\\n\\u007f\\tc");
  CHECK(plain_lines("a\x1b[2Jb\r\n\x7f\tc") == "a\\x1b[2Jb\\x0d\n\\u007f\tc");
  CHECK(plain_text("a\xc2\x9b"
                   "31mb") == "a\\u009b31mb");  // C1
  CHECK(plain_text("a\xe2\x80\xae"
                   "b\xe2\x81\xa7"
                   "c") == "a\\u202eb\\u2067c");                        // bidirectional
  CHECK(plain_text("\xef\xbf\xbf \xef\xbf\xbe") == "\\uffff \\ufffe");  // none of XML
  CHECK(plain_text("\xff\xc3") == "\\xff\\xc3");                        // no UTF-8
  CHECK(plain_text("\xc0\xaf\xed\xa0\x80") ==
        "\\xc0\\xaf\\xed\\xa0\\x80");  // overlong, a surrogate
  CHECK(plain_text("\xf0\x9f\x8c\xb1") == "\xf0\x9f\x8c\xb1");
}

TEST_CASE("messages between a monitor and a run arrive unchanged") {
  Frame frame{.number = 7,
              .since = 3,
              .run = {.number = 2,
                      .scenario = "og\x1b-vs-atc",
                      .label = "sparrow",
                      .engine = "virtual",
                      .peers = 3,
                      .tasks = 12},
              .over = true,
              .now = core::Time{3s},
              .real = 2s,
              .totals = {.sent = {1, 2, 3}, .alive = 3, .tasks = {.completed = 4, .waiting = 9}},
              .rows = {0, 1, 5},
              .facts = {.next = 9, .missed = 2, .facts = {{.kind = 3, .payload = {std::byte{1}}}}},
              .extras = {.past = {{.at = core::Time{1s}, .sent = {0, 1, 0}}},
                         .views = ViewChanges{.since = 3, .list = {0, 1, 2}}},
              .cost = {.share = 0.5, .interval = 100ms, .slowed = true},
              .under_way = {2, 5}};
  const auto said = decode_answer(encode(Answer{frame}));
  REQUIRE(said);
  frame.run.scenario = "og\\x1b-vs-atc";
  CHECK(std::get<Frame>(*said) == frame);
  Frame crowded = frame;
  crowded.cost.processes.resize(most_listed + 1);
  CHECK_FALSE(decode_answer(encode(Answer{crowded})));
  const Welcome strange{.fact_kinds = std::vector<std::string>(most_fact_kinds + 1)};
  CHECK_FALSE(decode_answer(encode(Answer{strange})));
  frame.facts.facts.resize(most_facts_in_frame + 1);
  CHECK_FALSE(decode_answer(encode(Answer{frame})));
  const Welcome welcome{.process = 4, .scenario = "x", .runs = 3, .fact_kinds = {"a", "b"}};
  CHECK(std::get<Welcome>(*decode_answer(encode(Answer{welcome}))) == welcome);
  const auto ask = decode_request(
      encode(Request{Ask{.run = 3, .since = 9, .past = true, .views = true, .views_since = 8}}));
  REQUIRE(ask);
  CHECK(std::get<Ask>(*ask).run == 3);
  CHECK(std::get<Ask>(*ask).since == 9);
  CHECK(std::get<Ask>(*ask).past);
  CHECK(std::get<Ask>(*ask).views);
  CHECK(std::get<Ask>(*ask).views_since == 8);
}

TEST_CASE("a request longer than any is refused") {
  core::Bytes bytes = encode(Request{Hello{}});
  CHECK(decode_request(bytes));
  bytes.resize(request_limits.bytes + 2);
  CHECK_FALSE(decode_request(bytes));
  CHECK_FALSE(decode_request({}));
}

}  // namespace rhizome::live_parts_test
