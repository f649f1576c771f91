#include "core/mesh/admission.hpp"

#include <vector>

#include "core/mesh/rendezvous.hpp"
#include "core/mesh/wire.hpp"

namespace rhizome::core {

Admission::Admission(zmq::context_t& context) : socket_(context, zmq::socket_type::rep) {
  socket_.set(zmq::sockopt::linger, 0);
  socket_.bind("inproc://zeromq.zap.01");
}

void Admission::expect(std::uint32_t process, const std::string& key) {
  Key raw{};
  constexpr std::size_t letters = 40;
  if (key.size() != letters ||
      zmq_z85_decode(reinterpret_cast<std::uint8_t*>(raw.data()), key.c_str()) == nullptr)
    throw Unreachable("the descriptor of process " + std::to_string(process) + " has no key");
  keys_[Wire::domain_of(process)] = std::string(raw.data(), raw.size());
}

// A request is: version, its number, domain, address, routing id, mechanism, credentials.
void Admission::answer() {
  std::vector<std::string> request;
  zmq::message_t part;
  while (socket_.recv(part, zmq::recv_flags::dontwait)) {
    request.push_back(part.to_string());
    if (part.more()) continue;
    const bool in = request.size() == 7 && admits(request[2], request[5], request[6]);
    const std::vector<std::string> reply{
        "1.0", request.size() > 1 ? request[1] : "", in ? "200" : "400", in ? "" : "unknown", "",
        ""};
    for (std::size_t i = 0; i < reply.size(); ++i)
      static_cast<void>(socket_.send(zmq::buffer(reply[i]), i + 1 < reply.size()
                                                                ? zmq::send_flags::sndmore
                                                                : zmq::send_flags::none));
    request.clear();
  }
}

bool Admission::admits(const std::string& domain, const std::string& mechanism,
                       const std::string& key) {
  const auto expected = keys_.find(domain);
  if (mechanism != "CURVE" || expected == keys_.end() || expected->second != key) return false;
  keys_.erase(expected);
  return true;
}

}  // namespace rhizome::core
