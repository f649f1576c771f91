// The way of a packet in virtual time: its sender's line, the links, its receiver's line.
#include "core/engine/virtual_run.hpp"

namespace rhizome::core {

void VirtualEngine::Run::send(Host& sender, const Send& send) {
  const Packet packet = effects_.packet(send);
  PacketHeader header = packet.header;
  const std::size_t bytes = setup_.ballast.weigh(packet);
  sender.recorder.sent(now_, header, bytes);
  if (header.to.value >= hosts_.size()) {
    sender.recorder.dropped(Drop::unreachable);
    return;
  }
  header.to_incarnation = hosts_[header.to.value].incarnation;
  if (!has_line(header)) {
    transmit(sender, header, packet.payload);
    return;
  }
  agenda_.push(lines_[header.from.value].send(now_, bytes),
               {.kind = Due::Kind::departure,
                .slot = store_.put(header, packet.payload),
                .peer = header.from,
                .incarnation = sender.incarnation});
}

// What links do to a packet that sets out now.
void VirtualEngine::Run::transmit(Host& sender, PacketHeader header,
                                  std::span<const std::byte> payload) {
  const auto next = has_line(header) ? Due::Kind::arrival : Due::Kind::packet;
  const Transmission fate = setup_.links->judge(now_, header, sender.link_rng);
  if (fate.copies > 1) sender.recorder.duplicated();
  for (std::uint8_t copy = 0; copy < fate.arriving; ++copy) {
    header.due = now_ + fate.after[copy];
    agenda_.push(header.due, {.kind = next,
                              .slot = store_.put(header, payload),
                              .peer = header.to,
                              .timer = {.service = header.service}});
  }
  for (int lost = fate.copies - fate.arriving; lost > 0; --lost) sender.recorder.dropped(fate.why);
}

// Lines are no events of a run, which ends with what its peers do.
bool VirtualEngine::Run::depart(const Due& due) {
  const Packet packet = store_.get(due.slot);
  Host& sender = hosts_[due.peer.value];
  if (lines_[due.peer.value].lost(due.incarnation))
    sender.recorder.dropped(Drop::lost);
  else
    transmit(sender, packet.header, packet.payload);
  store_.release(due.slot);
  return false;
}

bool VirtualEngine::Run::arrive(const Due& due) {
  const Packet packet = store_.get(due.slot);
  const Host& host = hosts_[packet.header.to.value];
  if (!host.peer || host.incarnation != packet.header.to_incarnation)
    return handle_packet(due.slot);  // which drops it
  AccessLine& line = lines_[packet.header.to.value];
  const Time passed = line.receive(now_, setup_.ballast.weigh(packet));
  store_.postpone(due.slot, passed);
  Due arrived = due;
  arrived.kind = Due::Kind::packet;
  agenda_.push(passed, arrived);
  return false;
}

bool VirtualEngine::Run::handle_packet(std::uint32_t slot) {
  const Packet packet = store_.get(slot);
  const PeerId to = packet.header.to;
  Host& host = hosts_[to.value];
  effects_.clear();
  if (!host.peer) {
    host.recorder.dropped(Drop::down);
  } else if (host.incarnation != packet.header.to_incarnation) {
    host.recorder.dropped(Drop::stale);
  } else {
    ++events_;
    host.peer->deliver(now_, packet, effects_);
    const bool refused =
        !effects_.list.empty() && std::holds_alternative<Refuse>(effects_.list.front());
    if (!refused) host.recorder.received(now_, packet.header, setup_.ballast.weigh(packet));
    perform(host, to);
  }
  store_.release(slot);
  return true;
}

}  // namespace rhizome::core
