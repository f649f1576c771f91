// Steering: faults by hand. Somebody who watches a run posts them while it goes on; the run does
// them between two of its events, and says what came of each.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/cut.hpp"
#include "core/engine/fault.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

// What somebody does to a run.
struct OperatorCommand {
  enum class Kind : std::uint8_t { crash, leave, restart, cut_off, heal, last = heal };
  Kind kind = Kind::crash;
  std::vector<PeerId> peers{};  // of the first three one; those that are cut off; of heal nobody
  Time at{};                    // when it was done
  friend bool operator==(const OperatorCommand&, const OperatorCommand&) = default;
};

// The fault that it is, where it strikes a peer; none where it changes the network.
[[nodiscard]] std::optional<Fault::Kind> fault_of(OperatorCommand::Kind kind);

// How a peer is when an operator command is to be done to it.
enum class Presence : std::uint8_t { up, down, to_join };
using PresenceOf = std::function<Presence(PeerId)>;
// Why it cannot be done in a run of so many peers, as a sentence; empty where it can.
[[nodiscard]] std::string refusal(const OperatorCommand& operator_command, std::uint32_t peers,
                                  bool is_parted, const PresenceOf& presence);

// OperatorCommands are posted from any thread; one thread does the run.
class Steering {
 public:
  static constexpr std::size_t most_waiting = 64;
  using Number = std::uint64_t;
  struct Answer {
    std::optional<OperatorCommand> done{};  // with its time; none: it was not
    std::string reason{};                   // why it was not
  };

  Steering() = default;
  Steering(const Steering&) = delete;
  Steering& operator=(const Steering&) = delete;

  // The number by which to ask for the answer; none where too many wait already.
  [[nodiscard]] std::optional<Number> post(OperatorCommand operator_command);
  // What came of it, once; nothing as long as the run has not come to it.
  [[nodiscard]] std::optional<Answer> answer(Number number);
  // Where others do a part of the run: returns true of what it sees to, which comes to its end by
  // answered(). Called by whoever posts. Before anybody posts; an empty one ends it.
  using Others = std::function<bool(Number, const OperatorCommand&)>;
  void share_out(Others others);
  // What came of it somewhere else.
  void answered(Number number, Answer answer);
  // In the order in which they were done.
  [[nodiscard]] std::vector<OperatorCommand> done() const;
  [[nodiscard]] std::uint32_t count() const { return count_.load(std::memory_order_relaxed); }

  // Does it, and sets its time; else says why not.
  using Act = std::function<std::string(OperatorCommand&)>;
  // The run's: does all that waits, in the order in which it was posted.
  void drain(const Act& act);
  // The run's: does it, where it is about the network.
  void change_network(const OperatorCommand& operator_command, std::uint32_t peers);
  // That is to be judged at the head of the run's links.
  [[nodiscard]] const Cut& cut() const { return cut_; }

 private:
  struct Posted {
    Number number = 0;
    OperatorCommand operator_command{};
  };
  [[nodiscard]] std::optional<Posted> take();
  void keep(Number number, Answer answer);

  std::atomic<bool> waits_{false};  // so that a run need not ask for the lock
  std::atomic<std::uint32_t> count_{0};
  mutable std::mutex mutex_;  // of all that follows but the cut
  Others others_;
  std::deque<Posted> waiting_;
  std::map<Number, Answer> answers_;
  std::vector<OperatorCommand> done_;
  Number next_ = 0;
  Cut cut_;
};

}  // namespace rhizome::core
