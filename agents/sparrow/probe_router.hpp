// The probe router of a Sparrow peer: what masters send here in search of a place comes in, goes on
// to another peer, or is sent back.
#pragma once

#include "agents/sparrow/group_service.hpp"
#include "agents/sparrow/messages.hpp"
#include "agents/sparrow/next_hop_selector.hpp"
#include "agents/sparrow/options.hpp"
#include "agents/sparrow/walks.hpp"
#include "agents/sparrow/worker.hpp"

namespace rhizome::agents::sparrow {

class ProbeRouter {
 public:
  using Messages = core::OneOf<Probe, Query, Place>;

  // Where a probe may end or go on: the worker of this peer, the group that it serves, and next
  // hops.
  struct Parts {
    Worker& worker;
    const GroupService& group_service;
    NextHopSelector& next_hop_selector;
    Walks& walks;
  };

  ProbeRouter(const Options& options, const Parts& parts) : options_(options), parts_(parts) {}

  void on(Env& env, PeerId from, const Probe& probe);
  void on(Env& env, PeerId from, const Query& query);
  void on(Env& env, PeerId from, const Place& message);

 private:
  // Sends a walk on; false when it has to end here.
  template <class Walk>
  bool pass_on(Env& env, PeerId from, const Walk& walk);

  const Options& options_;
  const Parts parts_;
};

}  // namespace rhizome::agents::sparrow
