// The mailbox of a process: messages from all its links that are not for peers, and the state of
// the links.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/mesh/clock_offset.hpp"
#include "core/mesh/loss.hpp"
#include "core/peer/codec.hpp"

namespace rhizome::core {

struct Parcel {
  std::uint32_t from = 0;  // process
  Bytes bytes;
};

// Filled by the thread of the mesh, and emptied by those that use it.
class Mailbox {
 public:
  explicit Mailbox(std::uint32_t processes) : standing_(processes), pieces_(processes) {}

  void put_letter(std::uint32_t run, std::uint32_t from, std::span<const std::byte> text);
  void put_piece(std::uint32_t from, std::span<const std::byte> piece, bool more_follows);
  void put_loss(ProcessLoss loss);
  void put_ping(const PingTimes& ping);  // to process 0, answered
  void came_up(std::uint32_t process);
  void put_ready(std::uint32_t process, std::chrono::nanoseconds clock_bound);
  void put_left(std::uint32_t process);

  // The next letter of that run: those of former runs are dropped, and those of later ones kept.
  [[nodiscard]] std::optional<Parcel> take_letter(std::uint32_t run, std::chrono::nanoseconds wait);
  // Returns early with nothing where a process is lost meanwhile.
  [[nodiscard]] std::optional<Parcel> take_parcel(std::chrono::nanoseconds wait);
  [[nodiscard]] std::optional<ProcessLoss> loss_of(std::uint32_t process) const;
  [[nodiscard]] std::vector<ProcessLoss> losses() const;
  [[nodiscard]] ClockOffset clock() const;

  // The state of a process, as far as it is known here.
  struct Standing {
    bool up = false;
    bool left = false;
    std::optional<std::chrono::nanoseconds> clock_bound{};  // once it is ready
  };
  [[nodiscard]] std::vector<Standing> standing() const;

  // What this process waits for before its first run.
  struct Beginning {
    std::uint32_t up = 0;     // processes that are up
    std::uint32_t ready = 0;  // processes that are ready
    std::uint32_t pings = 0;  // answers to pings
  };
  // False if that has not come about by then, or if a process is lost or has left.
  [[nodiscard]] bool wait_for(const Beginning& beginning,
                              std::chrono::steady_clock::time_point deadline);

 private:
  struct Letter {
    std::uint32_t run = 0;
    Parcel content;
  };

  [[nodiscard]] std::optional<Parcel> first_letter(std::uint32_t run);
  [[nodiscard]] bool has_come(const Beginning& beginning) const;
  [[nodiscard]] bool somebody_has_gone() const;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Letter> letters_;
  std::deque<Parcel> parcels_;
  std::vector<ProcessLoss> losses_;
  ClockOffset clock_;
  std::vector<Standing> standing_;  // by process
  std::vector<Bytes> pieces_;       // by process: of an incomplete parcel
};

}  // namespace rhizome::core
