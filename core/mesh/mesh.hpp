// A mesh: the links of this process to all others of a run or a session. Each pair of processes has
// one encrypted connection, keys exist in memory only, and only processes of the launch are
// admitted.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/mesh/clock_offset.hpp"
#include "core/mesh/loss.hpp"
#include "core/mesh/mailbox.hpp"
#include "core/mesh/ports.hpp"
#include "core/mesh/process_descriptor.hpp"

namespace rhizome::core {

// All durations are real time.
struct MeshOptions {
  ProcessIdentity process;
  std::string address = "127.0.0.1";  // of this host, to listen on
  std::optional<PortRange> ports{};   // there; none: those that the system chooses
  // A process that is silent for so long is given up. Less notices a dead process sooner;
  // more waits for a process that only stood still.
  std::chrono::milliseconds dead_after{10'000};
  std::chrono::milliseconds join_within{30'000};  // all links, once all descriptors are known
  // How long a process that leaves waits until the others have received all that it sent. Less: the
  // last messages may be lost where another process is stopped. More: only a longer wait in that
  // case.
  std::chrono::milliseconds leave_within{5'000};
  // Packets that may wait for one process, in bytes; more are dropped as congested.
  std::size_t send_queue = std::size_t{64} << 20U;
};

class Mesh {
 public:
  // Gathers the descriptors, and waits until all links are up and the clock of process 0 is known.
  // Throws Unreachable, which names the processes that are missing or differ.
  Mesh(Rendezvous& rendezvous, const MeshOptions& options);
  // Says goodbye, and closes the links once all other processes that are not lost have received
  // what was sent here. The others do not count this as a loss, except for process 0, without which
  // no process goes on.
  ~Mesh();
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;

  [[nodiscard]] std::uint32_t rank() const;
  [[nodiscard]] std::uint32_t size() const;
  [[nodiscard]] const ProcessIdentity& process(std::uint32_t rank) const;
  // "process 1 on HOST".
  [[nodiscard]] std::string name_of(std::uint32_t rank) const;

  // Sends a parcel of any size; drops it if that process is lost.
  void send(std::uint32_t to, const Bytes& parcel);
  // The next parcel. Returns nothing after that time, or if a process is lost meanwhile.
  [[nodiscard]] std::optional<Parcel> receive(std::chrono::nanoseconds wait);

  [[nodiscard]] std::optional<ProcessLoss> loss_of(std::uint32_t process) const;
  [[nodiscard]] std::vector<ProcessLoss> losses() const;
  // Connections of others that were refused here.
  [[nodiscard]] std::uint64_t strangers() const;
  // The clock here minus that of process 0; at process 0 it is zero.
  [[nodiscard]] ClockOffset clock() const;
  // At process 0: how much the clocks of all others may differ from the offsets measured when they
  // joined.
  [[nodiscard]] std::chrono::nanoseconds clock_bound() const;

 private:
  class Net;
  friend class Crossing;

  std::unique_ptr<Net> net_;
};

}  // namespace rhizome::core
