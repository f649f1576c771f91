// The cost of a link between two processes, encrypted or plain, on the loopback: for frames of one
// record, and of a full batch.
#include <chrono>
#include <cstddef>
#include <memory>
#include <thread>

#include "core/mesh/admission.hpp"
#include "core/mesh/wire.hpp"
#include "test/bench/links.hpp"

namespace rhizome::bench {

namespace {

// The two ends of a link. Each is used by one thread at a time.
class Path {
 public:
  Path() = default;
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;
  virtual ~Path() = default;
  virtual bool send(std::size_t end, const core::Bytes& frame) = 0;
  virtual bool receive(std::size_t end) = 0;
  // Waits until a frame has come there, or can be sent, for 10 ms at most.
  void wait(std::size_t end, bool to_send) {
    zmq::pollitem_t item = to_poll(end, to_send);
    item.events = to_send ? ZMQ_POLLOUT : ZMQ_POLLIN;
    zmq::poll(&item, 1, std::chrono::milliseconds(10));
  }

 private:
  virtual zmq::pollitem_t to_poll(std::size_t end, bool to_send) = 0;
};

class Encrypted final : public Path {
 public:
  Encrypted() {
    const std::string endpoint = ends_[0].listen("127.0.0.1");
    admission_.expect(1, connecting_.open);
    ends_[0].accept(source_.text());
    source_.share();
    ends_[1].connect(endpoint, listening_.open, source_.port());
    while (!ends_[1].send({}) || !receive(0)) admission_.answer();
  }
  bool send(std::size_t end, const core::Bytes& frame) override { return ends_[end].send(frame); }
  bool receive(std::size_t end) override { return ends_[end].receive().has_value(); }

 private:
  zmq::pollitem_t to_poll(std::size_t end, bool to_send) override {
    return ends_[end].to_poll(to_send);
  }
  zmq::context_t context_;
  core::Admission admission_{context_};
  const core::KeyPair listening_ = core::KeyPair::make();
  const core::KeyPair connecting_ = core::KeyPair::make();
  const core::Source source_{"127.0.0.1"};
  core::Wire ends_[2]{{context_, listening_, 1}, {context_, connecting_, 0}};
};

class Plain final : public Path {
 public:
  Plain() {
    ends_[0].bind("tcp://127.0.0.1:*");
    ends_[1].connect(ends_[0].get(zmq::sockopt::last_endpoint));
    while (!send(1, {}) || !receive(0)) {
    }
  }
  bool send(std::size_t end, const core::Bytes& frame) override {
    return ends_[end]
        .send(zmq::buffer(frame.data(), frame.size()), zmq::send_flags::dontwait)
        .has_value();
  }
  bool receive(std::size_t end) override {
    return ends_[end].recv(messages_[end], zmq::recv_flags::dontwait).has_value();
  }

 private:
  zmq::pollitem_t to_poll(std::size_t end, bool) override {
    return {ends_[end].handle(), 0, ZMQ_POLLIN, 0};
  }
  static zmq::socket_t made(zmq::context_t& context) {
    zmq::socket_t socket(context, zmq::socket_type::dealer);
    socket.set(zmq::sockopt::sndhwm, 16);
    socket.set(zmq::sockopt::rcvhwm, 16);
    socket.set(zmq::sockopt::linger, 0);
    return socket;
  }
  zmq::context_t context_;
  zmq::socket_t ends_[2]{made(context_), made(context_)};
  zmq::message_t messages_[2];
};

std::unique_ptr<Path> make(bool encrypted) {
  if (encrypted) return std::make_unique<Encrypted>();
  return std::make_unique<Plain>();
}

}  // namespace

Run frames_one_way(bool encrypted, std::size_t bytes) {
  return [=](const BenchLoad& load) {
    const auto path = make(encrypted);
    const core::Bytes frame(bytes);
    const Stopwatch running;
    std::jthread sender([&](const std::stop_token& stop) {
      while (!stop.stop_requested())
        if (!path->send(1, frame)) path->wait(1, true);
    });
    double count = 0;
    while (running.seconds() < load.seconds) {
      if (path->receive(0))
        ++count;
      else
        path->wait(0, false);
    }
    return Measurement{.count = count, .seconds = running.seconds()};
  };
}

}  // namespace rhizome::bench
