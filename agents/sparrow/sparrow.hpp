// The Sparrow family (Ousterhout, Wendell, Zaharia and Stoica, SOSP 2013): decentralised masters
// that probe a few peers for each task. After the course report on Sparrow over Cyclon and
// Gradient: self-assignment, probe propagation by softmax over a view, masters on a ring, and rules
// for the death of either side.
#pragma once

#include <memory>

#include "agents/credible.hpp"
#include "agents/scheduler.hpp"
#include "agents/sparrow/group_service.hpp"
#include "agents/sparrow/keep_alive_link.hpp"
#include "agents/sparrow/ledger.hpp"
#include "agents/sparrow/master.hpp"
#include "agents/sparrow/messages.hpp"
#include "agents/sparrow/next_hop_selector.hpp"
#include "agents/sparrow/options.hpp"
#include "agents/sparrow/probe_router.hpp"
#include "agents/sparrow/result_reporter.hpp"
#include "agents/sparrow/takeover.hpp"
#include "agents/sparrow/walks.hpp"
#include "agents/sparrow/worker.hpp"
#include "overlay/failure_detector.hpp"
#include "overlay/hash_ring.hpp"

namespace rhizome::agents::sparrow {

// What all peers of a run share, made once: the options, and the ring of all peers, on which the
// successor of its number is the master of a job.
struct RunConstants {
  const Options options;
  overlay::HashRing ring;

  RunConstants(const Options& chosen, const World& world)
      : options(chosen), ring(world.peers(), chosen.virtual_nodes) {}
};

// Whether a message is to be believed, beyond the types of its fields: a message that asks for an
// answer names a peer, and only the source sends what only the source can know.
template <class M>
[[nodiscard]] bool credible(PeerId self, const World& world, PeerId from, const M& message) {
  using ToOthers = core::OneOf<Disown, Welcome, Over>;  // the source may be a master itself
  if (!agents::credible(world, from, message)) return false;
  if (core::one_of<M, ToOthers> && self == world.source) return false;
  if constexpr (core::one_of<M, ToOthers> || core::one_of<M, core::OneOf<Noted, Adopt>>)
    return from == world.source;
  if constexpr (requires { message.master; }) return message.master != core::no_peer;
  if constexpr (requires { message.executor; }) return message.executor != core::no_peer;
  // Messages of groups. A leader is a master, and any peer may be one.
  if constexpr (requires { message.job; })
    if (!world.profile.has(TaskId{message.job, 0})) return false;
  if constexpr (std::is_same_v<M, Enlisted>) return message.speed > 0;
  return true;
}

}  // namespace rhizome::agents::sparrow

namespace rhizome::agents {

// One peer: a master, a worker, and at the source the ledger.
class Sparrow {
 public:
  using Messages = sparrow::Messages;
  using Timers = sparrow::Timers;
  using Env = sparrow::Env;
  using Hears = core::OneOf<overlay::Liveness, overlay::PingRound, Submitted, Announced, Drained>;
  static constexpr std::string_view name = sparrow::service_name;

  Sparrow(core::PeerId self, std::shared_ptr<const sparrow::RunConstants> shared,
          const World& world, const sparrow::Overlays& overlays);

  template <core::one_of<Messages> M>
  [[nodiscard]] bool believes(core::PeerId from, const M& message) const {
    return sparrow::credible(self_, world_, from, message);
  }
  void start(Env& env);
  // Every message passes the same check: a message that would bind something to a peer that is held
  // for dead is dropped, because the death of that peer is not reported a second time.
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

  const std::shared_ptr<const sparrow::RunConstants> shared_;
  const sparrow::Options& options_;
  const core::PeerId self_;
  const World& world_;
  const overlay::FailureDetector& detector_;
  overlay::Cyclon* const advertised_;  // null without random links
  sparrow::Walks walks_;
  sparrow::Worker worker_;
  sparrow::GroupService group_service_;
  sparrow::ResultReporter reporter_;
  sparrow::KeepAliveLink keep_alive_link_;
  sparrow::NextHopSelector next_hop_selector_;
  sparrow::Master master_;
  sparrow::Takeover takeover_;
  sparrow::ProbeRouter probe_router_;
  std::unique_ptr<sparrow::Ledger> ledger_;  // large, and only at the source
  bool over_ = false;
};

// Makes a peer one of the family; it has the overlays already.
void host_sparrow(core::Peer& peer, std::shared_ptr<const sparrow::RunConstants> shared,
                  const World& world, const sparrow::Overlays& overlays);

}  // namespace rhizome::agents
