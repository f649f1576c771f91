// The virtual engine: one thread, an agenda ordered by (time, insertion). The same setup gives the
// same history, to the byte.
#pragma once

#include <memory>

#include "core/engine/engine.hpp"

namespace rhizome::core {

class VirtualEngine final : public Engine {
 public:
  // Starts every peer at time zero, at the first run or run_until.
  explicit VirtualEngine(EngineSetup setup);
  ~VirtualEngine() override;

  // Runs to the end: all finished, nothing left to happen, the limit, or a stop.
  [[nodiscard]] EngineReport run(const Observer& observer) override;

  // For tests and inspection: handles everything due until `time`, included. Returns false once the
  // run has ended.
  bool run_until(Time time);
  // The present life of a peer, nullptr while it is down; valid until the next event.
  [[nodiscard]] const Peer* peer(PeerId id) const;
  [[nodiscard]] const Recorder& recorder(PeerId id) const;
  [[nodiscard]] Time now() const;
  // A fault at the present instant, besides those of the setup.
  void crash(PeerId id);
  void restart(PeerId id);

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

}  // namespace rhizome::core
