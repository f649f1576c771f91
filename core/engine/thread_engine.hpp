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
  // Real time within which every thread must have stopped once asked. A handler that does not
  // return in it makes run() throw StuckPeer.
  std::chrono::milliseconds stop_within{5000};
  // Where a run by one process is recorded; none: nowhere. Shared with threads that StuckPeer
  // leaves behind.
  std::shared_ptr<HistoryWriter> history{};
  // The memory that the run may use, asked for while it goes on. The run ends by LimitExceeded when
  // it has nearly all of it.
  std::function<MemoryRoom()> memory_room = core::memory_room;
};

// A handler did not return in time; the run's threads and memory stay behind until the process
// ends.
class StuckPeer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Mirror;

// Makes an engine one of several that run the same setup together. Control and gateway outlive the
// engine. The gateway also outlives the threads that StuckPeer leaves behind, which may still put
// into it: then it stays until the process ends. With a mirror, which outlives the engine, an
// observer sees the peers of other shares. Each engine is given the faults and the inputs of all
// peers, the same in all shares, and passes over those of peers that it does not run. The default
// is an engine that runs all peers.
struct EngineMembership {
  Share share{};
  Control* control = nullptr;
  Gateway* gateway = nullptr;
  Mirror* mirror = nullptr;
  bool real_latency = false;  // packets of other shares are due when they come, whatever due time
                              // they carry
};

class ThreadEngine final : public Engine {
 public:
  // Throws LimitExceeded (limits.hpp) when this machine cannot carry so many peers.
  ThreadEngine(EngineSetup setup, ThreadOptions options, EngineMembership membership = {});
  ~ThreadEngine() override;
  // The report is of the peers of its share alone, by id: merge() makes one of all reports
  // (partial_report.hpp). Throws ShareFailed when another share has failed.
  [[nodiscard]] EngineReport run(const Observer& observer) override;
  // The gateway into which the gateways of other shares put packets for this one, until run()
  // returns. If run() throws, it has not waited for the other shares, and they may put packets
  // until the engine is destroyed. Only for an engine that does not run all peers.
  [[nodiscard]] Gateway& entrance();

 private:
  class Run;

  EngineReport conduct(const Observer& observer);

  std::unique_ptr<Run> run_;
};

}  // namespace rhizome::core
