#include <array>
#include <cstring>
#include <deque>
#include <mutex>
#include <string>

#include "core/engine/transport_socket.hpp"

namespace rhizome::core {

namespace {

constexpr std::uint32_t stripes = 16;

struct Stripe {
  std::mutex mutex;
  zmq::socket_t router;
};

// A routing id must not begin with a zero byte.
std::array<char, 5> routing_id(PeerId peer) {
  std::array<char, 5> id{'p'};
  std::memcpy(id.data() + 1, &peer.value, sizeof(peer.value));
  return id;
}

class StripedTransport final : public Transport {
 public:
  explicit StripedTransport(std::uint32_t peers) : context_(make_context(peers + stripes + 16)) {
    for (std::uint32_t i = 0; i < stripes; ++i) open_router(i);
    for (std::uint32_t i = 0; i < peers; ++i) open_inbox(PeerId{i});
    for (Stripe& stripe : stripes_)  // makes the router take note of all that connected
      static_cast<void>(stripe.router.get(zmq::sockopt::events));
  }

  void send(PeerId to, const Envelope& envelope, std::span<const std::byte> payload) override {
    const auto id = routing_id(to);
    zmq::message_t message = frame(envelope, payload);
    Stripe& stripe = stripes_[to.value % stripes];
    {
      const std::scoped_lock turn(stripe.mutex);
      stripe.router.send(zmq::buffer(id), zmq::send_flags::sndmore);
      stripe.router.send(message, zmq::send_flags::none);
    }
    inboxes_[to.value].announce();
  }

  [[nodiscard]] Inbox& inbox(PeerId peer) override { return inboxes_[peer.value]; }

  void close() override { inboxes_.clear(); }

 private:
  static std::string address(std::uint32_t stripe) {
    return "inproc://stripe-" + std::to_string(stripe);
  }
  void open_router(std::uint32_t i) {
    stripes_[i].router = make_socket(context_, zmq::socket_type::router);
    stripes_[i].router.set(zmq::sockopt::router_mandatory, true);
    stripes_[i].router.bind(address(i));
  }
  void open_inbox(PeerId peer) {
    const auto id = routing_id(peer);
    zmq::socket_t dealer = make_socket(context_, zmq::socket_type::dealer);
    dealer.set(zmq::sockopt::routing_id, std::string_view(id.data(), id.size()));
    dealer.connect(address(peer.value % stripes));
    inboxes_.emplace_back(std::move(dealer));
  }

  zmq::context_t context_;
  std::array<Stripe, stripes> stripes_;
  std::deque<SocketInbox> inboxes_;
};

}  // namespace

std::unique_ptr<Transport> make_striped_transport(std::uint32_t peers) {
  return opened<StripedTransport>(peers);
}

}  // namespace rhizome::core
