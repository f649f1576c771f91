// What a mesh is made of. Included by mesh.cpp and crossing.cpp only.
#pragma once

#include <thread>

#include "core/mesh/courier.hpp"
#include "core/mesh/mesh.hpp"

namespace rhizome::core {

class Mesh::Net {
 public:
  Net(Rendezvous& rendezvous, const MeshOptions& options);
  ~Net();
  Net(const Net&) = delete;
  Net& operator=(const Net&) = delete;

  std::uint32_t rank;
  std::uint32_t size;
  std::vector<Card> cards;
  std::shared_ptr<Lanes> lanes;
  Arrivals arrivals;

  // Throws Unreachable.
  void wait_for_all(const MeshOptions& options);
  [[nodiscard]] std::string name_of(std::uint32_t process) const;

 private:
  void join(Rendezvous& rendezvous, const MeshOptions& options);
  void start(const MeshOptions& options, std::unique_ptr<Admission> admission,
             std::vector<std::unique_ptr<Wire>> wires);

  zmq::context_t context_{1};
  const KeyPair keys_ = KeyPair::make();
  std::optional<Courier> courier_;
  std::thread thread_;
};

}  // namespace rhizome::core
