#include "core/engine/virtual_run.hpp"

#include <doctest/doctest.h>

namespace rhizome::cpu_cost_test {

using namespace std::chrono_literals;
using core::CpuCost;
using core::PeerId;
using core::Time;

namespace {

constexpr PeerId a{0};
constexpr PeerId b{1};

}  // namespace

TEST_CASE("without costs there is no CPU cost") {
  CHECK(CpuCost({}, 2).free());
  CHECK_FALSE(CpuCost({.handling = 1us}, 2).free());
}

TEST_CASE("an idle peer pays its wake-up, a busy one does not") {
  CpuCost cpu_cost({.wake_up = 10us, .handling = 5us}, 2);
  CHECK(cpu_cost.pay(a, Time{} + 100us) == Time{} + 115us);
  CHECK(cpu_cost.pay(a, Time{} + 101us) == Time{} + 120us);
  CHECK(cpu_cost.pay(a, Time{} + 200us) == Time{} + 215us);
}

TEST_CASE("peers with their own cores do not wait for each other, peers that share cores do") {
  CpuCost apart({.handling = 5us}, 2);
  CHECK(apart.pay(a, Time{}) == Time{} + 5us);
  CHECK(apart.pay(b, Time{}) == Time{} + 5us);
  CpuCost sharing({.handling = 5us, .cores = 1}, 2);
  CHECK(sharing.pay(a, Time{}) == Time{} + 5us);
  CHECK(sharing.pay(b, Time{}) == Time{} + 10us);
}

}  // namespace rhizome::cpu_cost_test
