#include "core/engine/toll.hpp"

#include <doctest/doctest.h>

namespace rhizome::toll_test {

using namespace std::chrono_literals;
using core::PeerId;
using core::Time;
using core::Toll;

namespace {

constexpr PeerId a{0};
constexpr PeerId b{1};

}  // namespace

TEST_CASE("without costs there is no toll") {
  CHECK(Toll({}, 2).free());
  CHECK_FALSE(Toll({.handling = 1us}, 2).free());
}

TEST_CASE("an idle peer pays its wake-up, a busy one does not") {
  Toll toll({.wake_up = 10us, .handling = 5us}, 2);
  CHECK(toll.pay(a, Time{} + 100us) == Time{} + 115us);
  CHECK(toll.pay(a, Time{} + 101us) == Time{} + 120us);
  CHECK(toll.pay(a, Time{} + 200us) == Time{} + 215us);
}

TEST_CASE("peers of their own cores do not wait for each other, and those who share do") {
  Toll apart({.handling = 5us}, 2);
  CHECK(apart.pay(a, Time{}) == Time{} + 5us);
  CHECK(apart.pay(b, Time{}) == Time{} + 5us);
  Toll sharing({.handling = 5us, .cores = 1}, 2);
  CHECK(sharing.pay(a, Time{}) == Time{} + 5us);
  CHECK(sharing.pay(b, Time{}) == Time{} + 10us);
}

}  // namespace rhizome::toll_test
