#include "scenarios/experiment/retry.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

namespace rhizome::retry_test {

using scenarios::Outcome;
using Level = scenarios::Validity::Level;

namespace {

struct Told {
  Outcome kept;
  std::vector<Level> put_aside;
};

// The result of runs with these levels, one after the other.
Told done(std::uint32_t more, const std::vector<Level>& levels,
          core::Ending ending = core::Ending::finished) {
  Told told;
  std::size_t next = 0;
  const auto run = [&] {
    Outcome outcome;
    outcome.ending = ending;
    outcome.validity.level = levels.at(next++);
    outcome.events = next;
    return outcome;
  };
  told.kept = scenarios::until_not_invalid(
      more, run, [&](const Outcome& invalid) { told.put_aside.push_back(invalid.validity.level); });
  return told;
}

}  // namespace

TEST_CASE("the first run that is not invalid is kept, and tells how many were") {
  for (const Level good : {Level::valid, Level::suspect}) {
    const Told told = done(3, {Level::invalid, Level::invalid, good});
    CHECK(told.kept.validity.level == good);
    CHECK(told.kept.events == 3);
    CHECK(told.kept.repeated == 2);
    CHECK(told.put_aside.size() == 2);
  }
}

TEST_CASE("a run that is not invalid is not done again") {
  const Told told = done(3, {Level::suspect});
  CHECK(told.kept.repeated == 0);
  CHECK(told.put_aside.empty());
}

TEST_CASE("if every run is invalid the last is kept, which is not told as put aside") {
  const Told told = done(2, {Level::invalid, Level::invalid, Level::invalid});
  CHECK(told.kept.validity.level == Level::invalid);
  CHECK(told.kept.events == 3);
  CHECK(told.kept.repeated == 2);
  CHECK(told.put_aside.size() == 2);
  CHECK(done(0, {Level::invalid}).put_aside.empty());
}

TEST_CASE("an interrupted run is not done again, invalid or not") {
  const Told told = done(2, {Level::invalid}, core::Ending::interrupted);
  CHECK(told.kept.events == 1);
  CHECK(told.put_aside.empty());
}

}  // namespace rhizome::retry_test
