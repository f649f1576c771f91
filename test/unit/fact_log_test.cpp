#include "core/peer/fact_log.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "test/support/facts.hpp"

namespace rhizome::fact_log_test {

using namespace std::chrono_literals;

namespace {

struct Begun {
  static constexpr core::FactInfo info{"begun", "Something began.", "number | with"};
  std::uint64_t number = 0;
  core::PeerId with{};
  friend bool operator==(const Begun&, const Begun&) = default;
};
struct Nested {
  Begun begun;
  core::Duration took{0};
  std::string reason;
  static constexpr core::FactInfo info{"nested", "Something took a while.",
                                       "number | with | took | reason"};
  friend bool operator==(const Nested&, const Nested&) = default;
};
struct Short {
  static constexpr core::FactInfo info{"short", "A value has no name.", "number"};
  std::uint64_t number = 0;
  double unnamed = 0;
};

template <class F>
void note(core::FactLog& log, core::Duration when, const F& fact) {
  core::Bytes payload;
  core::encode(fact, payload);
  log.add(core::Time{} + when, {&F::info, payload});
}

}  // namespace

TEST_CASE("a log gives facts back as they were noted, of whatever types") {
  core::FactLog log;
  const Nested nested{{8, core::PeerId{3}}, 250ms, "overdue, and not for the first time"};
  note(log, 1s, Begun{7, core::no_peer});
  note(log, 2s, nested);
  note(log, 2s, Begun{9, core::PeerId{1}});
  REQUIRE(log.size() == 3);
  const auto facts = test::facts_of(log);
  REQUIRE(facts.size() == 3);
  CHECK(facts[0].at == core::Time{} + 1s);
  CHECK(facts[0].as<Begun>() == Begun{7, core::no_peer});
  CHECK(facts[1].as<Nested>() == nested);
  CHECK(facts[2].at == core::Time{} + 2s);
  CHECK(facts[2].as<Begun>() == Begun{9, core::PeerId{1}});
}

TEST_CASE("a reader continues a log at its place, however much it takes at a time") {
  core::FactLog log;
  core::FactLog::Cursor cursor;
  std::vector<std::uint64_t> read;
  const auto take = [&](std::size_t most) {
    return log.read(
        cursor,
        [&](core::Time at, const core::EncodedFact& encoded) {
          const auto begun = test::keep(at, encoded).as<Begun>();
          CHECK(at == core::Time{} + std::chrono::nanoseconds(begun.number));
          read.push_back(begun.number);
        },
        most);
  };
  CHECK(take(5) == 0);
  for (std::uint64_t number = 0; number < 5000; ++number) {
    note(log, std::chrono::nanoseconds(number), Begun{number, core::no_peer});
    if (number % 7 == 0) static_cast<void>(take(number % 14));
  }
  while (take(100) > 0) continue;
  CHECK(cursor.count() == 5000);
  REQUIRE(read.size() == 5000);
  for (std::uint64_t number = 0; number < 5000; ++number) CHECK(read[number] == number);
}

TEST_CASE("a fact longer than any chunk is kept whole, and so are its neighbours") {
  core::FactLog log;
  const std::string lengthy(100'000, 'x');
  note(log, 1s, Begun{1, core::no_peer});
  note(log, 2s, Nested{{2, core::no_peer}, 1ms, lengthy});
  note(log, 3s, Begun{3, core::no_peer});
  const auto facts = test::facts_of(log);
  REQUIRE(facts.size() == 3);
  CHECK(facts[1].as<Nested>().reason == lengthy);
  CHECK(facts[2].as<Begun>().number == 3);
}

TEST_CASE("a copy of a log has all its facts, and one that was moved still its readers") {
  core::FactLog log;
  for (std::uint64_t number = 0; number < 40; ++number) note(log, 1s, Begun{number, core::no_peer});
  core::FactLog::Cursor cursor;
  CHECK(log.read(
            cursor, [](auto, const auto&) {}, 30) == 30);
  core::FactLog copy = log;
  const core::FactLog moved = std::move(log);
  note(copy, 1s, Begun{40, core::no_peer});
  CHECK(test::facts_of(copy).size() == 41);
  CHECK(test::facts_of(copy)[39].as<Begun>().number == 39);
  CHECK(moved.size() == 40);
  std::uint64_t next = 30;
  CHECK(moved.read(cursor, [&](core::Time at, const core::EncodedFact& encoded) {
    CHECK(test::keep(at, encoded).as<Begun>().number == next++);
  }) == 10);
}

TEST_CASE("a log says how many facts it has of each type") {
  core::FactLog log;
  note(log, 1s, Begun{7, core::no_peer});
  note(log, 2s, Nested{});
  note(log, 3s, Begun{8, core::no_peer});
  REQUIRE(log.kinds().size() == 2);
  CHECK(log.kinds()[0].info == &Begun::info);
  CHECK(log.kinds()[0].facts == 2);
  CHECK(log.kinds()[1].facts == 1);
}

TEST_CASE("every value of a fact has a name, those in structs too") {
  CHECK(core::fact_type<Begun>);
  CHECK(core::fact_type<Nested>);
  CHECK_FALSE(core::fact_type<Short>);
  CHECK(core::fields_of(Nested::info) ==
        std::vector<std::string_view>{"number", "with", "took", "reason"});
  const Nested nested{{8, core::PeerId{3}}, 250ms, "why"};
  const auto& [number, with, took, reason] = core::values_of(nested);
  CHECK(number == 8);
  CHECK(with == core::PeerId{3});
  CHECK(took == 250ms);
  CHECK(reason == "why");
}

}  // namespace rhizome::fact_log_test
