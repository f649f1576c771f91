// An explorer: an engine whose agenda is a choice. Packets, timers, ends of work, inputs, and so
// many crashes, restarts, losses and copies are what may happen next; somebody else says what does.
//
// Each peer has a clock of its own: it is at the latest thing that the peer has handled. A packet
// takes a nanosecond, so that what it causes is later than what caused it, and nothing else takes
// any time but what a peer itself sets a timer or a piece of work for. So events at different peers
// commute, whatever they look at.
//
// Packets, ends of work, inputs and timers that are set for a moment may come in any order. Timers
// that are set for longer wait until nothing of these is left, for else whoever repeats what is not
// answered would do so without end; then those fire that are due within a moment of the
// first. Some of them may fire before their time all the same, as many as the options say.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/host.hpp"
#include "core/explore/system.hpp"

namespace rhizome::core {

struct ExplorerOptions {
  // A timer that is set for no longer is as quick as a packet. More makes more orders possible, and
  // without end where something is repeated that often.
  Duration moment = std::chrono::milliseconds(1);
  // How often each of these may happen in a history; one more multiplies histories by their length.
  std::uint32_t early = 0;  // timers set for longer that do not wait
  std::uint32_t crashes = 0;
  std::uint32_t restarts = 0;
  std::uint32_t losses = 0;      // of a packet
  std::uint32_t duplicates = 0;  // of a packet
  std::vector<PeerId> spared{};  // never crash
  // Whether states that differ only in what time it is are told apart. More is exact where a
  // protocol compares times, and mostly without end.
  bool times = false;
  // Whether those are that differ only in what their peers will draw by chance. Less is exact where
  // chance decides nothing but how long something takes.
  bool chance = true;
};

// What is asked about histories.
struct ExplorerChecks {
  // Of what is left behind; `over`: nothing more happens, or all have finished.
  std::function<Broken(const EngineReport&, const std::vector<Fault>&)> history{};
  // Of the state between two events.
  std::function<Broken(const std::vector<const Peer*>&)> state{};  // who is down is null
};

class Explorer final : public System {
 public:
  // Faults, links, lines and costs of the setup count for nothing; of its inputs all are read now.
  Explorer(EngineSetup setup, ExplorerOptions options, ExplorerChecks checks);
  ~Explorer() override;

  void begin() override;
  [[nodiscard]] std::vector<Choice> choices() override;
  void take(const Choice& choice) override;
  [[nodiscard]] Fingerprint state() override;
  [[nodiscard]] Broken flaw() override;
  [[nodiscard]] Broken verdict(bool over) override;

  // What that choice is, in words: "1 gets move [..] from 0". It must be possible now.
  [[nodiscard]] std::string words(const Choice& choice) const;
  // What happens from here on is told line by line: each choice, and indented what came of it.
  void listen(std::function<void(const std::string&)> listener);
  // The present life of a peer, nullptr while it is down; valid until the next choice.
  [[nodiscard]] const Peer* peer(PeerId id) const;
  // Peers of which states are told apart by all that they have handled, since not all of their
  // services show theirs.
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
