#include "core/mesh/entrance.hpp"

#include <algorithm>

namespace rhizome::core {

std::optional<std::uint32_t> RunOfMany::share_of_process(std::uint32_t process) const {
  const auto found = std::find(processes.begin(), processes.end(), process);
  if (found == processes.end()) return {};
  return static_cast<std::uint32_t>(found - processes.begin());
}

void Entrance::open(const RunOfMany& run, Gateway& inside) {
  const std::scoped_lock lock(mutex_);
  run_ = run;
  inside_ = &inside;
  std::fill(came_.begin(), came_.end(), Came{});
}

void Entrance::close() {
  const std::scoped_lock lock(mutex_);
  inside_ = nullptr;
}

bool Entrance::take(std::uint32_t process, std::uint32_t run, std::span<const std::byte> batch) {
  const std::scoped_lock lock(mutex_);
  if (inside_ == nullptr || run != run_.number) return true;
  const auto share = run_.share_of_process(process);
  if (!share) return false;
  while (!batch.empty()) {
    const auto record = take_record(batch);
    if (!record ||
        !std::visit([&](const auto& it) { return take(*share, came_[process], it); }, *record))
      return false;
  }
  return true;
}

bool Entrance::admits(std::uint32_t share, PeerId from) const {
  return from.value < run_.peers && run_.share.share_of(from) == share;
}

bool Entrance::take(std::uint32_t share, Came& came, const Packet& packet) {
  const PacketHeader& header = packet.header;
  if (!admits(share, header.from) || !admits(run_.share.number(), header.to)) return false;
  ++came.packets;
  ++came.all;
  static_cast<void>(inside_->put(header, packet.payload));
  return true;
}

bool Entrance::take(std::uint32_t share, Came& came, const NewLife& news) {
  if (!admits(share, news.peer)) return false;
  ++came.all;
  inside_->begins(news.peer, news.life);
  return true;
}

Entrance::Came Entrance::came_from(std::uint32_t process) const {
  const std::scoped_lock lock(mutex_);
  return came_[process];
}

}  // namespace rhizome::core
