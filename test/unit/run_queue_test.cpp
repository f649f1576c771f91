// Which process does which run: runs are handed out in order, again where a process is lost or
// slow, and each counts once.
#include "scenarios/experiment/run_queue.hpp"

#include <doctest/doctest.h>

#include "scenarios/store/store.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/outcomes.hpp"

namespace rhizome::scenarios::run_queue_test {

using namespace std::chrono_literals;

namespace {

constexpr RunQueue::RealTime start{};

}  // namespace

TEST_CASE("runs are handed out in order, to any process, and no further ahead than allowed") {
  RunQueue run_queue(5, 3);
  CHECK(run_queue.next(0, start) == 0);
  CHECK(run_queue.next(1, start) == 1);
  CHECK(run_queue.next(2, start) == 2);
  CHECK_FALSE(run_queue.next(0, start));
  run_queue.await(1);
  CHECK(run_queue.next(2, start) == 3);
  run_queue.look_ahead(4);
  CHECK(run_queue.next(2, start) == 4);
  CHECK_FALSE(run_queue.finished());
  for (std::size_t run = 0; run < 5; ++run) CHECK(run_queue.done(run, 0, start));
  CHECK(run_queue.finished());
}

TEST_CASE("runs of a lost process are handed out again, before runs that were never handed out") {
  RunQueue run_queue(4, 10);
  CHECK(run_queue.next(1, start) == 0);
  CHECK(run_queue.next(2, start) == 1);
  CHECK(run_queue.next(1, start) == 2);
  CHECK(run_queue.done(2, 1, start));
  CHECK(run_queue.lost(1) == 1);
  CHECK(run_queue.lost(1) == 0);
  CHECK(run_queue.next(2, start) == 0);
  CHECK(run_queue.next(2, start) == 3);
  CHECK_FALSE(run_queue.next(2, start));
}

TEST_CASE("a run that could not be done elsewhere is done here") {
  RunQueue run_queue(2, 10);
  CHECK(run_queue.next(1, start) == 0);
  run_queue.failed(0, 1);
  CHECK(run_queue.next(2, start) == 1);
  CHECK_FALSE(run_queue.next(2, start));
  CHECK(run_queue.next(0, start) == 0);
}

TEST_CASE(
    "a run that takes thrice as long as any other is handed out again at the end, once each") {
  RunQueue run_queue(3, 10);
  CHECK(run_queue.next(1, start) == 0);
  CHECK(run_queue.next(2, start) == 1);
  CHECK(run_queue.done(1, 2, start + 1s));
  CHECK(run_queue.next(2, start + 1s) == 2);
  CHECK_FALSE(run_queue.next(0, start + 3s));
  CHECK(run_queue.next(0, start + 3s + 1ns) == 0);
  CHECK_FALSE(run_queue.next(0, start + 4s));  // run 2 is not late yet, and 0 is here
  CHECK_FALSE(run_queue.next(2, start + 4s));  // and the other run has been out for 1 s only
  CHECK(run_queue.next(2, start + 7s) == 0);   // late with both
  CHECK_FALSE(run_queue.next(1, start + 4s));  // process 1 has the run already
}

TEST_CASE("a run that is late is handed out again where all others have to wait for it") {
  RunQueue run_queue(9, 2);
  CHECK(run_queue.next(1, start) == 0);
  CHECK(run_queue.next(2, start) == 1);
  CHECK(run_queue.done(1, 2, start + 1s));
  CHECK_FALSE(run_queue.next(2, start + 2s));
  CHECK_FALSE(run_queue.is_shared(0));
  CHECK(run_queue.next(2, start + 4s) == 0);
  CHECK(run_queue.is_shared(0));
  CHECK(run_queue.lost(1) == 0);  // another one has it
}

TEST_CASE("nothing is handed out twice while nothing is known of how long a run takes") {
  RunQueue run_queue(1, 10);
  CHECK(run_queue.next(1, start) == 0);
  CHECK_FALSE(run_queue.next(0, start + 24h));
}

TEST_CASE("the first answer counts, and a later one changes nothing") {
  RunQueue run_queue(2, 10);
  CHECK(run_queue.next(1, start) == 0);
  CHECK(run_queue.next(1, start) == 1);
  CHECK(run_queue.done(1, 1, start + 1ms));
  CHECK(run_queue.next(0, start + 1s) == 0);
  CHECK(run_queue.done(0, 0, start + 2s));
  CHECK(run_queue.finished());
  CHECK_FALSE(run_queue.done(0, 1, start + 3s));
  run_queue.lost(1);
  CHECK(run_queue.finished());
  CHECK_FALSE(run_queue.next(0, start + 9s));
}

TEST_CASE("an outcome is unpacked as it was packed, and nothing else is taken for one") {
  const Outcome outcome = test::busy_outcome();
  const std::vector<std::byte> bytes = packed(outcome);
  CHECK(unpacked(bytes) == outcome);
  CHECK_THROWS_AS(static_cast<void>(unpacked({})), UnreadableFile);
  std::vector<std::byte> half(bytes.begin(),
                              bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 2));
  CHECK_THROWS_AS(static_cast<void>(unpacked(half)), UnreadableFile);
  half.assign(5000, std::byte{7});
  CHECK_THROWS_AS(static_cast<void>(unpacked(half)), UnreadableFile);
}

}  // namespace rhizome::scenarios::run_queue_test
