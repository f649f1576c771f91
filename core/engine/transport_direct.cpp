#include <deque>
#include <mutex>
#include <string>

#include "core/engine/transport_socket.hpp"

namespace rhizome::core {

namespace {

// The sending end of one inbox, and the lock that its senders take turns with.
struct SendQueue {
  SendQueue(zmq::socket_t push_socket, zmq::socket_t pull)
      : push(std::move(push_socket)), inbox(std::move(pull)) {}
  std::mutex mutex;
  zmq::socket_t push;
  SocketInbox inbox;
};

class DirectTransport final : public Transport {
 public:
  explicit DirectTransport(std::uint32_t peers) : context_(make_context(2 * peers + 16)) {
    for (std::uint32_t i = 0; i < peers; ++i) open(i);
  }

  void send(PeerId to, const Envelope& envelope, std::span<const std::byte> payload) override {
    zmq::message_t message = frame(envelope, payload);
    SendQueue& send_queue = send_queues_[to.value];
    {
      const std::scoped_lock turn(send_queue.mutex);
      send_queue.push.send(message, zmq::send_flags::dontwait);
    }
    send_queue.inbox.announce();
  }

  [[nodiscard]] Inbox& inbox(PeerId peer) override { return send_queues_[peer.value].inbox; }

  void close() override { send_queues_.clear(); }

 private:
  void open(std::uint32_t peer) {
    const std::string address = "inproc://" + std::to_string(peer);
    zmq::socket_t pull = make_socket(context_, zmq::socket_type::pull);
    pull.bind(address);
    zmq::socket_t push = make_socket(context_, zmq::socket_type::push);
    push.connect(address);
    send_queues_.emplace_back(std::move(push), std::move(pull));
  }

  zmq::context_t context_;
  std::deque<SendQueue> send_queues_;
};

}  // namespace

std::unique_ptr<Transport> make_direct_transport(std::uint32_t peers) {
  return opened<DirectTransport>(peers);
}

}  // namespace rhizome::core
