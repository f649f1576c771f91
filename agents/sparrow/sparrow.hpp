// The Sparrow family (Ousterhout, Wendell, Zaharia and Stoica, SOSP 2013): decentralised masters
// that probe a few peers for each task. After the course report on Sparrow over Cyclon and
// Gradient: self-assignment, probe propagation by softmax over a view, masters on a ring, and rules
// for the death of either side.
#pragma once

#include <memory>
#include <vector>

#include "agents/scheduler.hpp"
#include "agents/sparrow/compass.hpp"
#include "agents/sparrow/credible.hpp"
#include "agents/sparrow/door.hpp"
#include "agents/sparrow/heir.hpp"
#include "agents/sparrow/ledger.hpp"
#include "agents/sparrow/lifeline.hpp"
#include "agents/sparrow/master.hpp"
#include "agents/sparrow/messages.hpp"
#include "agents/sparrow/options.hpp"
#include "agents/sparrow/post.hpp"
#include "agents/sparrow/reporter.hpp"
#include "agents/sparrow/shared.hpp"
#include "agents/sparrow/walks.hpp"
#include "agents/sparrow/worker.hpp"
#include "overlay/failure_detector.hpp"

namespace rhizome::agents {

// One peer: a master, a worker, and at the source the ledger.
class Sparrow {
 public:
  using Messages = sparrow::Messages;
  using Timers = sparrow::Timers;
  using Env = sparrow::Env;
  using Hears = core::OneOf<overlay::Liveness, overlay::Round, Submitted, Announced, Drained>;
  static constexpr std::string_view name = "sparrow";

  Sparrow(core::PeerId self, std::shared_ptr<const sparrow::Shared> shared, const World& world,
          const sparrow::Overlays& overlays);

  template <core::one_of<Messages> M>
  [[nodiscard]] bool believes(core::PeerId from, const M& message) const {
    return credible_(from, message);
  }
  void start(Env& env);
  // Every message passes the same gate: what would bind something to a peer that is held for dead
  // goes no further, for nothing would tell of its death a second time.
  template <core::one_of<Messages> M>
  void on(Env& env, core::PeerId from, const M& message);
  template <core::one_of<Timers> T>
  void on(Env& env, const T& due);
  template <core::one_of<Hears> S>
  void on(Env& env, const S& signal);
  void on(Env& env, const core::WorkDone& done);

 private:
  template <class M>
  [[nodiscard]] bool welcome(core::PeerId from, const M& message) const;

  // A part that sleeps once the run is over: null from then on.
  template <class Part>
  [[nodiscard]] Part* awake(Part& part) {
    return over_ ? nullptr : &part;
  }
  void settle(Env& env);
  void advertise();
  void rest(Env& env);

  const std::shared_ptr<const sparrow::Shared> shared_;
  const sparrow::Options& options_;
  const World& world_;
  const overlay::FailureDetector& detector_;
  overlay::Cyclon* const advertised_;  // null without random links
  sparrow::Credible credible_;
  sparrow::Walks walks_;
  sparrow::Worker worker_;
  sparrow::Post post_;
  sparrow::Reporter reporter_;
  sparrow::Lifeline lifeline_;
  sparrow::Compass compass_;
  sparrow::Master master_;
  sparrow::Heir heir_;
  sparrow::Door door_;
  std::unique_ptr<sparrow::Ledger> ledger_;  // of the source, and large
  bool over_ = false;
};

// Makes a peer one of the family; it has the overlays already.
void host_sparrow(core::Peer& peer, std::shared_ptr<const sparrow::Shared> shared,
                  const World& world, const sparrow::Overlays& overlays);

[[nodiscard]] Scheduler sparrow_family();

}  // namespace rhizome::agents
