#include "agents/organic_grid/options.hpp"

namespace rhizome::agents::grid {

namespace {

constexpr double many = 1e6;

void add_children(core::Settings<Options>& settings) {
  using O = Options;
  settings
      .add("max_children", &O::max_children,
           {"Active children of a peer; more makes the tree flatter and upper peers busier.",
            "Peterson, section 2.3: capped per application; 5 by Chakravarti et al.", 1, many})
      .add("widest", &O::widest,
           {"Active children of a peer with a backlog: one for each full metric window of tasks "
            "that it holds, from max_children up to this, and not given back when the backlog "
            "shrinks; 0: never more than max_children. More spreads what the busiest child "
            "relays, and costs the root as many more messages.",
            "our law, for the proposal in Peterson, section 5.1, which would narrow the tree under "
            "load to spare the upper peers; this widens it where work lies, to spare the relays",
            0, many})
      .add("max_potential", &O::max_potential,
           {"Children on trial; more lets a peer serve more newcomers at once.",
            "Chakravarti et al.", 1, many})
      .add("max_former", &O::max_former,
           {"Former children whose wish to come back is ignored; more damps thrashing.",
            "Chakravarti et al.: as many as max_children", 0, many})
      .add("burst", &O::burst,
           {"Results sent up in one message; more makes fewer and later messages.",
            "Chakravarti et al.", 1, many})
      .add("metric_window", &O::metric_window,
           {"Bursts over which a child's speed is averaged; more judges later and better.",
            "Chakravarti et al.", 1, many})
      .add("ancestors", &O::ancestors,
           {"Ancestors to try when the parent dies; more survives more deaths at once.",
            "Chakravarti et al.", 0, many})
      .add("former_windows", &O::former_windows,
           {"Full metric windows of results after which a former child is forgotten, or as many "
            "time-outs, whichever comes first.",
            "our choice", 1, many})
      .add("metric", &O::metric, {"bursts", "executions"},
           {"What a child is judged by: the intervals between its bursts, which its whole subtree "
            "fills and in which it may wait for work, or the time that it takes for the tasks that "
            "it executes itself.",
            "Chakravarti et al.: bursts; Peterson, section 2.3: individual tasks"})
      .add("only_faster", &O::only_faster,
           {"Whether a child is named for promotion only if it is faster than the peer that names "
            "it, so that a child in the right place is left alone; else the best child always is.",
            "our choice; Chakravarti et al.: always"})
      .add("promotion", &O::promotion, {"Whether fast children move up.", "Peterson, section 2.3"});
}

void add_work(core::Settings<Options>& settings) {
  using O = Options;
  settings
      .add("steal_more", &O::steal_more,
           {"Multiplies what is pulled at once; more spreads work sooner and moves it more often.",
            "Peterson, section 5.1: a constant factor", 1, 1000})
      .add(
          "prefetch", &O::prefetch,
          {"Whether to ask for work while there is still some, as in a sliding window. Else a peer "
           "asks once it is idle, for itself, for its children, and for one that asked it in vain.",
           "Peterson, section 2.3"})
      .add("max_window", &O::max_window,
           {"The most tasks that a peer prefetches for itself; more hides latency and hoards.",
            "our choice", 1, many})
      .add("roots", &O::roots,
           {"Peers at which jobs arrive, in turn; each grows a tree of its own.",
            "Peterson, section 2.3: work may enter anywhere", 1, many});
}

void add_times(core::Settings<Options>& settings) {
  using O = Options;
  settings
      .add(
          "timeout", &O::timeout,
          {"Silence after which a parent or child is taken for dead; less recovers sooner and errs "
           "more on a busy machine. A quarter of it is the time between signs of life.",
           "our choice", 0.01, 1e6})
      .add("ask_again", &O::ask_again,
           {"Time after which an idle peer asks its neighbours again; doubles up to four times it.",
            "our choice", 0.001, 1e6})
      .add("doubt", &O::doubt,
           {"Where none is left and a peer is idle, a root asks where a task is that has been "
            "out for this many times what it takes at the usual pace of those who execute, no "
            "sooner than after a time-out, and again after twice as long. It goes to another if it "
            "waits, and is handed out again only if no peer has it. Less finds and moves tasks "
            "sooner; more asks less.",
            "our choice", 1, 1000})
      .add("give_up", &O::give_up,
           {"Time without any news of a root after which a peer takes its tree for dead and rests, "
            "until it is called; 0: five time-outs. After half of it the peer asks whom it knows, "
            "after three quarters the roots themselves. Less ends sooner after the death of a "
            "root, and lets fewer go on through a cut.",
            "our choice", 0, 1e6});
}

}  // namespace

core::Settings<Options> settings() {
  core::Settings<Options> settings;
  add_children(settings);
  add_work(settings);
  add_times(settings);
  return settings;
}

core::Settings<Options> hybrid_settings() {
  return settings()
      .add("group", &Options::group,
           {"Workers that a peer leads before it takes children; more makes the tree of leaders "
            "smaller and each leader busier.",
            "our choice, for the proposal in Peterson, sections 5.1 and 7", 1, many})
      .add("ahead", &Options::ahead,
           {"Tasks handed to a worker beyond its slots; more hides latency and hoards.",
            "our choice", 0, many});
}

Options hybrid_defaults() {
  Options options;
  options.group = 4;
  options.widest = 24;
  return options;
}

}  // namespace rhizome::agents::grid
