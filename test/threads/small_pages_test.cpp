// When a process gets huge pages, and when not.
#include "core/engine/slim_threads.hpp"

#include <doctest/doctest.h>
#include <sys/prctl.h>

#include <atomic>
#include <memory>

#include "core/engine/thread_engine.hpp"
#include "test/support/engines.hpp"
#include "test/support/gossip.hpp"

namespace rhizome::small_pages_test {

using namespace std::chrono_literals;

namespace {

core::EngineSetup ten_peers() {
  return test::setup_of(
      10, 1h, [](core::Peer& peer) { peer.add<test::Gossip>(test::GossipOptions{.peers = 10}); });
}

int asked() { return prctl(PR_GET_THP_DISABLE, 0UL, 0UL, 0UL, 0UL); }
bool refused() { return asked() == 1; }
// A sandbox that is no Linux may not know of them.
bool unknown_here() { return asked() < 0; }

}  // namespace

TEST_CASE("a run on threads gets no huge pages, of which each touch of a thread would clear one" *
          doctest::skip(unknown_here())) {
  REQUIRE_FALSE(refused());
  std::atomic<bool> stop{false};
  bool while_it_runs = false;
  const auto look = [&](core::Time) {
    while_it_runs = refused();
    stop = true;
  };
  {
    core::ThreadEngine engine(ten_peers(), {});
    CHECK(refused());
    static_cast<void>(engine.run({.stop = &stop, .tick = look}));
  }
  CHECK(while_it_runs);
  CHECK_FALSE(refused());
}

TEST_CASE("huge pages are allowed again when the last object that forbids them is destroyed" *
          doctest::skip(unknown_here())) {
  auto first = std::make_unique<core::SmallPages>();
  auto second = std::make_unique<core::SmallPages>();
  first.reset();
  CHECK(refused());
  second.reset();
  CHECK_FALSE(refused());
}

}  // namespace rhizome::small_pages_test
