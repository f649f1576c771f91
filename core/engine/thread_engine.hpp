// The thread engine: one operating-system thread per peer, one ZeroMQ inbox each, the wall clock.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>

#include "core/engine/control.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/gateway.hpp"
#include "core/engine/limits.hpp"
#include "core/engine/share.hpp"

namespace rhizome::core {

class HistoryWriter;

struct ThreadOptions {
  // Emulated seconds per real second. More finishes sooner and leaves less real time to each event,
  // so a run becomes invalid sooner.
  double time_scale = 1.0;
  // Stack of a peer's thread in bytes. More memory per peer, deeper handlers.
  std::size_t stack_bytes = std::size_t{128} << 10U;
  // Real time within which every thread must have stopped once asked; a handler that does not
  // return in it makes run() throw StuckPeer.
  std::chrono::milliseconds stop_within{5000};
  // Where all that happens is written down, of a run by one process; none: nowhere. EngineShared
  // with threads that StuckPeer leaves behind.
  std::shared_ptr<HistoryWriter> history{};
  // Asked while the run goes on, which ends by LimitExceeded when it has nearly all of it.
  std::function<MemoryRoom()> memory_room = core::memory_room;
};

// A handler did not return in time; the run's threads and memory stay behind until the process
// ends.
class StuckPeer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Mirror;

// Makes an engine one of several that run the same setup together; control and gateway outlive it,
// and the gateway also the threads that StuckPeer leaves behind, which may still put into it: then
// it stays until the process ends.
// Whoever watches it sees the peers of other shares where there is a mirror, which outlives it.
// Each is given the faults and the inputs of everybody, the same in all shares, and passes over
// those of peers that it does not run. The default is an engine that runs everybody by itself.
struct EngineMembership {
  Share share{};
  Control* control = nullptr;
  Gateway* gateway = nullptr;
  Mirror* mirror = nullptr;
  bool real_latency = false;  // packets of other shares are due when they come, whatever they say
};

class ThreadEngine final : public Engine {
 public:
  // Throws LimitExceeded (limits.hpp) when this machine cannot carry so many peers.
  ThreadEngine(EngineSetup setup, ThreadOptions options, EngineMembership membership = {});
  ~ThreadEngine() override;
  // Of the peers of its share alone, by id: merge() makes one of them all (partial_report.hpp).
  // Throws ShareFailed when another share has failed.
  [[nodiscard]] EngineReport run(const Observer& observer) override;
  // Where the gateways of other shares put what is for this one, until run() returns; where it
  // throws it has waited for nobody, and they may put until the engine goes. Only of an engine that
  // does not run everybody.
  [[nodiscard]] Gateway& entrance();

 private:
  class Run;

  EngineReport conduct(const Observer& observer);

  std::unique_ptr<Run> run_;
};

}  // namespace rhizome::core
