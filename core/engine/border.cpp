#include "core/engine/border.hpp"

#include <stdexcept>
#include <string>

namespace rhizome::core {

Border::Border(Share share, std::uint32_t peers, std::unique_ptr<Transport> local, Gateway& gateway,
               Directory& directory)
    : share_(std::move(share)),
      slots_(peers, no_peer),
      local_(std::move(local)),
      gateway_(gateway),
      directory_(directory),
      handed_over_(share_.shares()) {
  std::uint32_t slot = 0;
  for (const PeerId peer : share_.peers_of(peers)) slots_[peer.value] = PeerId{slot++};
}

std::optional<Drop> Border::carry(const PacketHeader& header, std::span<const std::byte> payload) {
  if (share_.runs(header.to)) {
    send(header.to, {.event = HostEvent{HostEvent::Kind::packet}, .header = header}, payload);
    return {};
  }
  if (const auto refused = gateway_.put(header, payload)) return refused;
  handed_over_[share_.share_of(header.to)].fetch_add(1, std::memory_order_relaxed);
  return {};
}

void Border::tell(PeerId peer, Incarnation life) {
  for (std::uint32_t share = 0; share < handed_over_.size(); ++share)
    if (share != share_.number()) handed_over_[share].fetch_add(1, std::memory_order_relaxed);
  gateway_.begins(peer, life);
}

std::optional<Drop> Border::put(const PacketHeader& header, std::span<const std::byte> payload) {
  if (header.to.value >= slots_.size() || !share_.runs(header.to))
    throw std::logic_error("a packet for peer " + std::to_string(header.to.value) +
                           " came to share " + std::to_string(share_.number()) +
                           ", which does not run it");
  PacketHeader come = header;
  if (now_) come.due = now_();
  send(come.to, {.event = HostEvent{HostEvent::Kind::packet}, .header = come}, payload);
  count_in();
  return {};
}

void Border::begins(PeerId peer, Incarnation life) {
  directory_.begins(peer, life);
  count_in();
}

void Border::count_in() {
  if (came_in_.fetch_add(1) + 1 < awaited_) return;
  const std::scoped_lock lock(mutex_);
  awaited_came_.notify_all();
}

bool Border::wait_for(std::uint64_t expected, std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  awaited_ = expected;
  return awaited_came_.wait_until(lock, deadline, [&] { return came_in_ >= expected; });
}

std::vector<std::uint64_t> Border::handed_over() const {
  return {handed_over_.begin(), handed_over_.end()};
}

}  // namespace rhizome::core
