// The benchmark CG of the NAS Parallel Benchmarks, as real work.
#include <doctest/doctest.h>

#include <cmath>

#include "agents/work/conjugate_gradient.hpp"
#include "core/work/throttle.hpp"

namespace rhizome::conjugate_gradient_test {

using agents::CgClass;

// The published values of zeta: 8.5971775078648 and 10.362595087124.
TEST_CASE("the published value of zeta comes out") {
  core::Throttle throttle;
  CHECK(agents::is_published(CgClass::S, agents::conjugate_gradient(CgClass::S, throttle)));
  CHECK(agents::is_published(CgClass::W, agents::conjugate_gradient(CgClass::W, throttle)));
}

TEST_CASE("a zeta that is not the published one to ten digits is wrong") {
  CHECK(agents::is_published(CgClass::W, 10.362595087124));
  CHECK(agents::is_published(CgClass::W, 10.3625950875));
  CHECK_FALSE(agents::is_published(CgClass::W, 10.362595090));
  CHECK_FALSE(agents::is_published(CgClass::S, 10.362595087124));
  CHECK_FALSE(agents::is_published(CgClass::S, std::nan("")));
}

TEST_CASE("abandoned conjugate gradients end at once, without a value") {
  core::Throttle throttle;
  throttle.cancel();
  CHECK(agents::conjugate_gradient(CgClass::A, throttle) == 0);
}

}  // namespace rhizome::conjugate_gradient_test
