#include "agents/sparrow/options.hpp"

namespace rhizome::agents::sparrow {

namespace {

constexpr double many = 1e6;

void add_search(core::Settings<Options>& settings) {
  using O = Options;
  settings
      .add("sampling", &O::sampling, {"late", "random", "per-task", "batch"},
           {"When a task is bound: late, by the placeholder that is ready first; or early, to a "
            "random peer, to the best of a sample for each task, or of one for the whole job.",
            "Ousterhout et al. 2013, section 3"})
      .add("probes", &O::probes,
           {"Peers probed for each task (d); more finds free ones sooner and costs four messages "
            "each.",
            "Ousterhout et al. 2013: 2", 1, 100})
      .add("probing", &O::probing, {"per-task", "per-job"},
           {"Whether each task has d peers probed for it, or a job of m tasks d m distinct ones.",
            "Sparrow course report: per task; Ousterhout et al. 2013, section 3.3: per job"})
      .add("min_probes", &O::min_probes,
           {"Peers probed for a job at least, however few its tasks; helps small jobs.",
            "Delgado et al. 2015 (Hawk), simulator: 20", 0, 10'000})
      .add(
          "answers", &O::answers, {"room", "queue-length", "estimated-wait"},
          {"What a peer answers that is asked how loaded it is: its free processors less those who "
           "wait; those who wait alone; or how long it expects to be busy, by estimates of "
           "durations.",
           "Sparrow course report: room; Ousterhout et al. 2013, sections 3.1 and 3.4: queue "
           "length, "
           "and why not estimates"})
      .add("estimate_error", &O::estimate_error,
           {"Standard deviation of the logarithm of an estimate over the true duration; 0: "
            "estimates "
            "are exact.",
            "our choice", 0, 10})
      .add("self_assign", &O::self_assign,
           {"Whether a master with room probes itself instead, which costs no latency.",
            "Sparrow course report"})
      .add("max_hops", &O::max_hops,
           {"Times that a probe is passed on where it cannot start at once; 0: never.",
            "Sparrow course report: 5", 0, many})
      .add("hop_limit", &O::hop_limit,
           {"Hops after which a probe is deposited or given up in any case.", "our choice", 1,
            many});
}

void add_directions(core::Settings<Options>& settings) {
  using O = Options;
  settings
      .add("temperature", &O::temperature,
           {"Of the softmax over the utilities of a view: high is a random walk, 0 takes the best.",
            "Sparrow course report: 100 and 1", 0, many})
      .add("view", &O::view, {"cyclon", "gradient", "both", "graph"},
           {"Which links probes follow: random ones, those of like and higher utility, or both; or "
            "any of the graph, which never changes and costs nothing.",
            "Sparrow course report: cyclon and gradient; Ousterhout et al. 2013: a complete graph"})
      .add("uphill", &O::uphill, {"above", "at-least"},
           {"Whom the gradient prefers: peers of a utility above one's own, or of at least that. "
            "With at-least peers without room know others without room.",
            "our choice; Sparrow course report: at-least"});
}

void add_placeholders(core::Settings<Options>& settings) {
  using O = Options;
  settings
      .add("binding", &O::binding, {"per-master", "per-job"},
           {"Which waiting tasks a ready placeholder may take.",
            "Sparrow course report: per master; Ousterhout et al.: per job"})
      .add("cancellation", &O::cancellation, {"lazy", "proactive"},
           {"Whether placeholders that no task needs any more wait for their turn, or are taken "
            "back at once, which costs no message more and frees queues sooner.",
            "Ousterhout et al. 2013, section 3.6; Sparrow course report: lazy"})
      .add("start", &O::start, {"one-per-event", "all-that-fit"},
           {"How many placeholders become ready at one event.",
            "Sparrow course report: one per event"})
      .add("look_after_assign", &O::look_after_assign,
           {"Whether a worker looks at its queue once a task has been assigned too, and not only "
            "after probes, cancellations and the ends of tasks.",
            "Sparrow course report: no"})
      .add("stays", &O::stays, {"with-room", "first-in-queue", "free-processor"},
           {"Where a probe stays that may still go on: wherever its task has room, only where "
            "no task waits either, or wherever a processor is free and no task waits, whatever its "
            "task needs.",
            "Sparrow course report: with room; its figures: free processor"});
}

void add_leaders(core::Settings<Options>& settings) {
  using O = Options;
  settings
      .add("leaders", &O::leaders, {"none", "graphs"},
           {"Whether the master of a job whose tasks need each other calls up a group of workers, "
            "who serve it alone, gives them their tasks itself, and releases them when the job "
            "asks for nothing more.",
            "Peterson, section 4.4, who left it as future work"})
      .add("group_size", &O::group_size,
           {"Workers of a group at most, beside its leader. More does wide graphs faster, and "
            "leaves fewer peers for all others.",
            "our choice", 1, 10'000})
      .add("group_hold", &O::group_hold,
           {"How long the workers of a group are held while none of its tasks waits or runs, and "
            "after which more are called up where some wait. Less releases them sooner, and calls "
            "them up again where a graph is narrow for a moment.",
            "our choice", 0.001, many});
}

void add_time_outs(core::Settings<Options>& settings) {
  using O = Options;
  settings
      .add("probe_timeout", &O::probe_timeout,
           {"Time after which a task that lacks placeholders is probed for once more. From the "
            "fifth search without an answer on it is twice as long, from the sixth on four times.",
            "Sparrow course report: 2 s", 0.001, many})
      .add("audit_after", &O::audit_after,
           {"Time after which a master asks an executor about a task at the latest; it does once a "
            "task is out for twice as long as any before, and each time after twice as long. "
            "Finds what was lost on the way.",
            "our choice; Karn and Partridge 1987", 0.01, many})
      .add(
          "give_up", &O::give_up,
          {"Time without a word of the source after which a peer gives the run up; it asks after a "
           "fifth of it. Less ends a hopeless run sooner, and takes a cut of the network for the "
           "end.",
           "our choice", 10, many});
}

void add_overlays(core::Settings<Options>& settings) {
  using O = Options;
  settings
      .add("view_size", &O::view_size,
           {"Links of a peer; more sees more peers, each more rarely.", "Sparrow course report: 10",
            1, 1000})
      .add("shuffle_length", &O::shuffle_length,
           {"Links swapped in a shuffle.", "Sparrow course report: 5", 1, 1000})
      .add("shuffle_period", &O::shuffle_period,
           {"Time between shuffles; less makes views fresher and costs messages; 0: never, views "
            "stay "
            "as the graph gave them.",
            "Sparrow course report: 250 ms", 0, many})
      .add("virtual_nodes", &O::virtual_nodes,
           {"Points of a peer on the ring of masters; more evens out how many jobs each has.",
            "our choice", 1, 10'000})
      .add(
          "detector_round", &O::detector_round,
          {"Time between pings of the failure detector.", "Sparrow course report: 3 s", 0.01, many})
      .add("rounds_until_dead", &O::rounds_until_dead,
           {"Silent rounds after which a peer is taken for dead; one more for each time that this "
            "was wrong about the peer, three more at most.",
            "our choice; Chandra and Toueg 1996 for the more", 1, 1000})
      .add("helpers", &O::helpers,
           {"Peers asked to ping a silent one too before it is suspected; 0: none.",
            "Das, Gupta and Motivala 2002", 0, 100});
}

}  // namespace

core::Settings<Options> settings() {
  core::Settings<Options> settings;
  add_search(settings);
  add_directions(settings);
  add_placeholders(settings);
  add_leaders(settings);
  add_time_outs(settings);
  add_overlays(settings);
  return settings;
}

}  // namespace rhizome::agents::sparrow
