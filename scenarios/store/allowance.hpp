// What one statement may take of a store that others may have made. Pages of a file can lead to
// each other, so that a few of them hold rows without end: what is read is therefore held to the
// size of the file, in bytes that it gives and in instructions of SQLite that it takes.
#pragma once

#include <algorithm>
#include <cstdint>

namespace rhizome::scenarios {

class Allowance {
 public:
  // SQLite asks after each turn of so many instructions.
  static constexpr int turn = 100'000;

  // Of a file of that many bytes. Four times as many: a view of our own repeats a few columns. A
  // row takes less than an instruction a byte; sorting and sums take more.
  explicit Allowance(std::uint64_t file)
      : most_bytes_(4 * std::min(file, longest) + (1U << 20U)),
        most_turns_(100 + 16 * std::min(file, longest) / turn) {}

  // A statement begins.
  void renew() { bytes_ = turns_ = 0; }
  // False where it has given too much with these.
  [[nodiscard]] bool give(std::uint64_t bytes) { return (bytes_ += bytes) <= most_bytes_; }
  // False where it has taken too many.
  [[nodiscard]] bool take_turn() { return ++turns_ <= most_turns_; }

 private:
  static constexpr std::uint64_t longest = std::uint64_t{1} << 50U;
  std::uint64_t most_bytes_;
  std::uint64_t most_turns_;
  std::uint64_t bytes_ = 0;
  std::uint64_t turns_ = 0;
};

}  // namespace rhizome::scenarios
