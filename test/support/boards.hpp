// Boards made by hand: the test writes the recorders of their peers.
#pragma once

#include <cstdint>
#include <deque>

#include "core/engine/board.hpp"
#include "core/peer/codec.hpp"

namespace rhizome::test {

class HandmadeBoard {
 public:
  explicit HandmadeBoard(std::uint32_t peers) : board_(peers) {
    for (std::uint32_t i = 0; i < peers; ++i) {
      board_.show(core::PeerId{i}, recorders_.emplace_back());
      recorder(i).vitals().is({.life = {}, .alive = true});
    }
  }

  [[nodiscard]] core::Board& board() { return board_; }
  [[nodiscard]] core::Recorder& recorder(std::uint32_t peer) { return recorders_[peer]; }
  void send(std::uint32_t peer, core::MessageClass kind) {
    recorder(peer).sent(board_.now(), {.message_class = kind}, 100);
  }
  template <class F>
  void note(std::uint32_t peer, const F& fact) {
    core::Bytes payload;
    core::encode(fact, payload);
    recorder(peer).note(board_.now(), {&F::info, payload});
  }

 private:
  std::deque<core::Recorder> recorders_;
  core::Board board_;
};

}  // namespace rhizome::test
