#include "core/peer/views.hpp"

#include <algorithm>

namespace rhizome::core {

std::string_view name_of(ViewKind kind) { return kind == ViewKind::random ? "random" : "similar"; }

// A growing view moves to a new room, which is published once it is complete.
void ShownView::show(std::span<const PeerId> view) {
  Room& room = room_for(view.size());
  for (std::size_t i = 0; i < view.size(); ++i)
    if (room.peers[i].get() != view[i].value) room.peers[i].set(view[i].value);
  room.size.set(static_cast<std::uint32_t>(view.size()));
  if (present_.load(std::memory_order_relaxed) != &room)
    present_.store(&room, std::memory_order_release);
}

ShownView::Room& ShownView::room_for(std::size_t links) {
  constexpr std::size_t least = 16;
  if (rooms_.empty() || rooms_.back()->peers.size() < links)
    rooms_.push_back(std::make_unique<Room>(std::max(least, 2 * links)));
  return *rooms_.back();
}

std::vector<PeerId> ShownView::get() const {
  const Room* room = present_.load(std::memory_order_acquire);
  if (room == nullptr) return {};
  std::vector<PeerId> peers(room->size.get());
  for (std::size_t i = 0; i < peers.size(); ++i) peers[i] = {room->peers[i].get()};
  std::sort(peers.begin(), peers.end());
  peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
  return peers;
}

}  // namespace rhizome::core
