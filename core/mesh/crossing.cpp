#include "core/mesh/crossing.hpp"

#include <utility>

#include "core/mesh/net.hpp"

namespace rhizome::core {

Crossing::Crossing(Mesh& mesh, RunOfMany run)
    : net_(*mesh.net_), send_queues_(net_.send_queues), run_(std::move(run)) {
  for (SendQueue& send_queue : send_queues_->to) send_queue.begin(run_.number);
}

Crossing::~Crossing() { close(); }

void Crossing::open(Gateway& inside) { net_.arrivals.entrance.open(run_, inside); }

void Crossing::close() { net_.arrivals.entrance.close(); }

CrossingLedger Crossing::ledger(std::uint32_t share) const {
  const std::uint32_t process = run_.processes[share];
  const Entrance::Came came = net_.arrivals.entrance.came_from(process);
  const SendQueue& send_queue = send_queues_->to[process];
  return {.handed_over = send_queue.packets(),
          .received = came.packets,
          .came_in = came.all,
          .burdens = send_queue.burdens()};
}

std::optional<Drop> Crossing::put(const PacketHeader& header, std::span<const std::byte> payload) {
  return send_queues_->to[run_.processes[run_.share.share_of(header.to)]].put(header, payload);
}

void Crossing::begins(PeerId peer, Incarnation life) {
  for (std::uint32_t share = 0; share < run_.processes.size(); ++share)
    if (share != run_.share.number()) send_queues_->to[run_.processes[share]].begins({peer, life});
}

auto Crossing::gone(std::uint32_t share) const -> std::optional<Gone> {
  const std::uint32_t process = run_.processes[share];
  const auto loss = net_.arrivals.mailbox.loss_of(process);
  if (!loss) return {};
  return Gone{net_.name_of(process) + " is lost: " + loss->why, ledger(share).came_in};
}

void Crossing::send(std::uint32_t to, const Bytes& message) {
  send_queues_->to[run_.processes[to]].say(frame_of(LinkFrame::Kind::letter, run_.number, message));
}

auto Crossing::receive(std::chrono::nanoseconds wait) -> std::optional<Letter> {
  auto letter = net_.arrivals.mailbox.take_letter(run_.number, wait);
  if (!letter) return {};
  const auto share = run_.share_of_process(letter->from);
  if (!share)
    throw ShareFailed(net_.name_of(letter->from) + " speaks of a run that it has no share of");
  return Letter{*share, std::move(letter->bytes)};
}

std::chrono::nanoseconds Crossing::clock_offset() const {
  return net_.arrivals.mailbox.clock().offset();
}

std::chrono::nanoseconds Crossing::clock_bound() const {
  return net_.arrivals.mailbox.clock().bound(std::chrono::steady_clock::now().time_since_epoch());
}

}  // namespace rhizome::core
