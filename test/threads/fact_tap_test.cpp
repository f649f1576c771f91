// Several threads note while one reads.
#include "core/engine/fact_tap.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "core/engine/board.hpp"
#include "test/support/protocols.hpp"

namespace rhizome::core::fact_tap_test {

namespace {

constexpr std::uint32_t writers = 4;
constexpr std::uint32_t each = 20'000;

void write(Board& board, PeerId peer) {
  Bytes payload;
  for (std::uint32_t number = 0; number < each; ++number) {
    payload.clear();
    encode(test::Got{number, peer}, payload);
    board.note(peer, {}, Time{Duration(number)}, {&test::Got::info, payload});
  }
}

// What a reader has been handed by each peer.
class Listener {
 public:
  void read(Board& board) {
    board.tap().take([this](const TappedFact& tapped) {
      test::Got got;
      broken_ += decode(tapped.payload, got) == DecodeError::none ? 0 : 1;
      broken_ += got.from == tapped.peer && tapped.at == Time{Duration(got.number)} ? 0 : 1;
      std::uint32_t& next = next_[tapped.peer.value];
      broken_ += got.number >= next ? 0 : 1;
      next = got.number + 1;
      ++taken_;
    });
  }
  // Not as they were noted, or not in their order.
  [[nodiscard]] std::uint64_t broken() const { return broken_; }
  [[nodiscard]] std::uint64_t taken() const { return taken_; }

 private:
  std::array<std::uint32_t, writers> next_{};
  std::uint64_t broken_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace

TEST_CASE("whatever several threads note is taken in the order of each, or is lost and counted") {
  for (const std::size_t facts : {2U, 64U, 1U << 20U}) {
    CAPTURE(facts);
    Board board(writers, {.facts = facts});
    Listener reader;
    std::atomic<std::uint32_t> left{writers};
    std::vector<std::thread> threads;
    for (std::uint32_t peer = 0; peer < writers; ++peer)
      threads.emplace_back([&board, &left, peer] {
        write(board, PeerId{peer});
        --left;
      });
    while (left > 0) reader.read(board);
    for (std::thread& thread : threads) thread.join();
    reader.read(board);
    CHECK(reader.broken() == 0);
    CHECK(reader.taken() > 0);
    CHECK(reader.taken() + board.tap().lost() == writers * each);
    CHECK(board.tally().count(test::Got::info) == writers * each);
    if (facts > writers * each) CHECK(board.tap().lost() == 0);
  }
}

}  // namespace rhizome::core::fact_tap_test
