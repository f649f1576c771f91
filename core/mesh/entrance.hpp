// The entrance of a process: where the records of other processes come in, for the run that goes
// on. It lets in only what the sender may send.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/engine/gateway.hpp"
#include "core/engine/share.hpp"
#include "core/mesh/record.hpp"

namespace rhizome::core {

// A run of several processes, with the peers that each of them runs.
struct RunOfMany {
  std::uint32_t number = 0;  // ascending, the same in all processes
  Share share;               // of this process
  std::uint32_t peers = 0;
  std::vector<std::uint32_t> processes{};  // by share

  [[nodiscard]] std::optional<std::uint32_t> share_of_process(std::uint32_t process) const;
};

// The thread of the run opens and closes it, and the thread of the mesh fills it.
class Entrance {
 public:
  explicit Entrance(std::uint32_t processes) : came_(processes) {}

  // Passes packets to `inside` until it is closed. Packets are counted from 0.
  void open(const RunOfMany& run, Gateway& inside);
  // Returns once nothing goes in any more.
  void close();

  // Takes the records of a batch. False if one of them cannot be read, comes from a peer that
  // another process runs, or is for a peer that this process does not run: the records before it
  // have been passed on. A batch of a run that is over is ignored.
  [[nodiscard]] bool take(std::uint32_t process, std::uint32_t run,
                          std::span<const std::byte> batch);

  struct Came {
    std::uint64_t packets = 0;
    std::uint64_t all = 0;  // packets and news of lives
  };
  // The packets that came from that process, in the run that was opened last.
  [[nodiscard]] Came came_from(std::uint32_t process) const;

 private:
  [[nodiscard]] bool admits(std::uint32_t share, PeerId from) const;
  [[nodiscard]] bool take(std::uint32_t share, Came& came, const Packet& packet);
  [[nodiscard]] bool take(std::uint32_t share, Came& came, const NewLife& news);

  mutable std::mutex mutex_;
  RunOfMany run_;
  Gateway* inside_ = nullptr;
  std::vector<Came> came_;  // by process
};

}  // namespace rhizome::core
