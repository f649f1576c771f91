// Admission: decides who may connect. Each listening wire admits exactly one process, once, by its
// key (ZAP, ZeroMQ's RFC 27). Without it, every process that knows the key of the listening end
// would be admitted.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <zmq.hpp>

namespace rhizome::core {

// Used by one thread at a time. A process that asks while no thread answers waits.
class Admission {
 public:
  // To be made before the first wire listens.
  explicit Admission(zmq::context_t& context);

  // Sets the key of the process that the wire of that number awaits. Throws Unreachable for an
  // invalid key.
  void expect(std::uint32_t process, const std::string& key);
  // Answers the processes that ask now.
  void answer();
  [[nodiscard]] zmq::pollitem_t to_poll() { return {socket_.handle(), 0, ZMQ_POLLIN, 0}; }

 private:
  using Key = std::array<char, 32>;
  // Whether the connection is admitted, at most once for each domain.
  [[nodiscard]] bool admits(const std::string& domain, const std::string& mechanism,
                            const std::string& key);

  zmq::socket_t socket_;
  std::map<std::string, std::string> keys_;  // by domain, of processes that have not connected yet
};

}  // namespace rhizome::core
