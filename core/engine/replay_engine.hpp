// The replay engine: an agenda whose order was recorded. It takes the peers of a run through a
// history of it, event by event, each with the recorded time, in one thread and as fast as it can.
// The history does not contain packets: the replay sends them anew. All effects are compared with
// the record, so that a replay is either the same run or fails.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>

#include "core/engine/engine.hpp"
#include "core/history/history.hpp"

namespace rhizome::core {

// Where it differs from the record, in a sentence: when, at which peer, in which event.
class Divergence : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Where a replay ends before the record does.
struct ReplayStop {
  std::optional<Time> until{};  // behind all that peers were told to be of this time or an earlier
  // Stops after the event that noted the given fact.
  std::function<bool(PeerId, Time, const EncodedFact&)> at{};
};

class Host;

class ReplayEngine final : public Engine {
 public:
  // The history outlives it. Throws Divergence where it is of another number of peers.
  ReplayEngine(EngineSetup setup, const History& history, ReplayStop stop = {});
  ~ReplayEngine() override;

  // Replays to the end of the record, or to where it is to stop. The report has the results of
  // peers from the replay, and the ending and the lateness of threads from the record. Throws
  // Divergence, DamagedTrack, and exceptions of peers.
  [[nodiscard]] EngineReport run(const Observer& observer) override;

  // Afterwards: whether it came to the end of the record, and when it stopped.
  [[nodiscard]] bool whole() const;
  [[nodiscard]] Time now() const;
  [[nodiscard]] std::uint64_t events() const;
  // The peer of the event before it stopped.
  [[nodiscard]] PeerId last() const;
  // The peer at that moment; nullptr while it is down.
  [[nodiscard]] const Peer* peer(PeerId id) const;
  [[nodiscard]] const Host& host(PeerId id) const;

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

}  // namespace rhizome::core
