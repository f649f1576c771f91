// Limits what one statement may read from a store, which may come from an untrusted source. Pages
// of a damaged file can refer to each other in a cycle, so that few pages give endless rows. So the
// bytes that a statement returns, and the SQLite instructions that it executes, are limited in
// proportion to the size of the file.
#pragma once

#include <algorithm>
#include <cstdint>

namespace rhizome::scenarios {

class Allowance {
 public:
  // SQLite calls take_turn() after so many instructions.
  static constexpr int turn = 100'000;

  // `file`: the size of the file in bytes. A statement may return four times as many bytes, because
  // a view of our own repeats a few columns. A row takes less than one instruction for each byte;
  // sorting and sums take more.
  explicit Allowance(std::uint64_t file)
      : most_bytes_(4 * std::min(file, longest) + (1U << 20U)),
        most_turns_(100 + 16 * std::min(file, longest) / turn) {}

  // Resets the allowance for the next statement.
  void renew() { bytes_ = turns_ = 0; }
  // Counts returned bytes. Returns false where the statement has returned too many.
  [[nodiscard]] bool give(std::uint64_t bytes) {
    given_ += bytes;
    return explains(bytes_ += bytes);
  }
  // All bytes that statements have returned.
  [[nodiscard]] std::uint64_t given() const { return given_; }
  // Whether the file can hold so many bytes.
  [[nodiscard]] bool explains(std::uint64_t bytes) const { return bytes <= most_bytes_; }
  // Counts a turn of instructions. Returns false where the statement has taken too many.
  [[nodiscard]] bool take_turn() { return ++turns_ <= most_turns_; }

 private:
  static constexpr std::uint64_t longest = std::uint64_t{1} << 50U;
  std::uint64_t most_bytes_;
  std::uint64_t most_turns_;
  std::uint64_t bytes_ = 0;
  std::uint64_t given_ = 0;
  std::uint64_t turns_ = 0;
};

}  // namespace rhizome::scenarios
