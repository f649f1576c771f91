// An explorer: an engine whose agenda is a choice. Packets, timers, ends of work, inputs, and so
// many crashes, restarts, losses and copies may happen next; the caller chooses one of them.
//
// Each peer has a clock of its own, which shows the time of the latest event that the peer has
// handled. A packet takes a nanosecond, so that an effect is later than its cause, and nothing else
// takes any time except the timers and the pieces of work that a peer sets. So events at different
// peers commute, whatever state they read.
//
// Packets, ends of work, inputs and timers that are set for a moment may come in any order. Timers
// that are set for longer wait until none of these is left, for else a peer that repeats unanswered
// messages would do so without end; then those fire that are due within a moment of the first. Some
// of them may fire before their time all the same, as many as the options say.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/engine/host.hpp"
#include "core/explore/system.hpp"

namespace rhizome::core {

struct ExplorerOptions {
  // A timer of at most this time is as quick as a packet. More makes more orders possible, and an
  // endless number if a message is repeated that often.
  Duration moment = std::chrono::milliseconds(1);
  // How often each of these may happen in a history; one more multiplies the number of histories by
  // their length.
  std::uint32_t early = 0;  // timers set for longer that do not wait
  std::uint32_t crashes = 0;
  std::uint32_t restarts = 0;
  std::uint32_t losses = 0;      // of a packet
  std::uint32_t duplicates = 0;  // of a packet
  std::vector<PeerId> spared{};  // never crash
  // Whether states that differ only in the time are told apart. True is exact where a protocol
  // compares times, and the search then mostly has no end.
  bool times = false;
  // Whether states that differ only in what their peers will draw by chance are told apart. False
  // is exact where chance decides nothing but how long something takes.
  bool chance = true;
};

// The checks of histories.
struct ExplorerChecks {
  // Checks what a history leaves behind. Its ending is `finished` if nothing more happens or all
  // peers have finished, else `open`.
  std::function<Broken(const EngineReport&, const std::vector<Fault>&)> history{};
  // Checks the state between two events.
  std::function<Broken(const std::vector<const Peer*>&)> state{};  // null for a peer that is down
};

// Thrown when a choice is taken that cannot happen now. Whatever was possible after the same
// choices once is possible again, unless the peers are not deterministic.
class ImpossibleChoice : public std::logic_error {
 public:
  ImpossibleChoice() : std::logic_error("a choice that is not possible was taken") {}
};

class Explorer final : public System {
 public:
  // Faults, links, lines and costs of the setup are ignored; all of its inputs are read now.
  Explorer(EngineSetup setup, ExplorerOptions options, ExplorerChecks checks);
  ~Explorer() override;

  void begin() override;
  [[nodiscard]] std::vector<Choice> choices() override;
  void take(const Choice& choice) override;
  [[nodiscard]] Fingerprint state() override;
  [[nodiscard]] Broken flaw() override;
  [[nodiscard]] Broken verdict(bool over) override;

  // The choice in words: "1 gets move [..] from 0". It must be possible now.
  [[nodiscard]] std::string words(const Choice& choice) const;
  // Tells the listener line by line what happens from here on: each choice and, indented, its
  // effects.
  void listen(std::function<void(const std::string&)> listener);
  // The present life of a peer, nullptr while it is down; valid until the next choice.
  [[nodiscard]] const Peer* peer(PeerId id) const;
  // The number of peers whose whole history stands for their state, since not all of their services
  // dump theirs.
  [[nodiscard]] std::uint32_t opaque() const;

 private:
  class World;
  EngineSetup setup_;
  const ExplorerOptions options_;
  const ExplorerChecks checks_;
  LinkChain links_;
  std::vector<Input> inputs_;
  std::function<void(const std::string&)> listener_;
  std::unique_ptr<World> world_;
};

}  // namespace rhizome::core
