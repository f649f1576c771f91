#include "agents/air_traffic/options.hpp"

namespace rhizome::agents::traffic {

core::Settings<Options> settings() {
  using O = Options;
  return core::Settings<O>{}
      .add(
          "leaders", &O::leaders,
          {"Groups at the start, each with a leader; 0 derives them from leaders_per_hundred. More "
           "makes smaller groups, more merges, and spreads the load of leading.",
           "our choice", 0, 1e6})
      .add("leaders_per_hundred", &O::leaders_per_hundred,
           {"Leaders for every hundred peers, while leaders is 0.",
            "Peterson, section 3.2: 5 controllers for 100 workers", 0.01, 50})
      .add("window", &O::window,
           {"Jobs at the head of the queue among which the best fit is sought; 1 is first come "
            "first "
            "served.",
            "our choice", 1, 1e6})
      .add(
          "bundled", &O::bundled,
          {"Whether tasks and results are bundled: a job travels from the queue to a leader in one "
           "message, all tasks that a worker gets at a time in one, and all results of a job from "
           "the leader to the queue in one; a worker reports each task by itself. Otherwise one "
           "message for each task and each result, on every hop.",
           "Peterson: section 3.2 (cloud) yes, section 5.1 (simulation) no"})
      .add("reorganise", &O::reorganise,
           {"Whether groups split and merge to fit their jobs; static controllers otherwise.",
            "Peterson: section 2.3 yes, section 3.2 no"})
      .add("timeout", &O::timeout,
           {"Silence after which a worker, a leader or the queue is taken for dead; less recovers "
            "sooner and errs more on a busy machine. A quarter of it is the time between signs of "
            "life.",
            "our choice", 0.01, 1e6})
      .add(
          "merge_patience", &O::merge_patience,
          {"How long a leader waits for another to merge, beyond the four ways through the network "
           "that this takes, before it asks the next, or runs its job in rounds; also the length "
           "of "
           "a lease.",
           "our choice", 0.001, 1e6})
      .add("give_up", &O::give_up,
           {"Time without any news of the queue after which a peer doubts that it lives; 0: five "
            "time-outs. Once all peers but the queue doubt, the run has failed. Less ends a failed "
            "run sooner.",
            "our choice", 0, 1e6})
      .add("longest_cut", &O::longest_cut,
           {"How long a peer that doubts waits for those that it cannot hear, which a cut may have "
            "left with the queue, and how long the queue waits for anybody, before the run has "
            "failed. More rides out longer cuts, and ends a run later that lost more than its "
            "queue.",
            "our choice", 0.01, 1e6})
      .add("rest", &O::rest,
           {"Signs of life between a leader and its workers that become one, once nothing has "
            "happened in the group for three time-outs; until it does, a peer that dies there is "
            "missed as many times later. 1: a group never rests. More spares messages in idle "
            "hours.",
            "our choice", 1, 1000});
}

}  // namespace rhizome::agents::traffic
