// Processors that peers share, where each peer is a thread.
#include <doctest/doctest.h>

#include <chrono>
#include <memory>

#include "core/engine/thread_engine.hpp"
#include "test/support/toiler.hpp"

namespace rhizome::crowd_test {

using namespace std::chrono_literals;

TEST_CASE("three threads on two processors slow each other down as in virtual time") {
  const auto toils = std::make_shared<test::Toils>();
  core::ThreadEngine engine(test::crowded(toils), {.time_scale = 0.3});
  CHECK(engine.run({}).working == 0);
  REQUIRE(toils->of.size() == 3);
  const double wanted[] = {1.5, 2.5, 3.5};
  for (const auto& [peer, toil] : toils->of)
    CHECK(core::seconds(toil.ended - core::Time{}) ==
          doctest::Approx(wanted[peer.value]).epsilon(0.2));
}

}  // namespace rhizome::crowd_test
