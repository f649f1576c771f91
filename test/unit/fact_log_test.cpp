#include "core/peer/fact_log.hpp"

#include <doctest/doctest.h>

#include <string>

#include "test/support/facts.hpp"

namespace rhizome::fact_log_test {

using namespace std::chrono_literals;

namespace {

struct Begun {
  static constexpr core::FactInfo info{"begun", "Something began.", "number with"};
  std::uint64_t number = 0;
  core::PeerId with{};
  friend bool operator==(const Begun&, const Begun&) = default;
};
struct Nested {
  Begun begun;
  core::Duration took{0};
  std::string reason;
  static constexpr core::FactInfo info{"nested", "Something took a while.",
                                       "number with took reason"};
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
  note(log, 1s, Begun{7, core::nobody});
  note(log, 2s, nested);
  note(log, 2s, Begun{9, core::PeerId{1}});
  REQUIRE(log.size() == 3);
  const auto facts = test::facts_of(log);
  REQUIRE(facts.size() == 3);
  CHECK(facts[0].at == core::Time{} + 1s);
  CHECK(facts[0].as<Begun>() == Begun{7, core::nobody});
  CHECK(facts[1].as<Nested>() == nested);
  CHECK(facts[2].at == core::Time{} + 2s);
  CHECK(facts[2].as<Begun>() == Begun{9, core::PeerId{1}});
}

TEST_CASE("a log says how many facts it has of each type") {
  core::FactLog log;
  note(log, 1s, Begun{7, core::nobody});
  note(log, 2s, Nested{});
  note(log, 3s, Begun{8, core::nobody});
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
