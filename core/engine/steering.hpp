// Steering: faults by hand. A user who watches a run posts them while it goes on; the run does them
// between two of its events, and answers each with its result.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/fault.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/link.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

// A cut by hand: some peers are parted from all others while a run goes on, until the cut is
// healed.
// Changed by one thread, read by all threads that send.
class Cut {
 public:
  using Side = std::vector<bool>;  // by peer; peers beyond its end are on the other side

  void part(Side side) {
    sides_.push_back(std::make_unique<const Side>(std::move(side)));
    side_.store(sides_.back().get(), std::memory_order_release);
  }
  void heal() { side_.store(nullptr, std::memory_order_release); }

  [[nodiscard]] bool is_parted() const { return side_.load(std::memory_order_acquire) != nullptr; }
  [[nodiscard]] bool parts(PeerId one, PeerId other) const {
    const Side* side = side_.load(std::memory_order_acquire);
    return side != nullptr && is_on(*side, one) != is_on(*side, other);
  }

 private:
  [[nodiscard]] static bool is_on(const Side& side, PeerId peer) {
    return peer.value < side.size() && side[peer.value];
  }

  // All sides so far. They stay unchanged, because a thread may still read any of them.
  std::vector<std::unique_ptr<const Side>> sides_;
  std::atomic<const Side*> side_{nullptr};  // none: no peer is cut off
};

// Drops packets that cross the cut, at their sender. The cut outlives the link.
class CutLink final : public Link {
 public:
  explicit CutLink(const Cut& cut) : cut_(cut) {}
  [[nodiscard]] LinkVerdict judge(Time, const PacketHeader& header, Rng&) const override {
    return cut_.parts(header.from, header.to) ? LinkVerdict::drop(Drop::partitioned)
                                              : LinkVerdict::pass();
  }

 private:
  const Cut& cut_;
};

// What a user does to a run.
struct OperatorCommand {
  enum class Kind : std::uint8_t { crash, leave, restart, cut_off, heal, last = heal };
  Kind kind = Kind::crash;
  std::vector<PeerId> peers{};  // one for the first three kinds; those that are cut off; none for
                                // heal
  Time at{};                    // when it was done
  friend bool operator==(const OperatorCommand&, const OperatorCommand&) = default;
};

// The fault of a command that strikes a peer; none for a command that changes the network.
[[nodiscard]] std::optional<Fault::Kind> fault_of(OperatorCommand::Kind kind);

// The state of a peer when an operator command is to be done to it.
enum class Presence : std::uint8_t { up, down, to_join };
using PresenceOf = std::function<Presence(PeerId)>;
// Why the command cannot be done in a run of so many peers, as a sentence; empty where it can.
[[nodiscard]] std::string refusal(const OperatorCommand& operator_command, std::uint32_t peers,
                                  bool is_parted, const PresenceOf& presence);

// Commands are posted from any thread; one thread does the run.
class Steering {
 public:
  static constexpr std::size_t most_waiting = 64;
  using Number = std::uint64_t;
  struct Answer {
    std::optional<OperatorCommand> done{};  // with its time; none: it was not done
    std::string reason{};                   // why it was not
  };

  Steering() = default;
  Steering(const Steering&) = delete;
  Steering& operator=(const Steering&) = delete;

  // Returns the number of the answer; none if too many commands wait already.
  [[nodiscard]] std::optional<Number> post(OperatorCommand operator_command);
  // The answer to a command, once; nothing as long as the run has not come to it.
  [[nodiscard]] std::optional<Answer> answer(Number number);
  // Where other shares do a part of the run: `others` returns true for a command that it takes
  // over, which ends with answered(). Called by the thread that posts. To be set before any command
  // is posted; an empty function ends it.
  using Others = std::function<bool(Number, const OperatorCommand&)>;
  void share_out(Others others);
  // The answer to a command from another share.
  void answered(Number number, Answer answer);
  // The commands in the order in which they were done.
  [[nodiscard]] std::vector<OperatorCommand> done() const;
  [[nodiscard]] std::uint32_t count() const { return count_.load(std::memory_order_relaxed); }

  // Does the command and sets its time; else says why not.
  using Act = std::function<std::string(OperatorCommand&)>;
  // For the run: does all commands that wait, in the order in which they were posted.
  void drain(const Act& act);
  // For the run: does the command, where it is about the network.
  void change_network(const OperatorCommand& operator_command, std::uint32_t peers);
  // The cut, which is to be judged at the head of the run's links.
  [[nodiscard]] const Cut& cut() const { return cut_; }

 private:
  struct Posted {
    Number number = 0;
    OperatorCommand operator_command{};
  };
  [[nodiscard]] std::optional<Posted> take();
  void keep(Number number, Answer answer);

  std::atomic<bool> waits_{false};  // lets a run look without the lock
  std::atomic<std::uint32_t> count_{0};
  mutable std::mutex mutex_;  // guards all that follows but the cut
  Others others_;
  std::deque<Posted> waiting_;
  std::map<Number, Answer> answers_;
  std::vector<OperatorCommand> done_;
  Number next_ = 0;
  Cut cut_;
};

}  // namespace rhizome::core
