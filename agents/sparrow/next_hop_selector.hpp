// Where probes go: chooses next hops from the views of a peer, or from its neighbours in the graph.
#pragma once

#include <cstddef>
#include <vector>

#include "agents/scheduler.hpp"
#include "agents/sparrow/messages.hpp"
#include "agents/sparrow/options.hpp"
#include "core/peer/env.hpp"
#include "overlay/cyclon.hpp"
#include "overlay/failure_detector.hpp"
#include "overlay/neighbours.hpp"
#include "overlay/t_man.hpp"

namespace rhizome::agents::sparrow {

// The services that a Sparrow peer uses. Without random links probes follow the graph; the gradient
// is null where they follow random links only.
struct Overlays {
  overlay::Cyclon* random;
  const overlay::TMan* gradient;
  overlay::FailureDetector& detector;
};

class NextHopSelector {
 public:
  NextHopSelector(const Options& options, const World& world, const Overlays& overlays)
      : options_(options), world_(world), overlays_(overlays) {}

  // Up to `count` distinct next hops from here that are not taken for dead.
  [[nodiscard]] std::vector<PeerId> directions(Env& env, std::size_t count);
  // The same for a search without an answer: any of all peers, including this one. All peers in
  // views that never change may be dead, and views that change may never hold the few peers that
  // are large enough.
  [[nodiscard]] std::vector<PeerId> elsewhere(Env& env, std::size_t count);
  // The next hop of a walk, not back to the previous peer; core::no_peer when there is none.
  [[nodiscard]] PeerId next(Env& env, PeerId from);
  // Any peer but this one; core::no_peer when all others are taken for dead.
  [[nodiscard]] PeerId anybody(Env& env) const;

 private:
  // Up to `count` of the peers `among`, by chance, but not `without`.
  [[nodiscard]] std::vector<PeerId> draw(Env& env, overlay::Neighbours among, std::size_t count,
                                         PeerId without) const;
  // Some links of the views, by utility.
  [[nodiscard]] std::vector<PeerId> choose(Env& env, std::size_t count);
  template <class Excluded>
  PeerId choose_one(Env& env, Excluded excluded);
  [[nodiscard]] const std::vector<overlay::Descriptor>& links();

  const Options& options_;
  const World& world_;
  Overlays overlays_;
  std::vector<overlay::Descriptor> both_;  // views, when probes follow both
};

}  // namespace rhizome::agents::sparrow
