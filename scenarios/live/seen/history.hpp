// The history of what a monitor has seen, as far as memory allows. It keeps a state at intervals
// and the frames between, from which it restores each state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "scenarios/live/state.hpp"

namespace rhizome::scenarios::live {

class SeenHistory {
 public:
  // A larger `most_bytes` lets a user go back farther.
  explicit SeenHistory(std::size_t most_bytes = std::size_t{64} << 20U) : most_bytes_(most_bytes) {}

  // Adds a frame and the state after it. Drops the oldest states where they need too much memory.
  void add(const Frame& frame, const State& after);

  // States are numbered from 0 in the order of their arrival. begin() is the first that is kept;
  // end() is one more than the last.
  [[nodiscard]] std::uint64_t begin() const { return begin_; }
  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  // How long the run had been going on at that state, which must be kept.
  [[nodiscard]] core::Duration real_time(std::uint64_t number) const;
  // The state of this number, which must be kept.
  [[nodiscard]] State at(std::uint64_t number) const;

 private:
  // A state, and the frames that followed it.
  struct Stretch {
    std::uint64_t first = 0;
    State state{};
    std::vector<Frame> frames{};
    std::size_t bytes = 0;
  };
  static constexpr std::size_t frames_of_a_stretch = 100;

  [[nodiscard]] const Stretch& stretch_of(std::uint64_t number) const;

  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
  std::deque<Stretch> stretches_;
};

}  // namespace rhizome::scenarios::live
