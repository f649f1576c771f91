// What a mesh is made of. Included by mesh.cpp and crossing.cpp only.
#pragma once

#include <thread>

#include "core/mesh/io_loop.hpp"
#include "core/mesh/mesh.hpp"
#include "core/mesh/source.hpp"

namespace rhizome::core {

class Mesh::Net {
 public:
  // Throws Unreachable, and LimitExceeded where the system gives too little.
  Net(Rendezvous& rendezvous, const MeshOptions& options);
  ~Net();
  Net(const Net&) = delete;
  Net& operator=(const Net&) = delete;

  std::uint32_t rank;
  std::uint32_t size;
  std::vector<ProcessDescriptor> descriptors;
  std::shared_ptr<SendQueues> send_queues;
  Destinations arrivals;

  [[nodiscard]] std::string name_of(std::uint32_t process) const;
  [[nodiscard]] std::uint64_t strangers() const { return io_loop_->strangers(); }

 private:
  // The constructor delegates to it, so that what fails after it ends as anything else does.
  Net(std::uint32_t its_rank, std::uint32_t its_size, const MeshOptions& options);

  void join(Rendezvous& rendezvous, const MeshOptions& options);
  void start(const MeshOptions& options, std::unique_ptr<Admission> admission,
             std::vector<std::unique_ptr<Wire>> wires);
  // Waits until all links are up and all clocks are known.
  void wait_for_all(const MeshOptions& options);
  [[noreturn]] void complain_of_the_missing() const;

  zmq::context_t context_;
  const KeyPair keys_ = KeyPair::make();
  std::optional<Source> source_{};
  std::optional<IoLoop> io_loop_;
  std::thread thread_;
};

}  // namespace rhizome::core
