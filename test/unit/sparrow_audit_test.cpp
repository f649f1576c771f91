// How long a Sparrow master waits for a result before it asks what became of the task.
#include <doctest/doctest.h>

#include <chrono>

#include "agents/sparrow/master.hpp"
#include "test/support/lone_sparrow.hpp"

namespace rhizome::sparrow_audit_test {

using core::PeerId;
using test::early;
using test::LoneSparrow;
using namespace agents::sparrow;
using namespace std::chrono_literals;

namespace {

constexpr agents::TaskId first{0, 0};
constexpr agents::TaskId second{1, 0};

// A master that places tasks blindly, and whose failure detector hears nothing and finds no peer
// dead.
struct Auditing : LoneSparrow {
  explicit Auditing(core::Duration audit_after = std::chrono::minutes(1))
      : LoneSparrow(patient(audit_after)) {}
  static Options patient(core::Duration audit_after) {
    Options options = early(Sampling::random, 2);
    options.detector_round = std::chrono::hours(1);
    options.audit_after = audit_after;
    return options;
  }
  PeerId give(agents::TaskId id) {
    adopt({id});
    return peer.sent<Place>().back().first;
  }
  void do_one(agents::TaskId id, core::Duration took) {
    const PeerId executor = give(id);
    peer.pass(took);
    peer.deliver(executor, Completed{id});
  }
  // Waits until the master asks, and returns how long that took.
  core::Duration until_asked() {
    const core::Time begun = peer.now();
    const std::size_t before = peer.sent<Audit>().size();
    fire_until([&] { return peer.sent<Audit>().size() > before; });
    return peer.now() - begun;
  }
};

}  // namespace

TEST_CASE("a result that was lost is asked for after twice the time of any before, then later") {
  Auditing alone;
  alone.do_one(first, 3s);
  const PeerId executor = alone.give(second);
  const core::Duration once = alone.until_asked();
  CHECK(once >= 6s);
  CHECK(once <= 12s);
  const core::Duration twice = alone.until_asked();
  CHECK(twice >= 12s);
  CHECK(twice <= 18s);
  alone.peer.deliver(executor, Completed{second});  // late as it is, it teaches nothing
  alone.give({2, 0});
  CHECK(alone.until_asked() <= 12s);
}

TEST_CASE("the first result shortens the time after which the others are asked for") {
  Auditing alone;
  alone.give(second);
  alone.do_one(first, 3s);
  CHECK(alone.until_asked() <= 12s);
}

TEST_CASE("before any result no executor is asked for one until an audit is due") {
  Auditing alone(20s);
  alone.give(first);
  CHECK(alone.until_asked() >= 20s);
}

TEST_CASE("no executor is asked before a time-out, nor later than an audit is due") {
  Auditing fast;
  fast.do_one(first, 10ms);
  fast.give(second);
  CHECK(fast.until_asked() >= 2s);
  Auditing slow(20s);
  slow.do_one(first, 50s);
  slow.give(second);
  for (int i = 0; i < 4; ++i) CHECK(slow.until_asked() <= 40s);
}

}  // namespace rhizome::sparrow_audit_test
