// A board: all that may be seen of a run from outside while it is under way. Who observes makes it
// and hands it to the engine; without one a run writes nothing of this and has no memory for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/engine/fact_tally.hpp"
#include "core/engine/fact_tap.hpp"
#include "core/engine/gauges.hpp"

namespace rhizome::core {

struct BoardOptions {
  // How many facts wait for a reader before some are lost, about 64 bytes each and what they say.
  // More bridges longer pauses of the reader; 65536 are 20 s of a busy run of 1000 threads.
  std::size_t facts = 65536;
};

// Engines write it while others read it, each side as it likes. After the run it says how that
// ended.
class Board {
 public:
  explicit Board(std::uint32_t peers, BoardOptions options = {})
      : gauges_(peers), tap_(options.facts) {}
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  [[nodiscard]] std::uint32_t peers() const { return static_cast<std::uint32_t>(gauges_.size()); }
  [[nodiscard]] const Gauges& gauges(PeerId peer) const { return gauges_[peer.value]; }
  [[nodiscard]] const FactTally& tally() const { return tally_; }
  // For one reader.
  [[nodiscard]] FactTap& tap() { return tap_; }
  // Emulated time, as of some milliseconds ago.
  [[nodiscard]] Time now() const { return Time(Duration(now_.get())); }

  // The engine's: only the thread that runs the peer, and only one for the time.
  [[nodiscard]] Gauges& gauges(PeerId peer) { return gauges_[peer.value]; }
  void note(PeerId peer, Incarnation life, Time at, const EncodedFact& fact) {
    gauges_[peer.value].facts.add(1);
    tally_.add(fact.info);
    tap_.put(peer, life, at, fact);
  }
  void pass(Time now) { now_.set(now.time_since_epoch().count()); }

 private:
  std::vector<Gauges> gauges_;
  FactTally tally_;
  FactTap tap_;
  Gauge<Duration::rep> now_;
};

}  // namespace rhizome::core
