// Views: which peers a peer knows in the overlays that it keeps, as an observer of a run may see
// them. They are long and change often, so that they are shown only once an observer wants them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/peer/gauge.hpp"
#include "core/peer/ids.hpp"

namespace rhizome::core {

// The purpose of an overlay's view: a sample of all peers, or the peers that suit the holder best.
// A protocol that keeps a view declares it,
//   static constexpr core::ViewKind view_kind = core::ViewKind::random;
// and has view(), a range of links whose `peer` is the peer that they lead to.
enum class ViewKind : std::uint8_t { random, similar, last = similar };
[[nodiscard]] std::string_view name_of(ViewKind kind);
inline constexpr std::size_t view_kinds = static_cast<std::size_t>(ViewKind::last) + 1;

// The present view of one peer in one overlay. One thread writes it, and any thread may read it: a
// thread that reads during a write sees a mixture of the old and the new view.
class ShownView {
 public:
  void show(std::span<const PeerId> view);
  // The peers in the view, ascending, each once. May be called from any thread.
  [[nodiscard]] std::vector<PeerId> get() const;

 private:
  // Room for so many links. It stays once it has been shown, because a thread may still read it.
  struct Room {
    explicit Room(std::size_t most) : peers(most) {}
    std::vector<Count32> peers;
    Count32 size;  // of the view
  };
  Room& room_for(std::size_t links);

  std::vector<std::unique_ptr<Room>> rooms_;  // of the writer
  std::atomic<const Room*> present_{nullptr};
};

// The views of all peers.
class Views {
 public:
  explicit Views(std::uint32_t peers) : of_(peers) {}
  [[nodiscard]] ShownView& of(PeerId peer, ViewKind kind) {
    return of_[peer.value][static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] const ShownView& of(PeerId peer, ViewKind kind) const {
    return of_[peer.value][static_cast<std::size_t>(kind)];
  }

 private:
  std::vector<std::array<ShownView, view_kinds>> of_;
};

}  // namespace rhizome::core
