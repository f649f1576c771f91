// A mesh: the links of this process to all others of a run or a session. One encrypted connection
// per pair, keys that exist in memory only, and nobody let in who is not of the launch.
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

// In real time.
struct MeshOptions {
  ProcessIdentity process;
  std::string address = "127.0.0.1";  // of this host, to listen on
  std::optional<PortRange> ports{};   // there; none: those that the system chooses
  // A process that is silent for so long is given up. Less notices a dead process sooner;
  // more waits for a process that only stood still.
  std::chrono::milliseconds dead_after{10'000};
  std::chrono::milliseconds join_within{30'000};  // all links, once all descriptors are known
  // Whoever leaves waits so long for the others to have heard all that it said. Less, and what it
  // said last may be lost where another stands still; more only waits longer for such a one.
  std::chrono::milliseconds leave_within{5'000};
  // Packets that may wait for one process, in bytes; more are dropped as congested.
  std::size_t send_queue = std::size_t{64} << 20U;
};

class Mesh {
 public:
  // Gathers the descriptors, and waits until all links are up and the clock of process 0 is known.
  // Throws Unreachable, which names the processes that are missing or differ.
  Mesh(Rendezvous& rendezvous, const MeshOptions& options);
  // Says goodbye, and closes the links once all others have heard what was said here, so far as
  // they are not lost: it is no loss to them, but that of process 0, without whom nobody goes on.
  ~Mesh();
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;

  [[nodiscard]] std::uint32_t rank() const;
  [[nodiscard]] std::uint32_t size() const;
  [[nodiscard]] const ProcessIdentity& process(std::uint32_t rank) const;
  // "process 1 on HOST".
  [[nodiscard]] std::string name_of(std::uint32_t rank) const;

  // Of any size; forgotten where that process is lost.
  void send(std::uint32_t to, const Bytes& parcel);
  // The next one. Returns nothing after that time, or where somebody is lost meanwhile.
  [[nodiscard]] std::optional<Parcel> receive(std::chrono::nanoseconds wait);

  [[nodiscard]] std::optional<ProcessLoss> loss_of(std::uint32_t process) const;
  [[nodiscard]] std::vector<ProcessLoss> losses() const;
  // Connections of others that were refused here.
  [[nodiscard]] std::uint64_t strangers() const;
  // The clock here less that of process 0, which knows its own.
  [[nodiscard]] ClockOffset clock() const;
  // At process 0: how far those of all others may be from what they took them for when they joined.
  [[nodiscard]] std::chrono::nanoseconds clock_bound() const;

 private:
  class Net;
  friend class Crossing;

  std::unique_ptr<Net> net_;
};

}  // namespace rhizome::core
