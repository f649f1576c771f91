// An engine performs the effects of peers. There are two: threads, the truth about concurrency, and
// virtual time, which is deterministic to the byte.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/crowd.hpp"
#include "core/engine/fault.hpp"
#include "core/engine/lost_peers.hpp"
#include "core/engine/nodes.hpp"
#include "core/engine/observer.hpp"
#include "core/engine/passage.hpp"
#include "core/history/ending.hpp"
#include "core/history/fidelity.hpp"
#include "core/peer/access.hpp"
#include "core/peer/input.hpp"
#include "core/peer/interface.hpp"
#include "core/peer/link.hpp"
#include "core/peer/peer.hpp"
#include "core/peer/recorder.hpp"
#include "core/peer/simulated_payload.hpp"
#include "core/work/kind.hpp"

namespace rhizome::core {

// Builds one life of a peer. Called from the thread that will run it, for several peers at once.
using PeerFactory = std::function<std::unique_ptr<Peer>(PeerId, Incarnation)>;

// What handling costs on a machine, for virtual time, where it is free otherwise. An event waits
// for its peer's wake-up unless the peer is at work already, then for a core, and is handled, with
// all that follows from it, when its handling has been paid for.
struct CostModel {
  Duration wake_up{0};      // from an event being due until its idle peer runs
  Duration handling{0};     // time of one event
  std::uint32_t cores = 0;  // shared by all peers; 0: each has its own

  [[nodiscard]] bool free() const {
    return wake_up == Duration::zero() && handling == Duration::zero();
  }
};

// All that an engine is given; nothing is handed over later but inputs. Refers to links and to a
// source of inputs that outlive it.
struct EngineSetup {
  std::uint32_t peers = 0;
  PeerFactory make_peer;
  const LinkChain* links = nullptr;
  InputSource* inputs = nullptr;  // none: nothing comes from outside
  std::vector<Fault> faults;
  std::vector<PeerId> absent{};               // at the start: others launch them, if at all
  std::uint64_t seed = 0;                     // links judge with streams derived from it
  Duration limit = std::chrono::hours(24);    // emulated time after which the run is given up
  Duration duration{0};                       // of the run; 0: until all peers have finished
  Duration grace = std::chrono::seconds(10);  // for all to finish once the first peer has
  Time healed{};                              // when the last cut ends: no grace before
  RecorderOptions recording{};
  std::vector<AccessRates> access{};     // by peer; empty: lines are unlimited
  std::vector<ProcessorGroup> groups{};  // of peers that share processors
  SimulatedPayload simulated_payload{};
  Nodes* nodes = nullptr;           // for threads only; none: this process does all work
  WorkKinds kinds{};                // known kinds, which outlive it; other work only takes its time
  CostModel costs{};                // for virtual time only
  std::function<void()> hang_up{};  // ends what handlers wait for outside of the run; none: nothing
  Duration lag_tolerance{0};        // for threads: longer stalls are listed; 0: none is
};

// By peer: false for peers that join, or are launched, later.
[[nodiscard]] std::vector<bool> present_at_start(const EngineSetup& setup);

// Results of a run by several processes.
struct BetweenProcesses {
  std::vector<LostPeers> lost{};    // peers that the lists of a report leave out
  std::vector<Passage> passages{};  // between processes that were not lost
};

// What a run leaves behind.
struct EngineReport {
  Ending ending = Ending::limit;
  Time ended{};
  std::vector<Recorder> recorders;              // one per peer, by id
  std::vector<Incarnation> incarnations;        // the last life of each peer
  std::vector<bool> alive;                      // at the end
  std::vector<bool> finished;                   // said so and is alive
  std::vector<std::vector<std::string>> armed;  // by peer, "service.Timer{}": should be at rest
  std::size_t working = 0;                      // pieces of work not ended nor stopped
  std::uint64_t events = 0;                     // packets, timers and work ends handled
  Fidelity fidelity;
  std::chrono::nanoseconds wall{0};  // real time from first start to last stop
  BetweenProcesses between{};
};

// A run, once: construct, run, read the report.
class Engine : public Interface {
 public:
  [[nodiscard]] virtual EngineReport run(const Observer& observer) = 0;
};

}  // namespace rhizome::core
