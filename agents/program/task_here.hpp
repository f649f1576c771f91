// A task that has come to a peer, and the peer to which the program there has handed it since.
#pragma once

#include "agents/facts.hpp"
#include "agents/task.hpp"

namespace rhizome::agents::program {

struct TaskHere {
  Task task{};
  core::PeerId handed_to = core::no_peer;

  // Notes that it is handed out, and again if it has not come back in between.
  template <class Env>
  void hand(Env& env, core::PeerId to) {
    if (handed_to != core::no_peer)
      env.note(TaskReissued{task.id, handed_to, "handed by the program"});
    handed_to = to;
    note_handed(env, task.id, to);
  }
};

}  // namespace rhizome::agents::program
