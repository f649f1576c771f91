// The benchmark CG of the NAS Parallel Benchmarks, as real work.
#include <doctest/doctest.h>

#include "agents/work/conjugate_gradient.hpp"
#include "core/work/throttle.hpp"

namespace rhizome::conjugate_gradient_test {

using agents::CgClass;

// The published values of zeta: 8.5971775078648 and 10.362595087124.
TEST_CASE("the published value of zeta comes out") {
  core::Throttle throttle;
  CHECK(agents::conjugate_gradient(CgClass::S, throttle) == 8'597'177'508);
  CHECK(agents::conjugate_gradient(CgClass::W, throttle) == 10'362'595'087);
}

TEST_CASE("conjugate gradients that nobody wants any more end at once, without a value") {
  core::Throttle throttle;
  throttle.cancel();
  CHECK(agents::conjugate_gradient(CgClass::A, throttle) == 0);
}

}  // namespace rhizome::conjugate_gradient_test
