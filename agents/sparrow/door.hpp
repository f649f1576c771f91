// The door of a Sparrow peer: what masters send here in search of a place comes in, goes on to
// another peer, or is sent back.
#pragma once

#include "agents/sparrow/compass.hpp"
#include "agents/sparrow/messages.hpp"
#include "agents/sparrow/options.hpp"
#include "agents/sparrow/post.hpp"
#include "agents/sparrow/walks.hpp"
#include "agents/sparrow/worker.hpp"

namespace rhizome::agents::sparrow {

class Door {
 public:
  using Messages = core::OneOf<Probe, Query, Place>;

  // What a door leads to: the worker behind it, whom that serves, and the way to others.
  struct Parts {
    Worker& worker;
    const Post& post;
    Compass& compass;
    Walks& walks;
  };

  Door(const Options& options, const Parts& parts)
      : options_(options),
        worker_(parts.worker),
        post_(parts.post),
        compass_(parts.compass),
        walks_(parts.walks) {}

  void on(Env& env, PeerId from, const Probe& probe);
  void on(Env& env, PeerId from, const Query& query);
  void on(Env& env, PeerId from, const Place& message);

 private:
  // Sends a walk on; false when it has to end here.
  template <class Walk>
  bool pass_on(Env& env, PeerId from, const Walk& walk);

  const Options& options_;
  Worker& worker_;
  const Post& post_;
  Compass& compass_;
  Walks& walks_;
};

}  // namespace rhizome::agents::sparrow
