#include "agents/vector/options.hpp"

#include "agents/vector/course.hpp"

namespace rhizome::agents::vectors {

namespace {

constexpr double many = 1e6;

void add_vectors(core::Settings<Options>& settings) {
  using O = Options;
  settings
      .add("flow", &O::flow,
           {"The flow vector: metrics and their weights, and from which times on others hold. A "
            "metric that is to be small has a weight below 0: queue, benchmark, history, latency "
            "or memory.",
            "Peterson, sections 3.3 and 5.6: (-1.0, -0.3), then (-0.7, -0.5)"})
      .add("stasis", &O::stasis,
           {"The stasis vector, which shifts the scaled metrics of the peer that redistributes; "
            "written like flow. What makes its score greater keeps more of its tasks.",
            "Peterson, sections 3.3 and 5.6: none"});
}

void add_clock(core::Settings<Options>& settings) {
  using O = Options;
  settings
      .add("tick", &O::tick,
           {"Time between two looks of a peer at its affairs; less reacts sooner.",
            "Peterson, section 4.1", 0.001, many})
      .add("exchange_ticks", &O::exchange_ticks,
           {"Ticks between two exchanges: a peer tells its neighbours of itself and redistributes "
            "its queue. Less knows more and costs more messages.",
            "Peterson, section 4.1, algorithm 2", 1, many})
      .add("spread", &O::spread, {"arrivals", "submissions", "never"},
           {"When an exchange comes with the next tick already: once tasks have come from anybody, "
            "only once a client has handed them in, or never. More spreads work sooner.",
            "Peterson, section 5.6: \"the introduction of new work into the system\""})
      .add("spread_above", &O::spread_above,
           {"The queue above which that happens; more leaves short queues in peace. Under a "
            "discipline that divides processors so many tasks share those of a peer beside one for "
            "each; the others wait and may go to neighbours.",
            "Peterson's program: 2", 0, many})
      .add("start_at_tick", &O::start_at_tick,
           {"Whether the end of a task shows at the next tick only, and another begins at the one "
            "after it, as in the original program; else both happen at once.",
            "Peterson, section 4.1, algorithm 1: yes"});
}

void add_requests(core::Settings<Options>& settings) {
  using O = Options;
  settings
      .add("requests", &O::requests, {"at-first", "never", "always"},
           {"When a peer without work asks for some: until requests_until, never, or always.",
            "Peterson, section 5.6"})
      .add("requests_until", &O::requests_until,
           {"Time of the run from when on no peer asks any more, where requests are at-first.",
            "Peterson, section 5.6: early in phase two", 0, many})
      .add("request_interval", &O::request_interval,
           {"Time between two requests of a peer at least; less floods the network once work runs "
            "low.",
            "Peterson, section 5.6: 10 s", 0.001, many})
      .add("request_hops", &O::request_hops,
           {"How far a request travels: everybody whom it reaches redistributes at once. More asks "
            "more peers.",
            "Peterson's program: 3", 1, 100});
}

void add_measures(core::Settings<Options>& settings) {
  using O = Options;
  settings
      .add("benchmark", &O::benchmark,
           {"Work of one measurement of oneself, on a peer of speed 1; it takes its time like any "
            "other work.",
            "Peterson, section 3.3: tenths of a second", 0.000'001, many})
      .add("benchmark_interval", &O::benchmark_interval,
           {"Time between two measurements; less notices sooner how busy a machine is.",
            "Peterson's program: 400 s", 0.001, many})
      .add("history", &O::history,
           {"What counts as the mean time of the tasks done before the first is done.",
            "Peterson's program: 34.8 s", 0.000'001, many})
      .add("overhead", &O::overhead,
           {"Work of one redistribution: it occupies a processor beside the tasks, which matters "
            "where peers share processors; until it is done, no other begins.",
            "Peterson, section 5.6: \"the additional tax\"", 0, many})
      .add("bundled", &O::bundled,
           {"Whether all tasks for a neighbour go in one message; else each in one of its own.",
            "Peterson, section 4.1, algorithm 2: no"});
}

void add_remedies(core::Settings<Options>& settings) {
  using O = Options;
  settings
      .add("split", &O::split, {"scores", "finish-times"},
           {"How a queue is divided: in proportion to scores, or task by task to the peer that is "
            "expected "
            "to finish it first, which makes finish times level; then the vectors mean nothing.",
            "Peterson, section 3.3: scores; finish times are ours"})
      .add("estimate", &O::estimate, {"benchmark", "history"},
           {"By what finish times are expected: the last measurement or the tasks done so far.",
            "our choice"})
      .add("margin", &O::margin,
           {"By how much earlier a task has to be finished elsewhere to go there, in tasks; more "
            "moves less.",
            "our choice", 0, 1000})
      .add(
          "only_down", &O::only_down,
          {"Whether tasks go to shorter queues alone, and no further than until the two are equal.",
           "our choice; Peterson: no"})
      .add(
          "credit", &O::credit,
          {"Whether tasks sent to a neighbour are added to its queue until it tells that they have "
           "come.",
           "our choice; Peterson: no"})
      .add("damping", &O::damping,
           {"Share of the tasks to be moved that are moved at a time; less swaps less, and spreads "
            "more slowly.",
            "our choice; Peterson: 1", 0.001, 1});
}

void add_recovery(core::Settings<Options>& settings) {
  using O = Options;
  settings
      .add("recovery", &O::recovery,
           {"Whether tasks survive peers and messages that are lost: transfers are acknowledged, "
            "and peers report to the source what they have. Costs two messages of each peer for "
            "each report, and one for each transfer.",
            "our choice; Peterson: no"})
      .add("report", &O::report,
           {"Time between two reports of a peer; less notices losses sooner.", "our choice", 0.01,
            many})
      .add("lease", &O::lease,
           {"Time without a report of a task after which the source hands it out again; at least "
            "two reports. Less recovers sooner and does more twice.",
            "our choice", 0.01, many})
      .add("retry", &O::retry,
           {"Time after which a transfer or report without an answer is sent again.", "our choice",
            0.001, many})
      .add("give_up", &O::give_up,
           {"Time without an answer of the source after which a peer gives up the run.",
            "our choice", 0.01, many});
}

std::string wrong_course(std::string_view name, const std::string& text) {
  const std::string fault = fault_of_course(text);
  return fault.empty() ? fault : std::string(name) + " " + fault;
}

}  // namespace

core::Settings<Options> settings() {
  core::Settings<Options> all;
  add_vectors(all);
  add_clock(all);
  add_requests(all);
  add_measures(all);
  add_remedies(all);
  add_recovery(all);
  locator::add_settings(all, &Options::locator, locator::kinds_or_none());
  return all;
}

std::map<std::string_view, TimeoutPurpose> times() {
  return {{"tick", TimeoutPurpose::work},
          {"requests_until", TimeoutPurpose::work},
          {"request_interval", TimeoutPurpose::work},
          {"benchmark", TimeoutPurpose::work},
          {"benchmark_interval", TimeoutPurpose::work},
          {"history", TimeoutPurpose::work},
          {"overhead", TimeoutPurpose::work}};
}

std::string refusal(const Options& options, const World& world) {
  for (const std::string& why :
       {wrong_course("flow", options.flow), wrong_course("stasis", options.stasis)})
    if (!why.empty()) return why;
  const Options defaults;
  const bool levels = options.split == Split::finish_times;
  if (levels && (options.flow != defaults.flow || options.stasis != defaults.stasis))
    return "flow and stasis have no effect with split = \"finish-times\"";
  if (!levels && (options.estimate != defaults.estimate || options.margin != defaults.margin))
    return "estimate and margin have an effect only with split = \"finish-times\"";
  const Discipline& discipline = discipline_of(world.capacities.front().discipline);
  const bool divides = discipline.rule == Discipline::Rule::divides;
  if (divides && options.spread_above == 0)
    return "peers.discipline divides processors among the tasks that a peer keeps, and with "
           "spread_above = 0 it keeps one for each";
  const bool orders = !divides && &discipline != &discipline_of({});
  if (orders && options.locator.kind != locator::Kind::none)
    return "peers.discipline orders tasks, and those that a locator moves begin in the order of "
           "their levels: leave out one of the two";
  if (options.spread == RedistributionTrigger::never && !divides &&
      options.spread_above != defaults.spread_above)
    return "spread_above has no effect with spread = \"never\"";
  if (options.requests == Requests::never && options.request_hops != defaults.request_hops)
    return "request_hops has no effect with requests = \"never\"";
  if (options.recovery && options.lease < 2 * options.report)
    return "lease must be at least two reports";
  return locator::refusal(options.locator, world);
}

}  // namespace rhizome::agents::vectors
