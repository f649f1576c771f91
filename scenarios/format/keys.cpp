#include "scenarios/format/keys.hpp"

#include <algorithm>

#include "agents/work/kinds.hpp"
#include "core/peer/names.hpp"
#include "scenarios/format/client_keys.hpp"
#include "scenarios/format/resource_keys.hpp"
#include "scenarios/format/section_parts.hpp"
#include "scenarios/format/work_keys.hpp"
#include "scenarios/world/graphs.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

namespace {

using core::Settings;

template <class S, class Whole>
std::function<void*(Scenario&, std::size_t)> at(S Whole::*section) {
  return [section](Scenario& scenario, std::size_t) -> void* { return &(scenario.*section); };
}

Section top() {
  return {.name = "",
          .about = "What the scenario is.",
          .settings = Settings<Scenario>{}
                          .add("name", &Scenario::name,
                               {"Names run directories; the file's name when absent."})
                          .add("description", &Scenario::description, {"A sentence for readers."})
                          .add("costs", &Scenario::costs,
                               {"A file of what events and real work cost on some machine, as "
                                "`rhizome doctor --calibrate --to FILE` writes it, relative to the "
                                "scenario: handling, wake_up and cores of [engine] where they are "
                                "not said, and of real work the portion_time, times time_scale."})
                          .list(),
          .address = [](Scenario& scenario, std::size_t) -> void* { return &scenario; }};
}

Section peers() {
  using S = PeersSection;
  return {
      .name = "peers",
      .about = "What every peer can carry.",
      .settings =
          Settings<S>{}
              .add("count", &S::count,
                   {"Peers, each a thread of its own on the thread engine.",
                    "Peterson, section 5.1: 100 and 600", 2, most_peers})
              .add("slots", &S::slots,
                   {"Processors of a peer: tasks of one each that it executes at a time.",
                    "our choice", 1, 1024})
              .add("slots_max", &S::slots_max,
                   {"Where it is more than slots, peers have between slots and so many, by "
                    "chance; 0: all have the same.",
                    "our choice", 0, 1024})
              .add("speeds", &S::speeds, {"uniform", "two-class"},
                   {"How speeds are distributed: anywhere between the bounds, or slow peers of "
                    "speed_min and fast ones of speed_max.",
                    "Peterson, section 3.1: uniform; its predecessors: fast and slow nodes"})
              .add("fast_share", &S::fast_share,
                   {"The probability that a peer is fast.", "our choice", 0, 1})
              .add("speed_min", &S::speed_min,
                   {"The slowest peer's speed; a task takes its duration divided by the speed.",
                    "Peterson, section 3.1", 1e-3, 1e3})
              .add("speed_max", &S::speed_max,
                   {"The fastest peer's speed.", "Peterson, section 3.1", 1e-3, 1e3})
              .add("memory", &S::memory,
                   {"Memory of a peer, in the unit of the tasks' requests.", "our choice", 1e-6,
                    1e9})
              .add("discipline", &S::discipline, agents::discipline_names(),
                   {"Which waiting task a peer starts first, and whether it interrupts running "
                    "tasks "
                    "or shares its processors among them; for schedulers whose peers are servers.",
                    "our choice"})
              .add("source", &S::source, {"any", "fastest"},
                   {"The peer at which work enters: one by chance, or the fastest, the first of "
                    "several.",
                    "Peterson, section 3.1: by chance"})
              .list(),
      .conditions = {{"fast_share", "speeds", {"two-class"}}},
      .address = at(&Scenario::peers)};
}

Section peer_group() {
  using S = PeerGroupSection;
  return repeated(
      {.name = "peers.group",
       .about = "Peers of one kind, or peers that share processors. The first group has the first "
                "peers; peers outside groups are as [peers] says.",
       .settings =
           Settings<S>{}
               .add("count", &S::count, {"How many peers.", "our choice", 1, most_peers})
               .add("speed", &S::speed, {"Their speed; 0: as for all peers.", "our choice", 0, 1e3})
               .add("slots", &S::slots,
                    {"Processors of each of them; 0: as for all peers.", "our choice", 0, 1024})
               .add("memory", &S::memory,
                    {"Memory of each of them; 0: as for all peers.", "our choice", 0, 1e9})
               .add("cores", &S::cores,
                    {"Processors that they share; 0: each has its own. Emulated work slows down "
                     "while more of it runs than there are cores. Real work on threads is held to "
                     "so many processors of this machine, where it has as many as all groups "
                     "together.",
                     "Peterson, section 5.4, table 5.1: 2 to 12 for 5 or 6 peers", 0, most_peers})
               .list()},
      [](auto& scenario) -> auto& { return scenario.peers.groups; });
}

Section graph() {
  using S = GraphSection;
  return {
      .name = "graph",
      .about = "Who knows whom before the first message; always made connected.",
      .settings = with_own(
          Settings<S>{}
              .add("kind", &S::kind, words_of(graph_models()),
                   {"How the graph is made.", "Peterson, section 2.3: random neighbours"})
              .add("file", &S::file,
                   {"A GraphML file; its nodes are the peers, repeated when there are more peers."})
              .list(),
          graph_models()),
      .conditions = conditions_of(graph_models(), "kind"),
      .address = at(&Scenario::graph)};
}

std::vector<Condition> workload_conditions() {
  std::vector<Condition> conditions = conditions_of(workload_models(), "kind");
  for (const Condition& other : {Condition{"portion_distribution", "work", {"emulated"}},
                                 Condition{"portion_draw", "work", {"emulated"}},
                                 Condition{"jitter", "portion_distribution", {"uniform"}},
                                 Condition{"portion_shape", "portion_distribution", {"pareto"}},
                                 Condition{"portion_range", "portion_distribution", {"pareto"}}})
    conditions.push_back(other);
  for (const Condition& other : work_conditions(agents::work_kinds())) conditions.push_back(other);
  return conditions;
}

Section workload() {
  using S = WorkloadSection;
  return {
      .name = "workload",
      .about = "The jobs, and when they arrive.",
      .settings = with_own(
          Settings<S>{}
              .add("kind", &S::kind, words_of(workload_models()),
                   {"Generated jobs, the Google cluster trace of 2011, the Standard Workload "
                    "Format, a list of jobs, a graph of tasks that need each other, or a table by "
                    "columns."})
              .add("jobs", &S::jobs,
                   {"How many.", "Peterson, section 5.1: 200 and 800", 1, 10'000'000})
              .add("portions", &S::portions,
                   {"Tasks of a job.", "Peterson, section 5.1: 18", 1, 1'000'000})
              .add("portion_time", &S::portion_time,
                   {"Duration of a task on a peer of speed 1.",
                    "Peterson, section 5.1: 100 to 200 ms", 1e-6, long_time})
              .add("portion_distribution", &S::portion_distribution,
                   {"uniform", "exponential", "pareto"},
                   {"How durations are distributed about portion_time: within jitter of it, "
                    "memoryless with that mean, or with a heavy tail, by a bounded Pareto law of "
                    "that mean.",
                    "Kleinrock 1975: the M of M/M/1; Harchol-Balter, Crovella and Murta 1999"})
              .add("portion_shape", &S::portion_shape,
                   {"The exponent of the tail: less makes long tasks more frequent.", "our choice",
                    0.1, 10})
              .add("portion_range", &S::portion_range,
                   {"The longest duration over the shortest.", "our choice", 1.001, 1e9})
              .add("portion_draw", &S::portion_draw, {"task", "job"},
                   {"Whether every task draws its duration by itself, or a job one for all its "
                    "tasks.",
                    "our choice; simulator of Ousterhout et al. 2013: both"})
              .add("jitter", &S::jitter,
                   {"Durations are uniform within this share of portion_time around it.",
                    "our choice", 0, 0.99})
              .add("arrivals", &S::arrivals, {"constant", "exponential"},
                   {"How the times between jobs are distributed.", "our choice"})
              .add("spacing", &S::spacing,
                   {"Mean time between jobs; 0 lets all arrive at once.", "our choice", 0,
                    long_time})
              .add("start", &S::start, {"When the first job arrives.", "our choice", 0, long_time})
              .add("cpus", &S::cpus,
                   {"Slots of its peer that a task occupies.", "our choice", 1, 1024})
              .add("cpus_max", &S::cpus_max,
                   {"Where it is more than cpus, tasks need between cpus and so many, by chance; "
                    "0: all need the same.",
                    "our choice", 0, 1024})
              .add(
                  "memory", &S::memory,
                  {"Memory that a task occupies, in the unit of the peers'.", "our choice", 0, 1e9})
              .add("memory_max", &S::memory_max,
                   {"Where it is more than memory, tasks need between memory and so much, by "
                    "chance; 0: all need the same.",
                    "our choice", 0, 1e9})
              .add("payload", &S::payload,
                   {"Bytes of input that every message takes along for each task in it. They are "
                    "counted, and delayed where there is a bandwidth, but not copied.",
                    "our choice", 0, 1e12})
              .add("result_payload", &S::result_payload,
                   {"Bytes of output that every message takes along for each result in it; "
                    "likewise.",
                    "our choice", 0, 1e12})
              .add(work_settings(agents::work_kinds()))
              .add("file", &S::file,
                   {"The trace or list, plain or gzipped, relative to the scenario; \"-\": a list "
                    "from standard input."})
              .add("max_jobs", &S::max_jobs,
                   {"Take the first jobs only; 0 takes all.", "our choice", 0, 1e9})
              .add("from", &S::from,
                   {"Leave out what was submitted before, since the trace's first submission.",
                    "our choice", 0, long_time})
              .add("until", &S::until,
                   {"Leave out what was submitted from then on; 0 takes all.", "our choice", 0,
                    long_time})
              .add("time_compression", &S::time_compression,
                   {"Divides the times between submissions. More loads the peers more.",
                    "our choice", 1e-6, 1e9})
              .add("duration_scale", &S::duration_scale,
                   {"Multiplies the durations of tasks.", "our choice", 1e-9, 1e6})
              .add("estimate_error", &S::estimate_error,
                   {"Standard deviation of the logarithm of what is told of a task's duration over "
                    "its duration, or over what the file tells of it; servers and dispatchers that "
                    "go by size go by that. 0: exact.",
                    "our choice", 0, 10})
              .list(),
          workload_models()),
      .conditions = workload_conditions(),
      .address = at(&Scenario::workload)};
}

Section engine() {
  using S = EngineSection;
  return {
      .name = "engine",
      .about = "What performs the scenario.",
      .settings =
          Settings<S>{}
              .add("kind", &S::kind, core::engine_names(),
                   {"A real thread for each peer, or deterministic virtual time."})
              .add("time_scale", &S::time_scale,
                   {"Emulated seconds per real second. More is sooner done and sooner invalid.",
                    "our choice", 1e-4, 1e4})
              .add("time_limit", &S::time_limit,
                   {"Emulated time after which a run is given up.", "our choice", 1e-3, long_time})
              .add("grace", &S::grace,
                   {"Emulated time for all peers to finish once the first has, and once no planned "
                    "cut of the network parts them.",
                    "our choice", 0, long_time})
              .add("lag_tolerance", &S::lag_tolerance,
                   {"How late, in emulated time, 99 of 100 events may be in a valid run; 0: 5 % of "
                    "the mean duration of a task.",
                    "our choice", 0, hours})
              .add("sample_every", &S::sample_every,
                   {"Emulated time between samples of traffic and progress, doubled until a run "
                    "has at most 2,048; 0: none.",
                    "our choice", 0, long_time})
              .add("log_messages", &S::log_messages,
                   {"Whether every message received is stored, for timelines with the flow of "
                    "messages; large.",
                    "our choice"})
              .add("log_hops", &S::log_hops,
                   {"Whether it is noted, in facts task-handed, when a task passes from a peer to "
                    "another, for the hops of each task; many.",
                    "our choice"})
              .add("wake_up", &S::wake_up,
                   {"What it costs in virtual time to wake an idle peer; rhizome doctor "
                    "--calibrate measures it.",
                    "our choice", 0, hours})
              .add("handling", &S::handling,
                   {"What it costs in virtual time to handle an event; measured likewise.",
                    "our choice", 0, hours})
              .add("cores", &S::cores,
                   {"Processors that all peers share in virtual time, where handling costs "
                    "something; 0: each has its own.",
                    "our choice", 0, 1e6})
              .add("at_once", &S::at_once,
                   {"Runs in virtual time that go on at a time, each on a processor of this "
                    "machine, whatever comes of them; 0: as many as there are processors. More "
                    "take more memory.",
                    "our choice", 0, 1024})
              .add("machines", &S::machines,
                   {"Machines that the peers are thought to be on, in blocks of neighbours, as "
                    "--processes shares them: for faults.machine.",
                    "our choice", 1, most_peers})
              .list(),
      .conditions = {{"time_scale", "kind", core::engine_names(true)},
                     {"lag_tolerance", "kind", core::engine_names(true)},
                     {"wake_up", "kind", core::engine_names(false)},
                     {"handling", "kind", core::engine_names(false)},
                     {"cores", "kind", core::engine_names(false)},
                     {"at_once", "kind", core::engine_names(false)}},
      .address = at(&Scenario::engine)};
}

Section run() {
  using S = RunSection;
  return {.name = "run",
          .about = "How often, and with which chance.",
          .settings =
              Settings<S>{}
                  .add("seed", &S::seed,
                       {"All chance derives from it; every repetition has its own seed, the same "
                        "for all schedulers.",
                        "our choice", 0, 9.2e18})
                  .add("repetitions", &S::repetitions,
                       {"Runs of each scheduler. More narrows the intervals.",
                        "Peterson, section 5.1: 20 to 30", 1, 100'000})
                  .add("first", &S::first,
                       {"The first of these repetitions that is done, counted from 1; those before "
                        "it are left out.",
                        "our choice", 1, 100'000})
                  .add("duration", &S::duration,
                       {"Emulated time that a run takes, whatever is under way by then: an open "
                        "system, into which jobs arrive as long as it is looked at. 0: until all "
                        "jobs are done.",
                        "our choice", 0, 1e9})
                  .add("confidence", &S::confidence,
                       {"Of the intervals, between 0 and 1.", "our choice", 0.5, 0.9999})
                  .list(),
          .address = at(&Scenario::run)};
}

}  // namespace

const core::Setting* Section::find(const std::string& key) const {
  for (const core::Setting& setting : settings)
    if (setting.name == key) return &setting;
  return nullptr;
}

const Condition* Section::condition(const std::string& key) const {
  for (const Condition& condition : conditions)
    if (condition.key == key) return &condition;
  return nullptr;
}

std::vector<std::string> Section::names() const { return core::names_of(settings); }

const std::vector<Section>& sections() {
  static const std::vector<Section> all = [] {
    std::vector<Section> list{top(), peers(), peer_group(), graph(), workload()};
    for (Section& section : file_sections()) list.push_back(std::move(section));
    for (Section& section : network_sections()) list.push_back(std::move(section));
    for (Section& section : fault_sections()) list.push_back(std::move(section));
    for (Section& section : provision_sections()) list.push_back(std::move(section));
    list.push_back(engine());
    list.push_back(run());
    for (Section& section : client_sections()) list.push_back(std::move(section));
    return list;
  }();
  return all;
}

const Section* find_section(const std::string& name) {
  for (const Section& section : sections())
    if (section.name == name) return &section;
  return nullptr;
}

Scenario scenario_with_items() {
  Scenario scenario;
  for (const Section& section : sections())
    if (section.repeated) section.resize(scenario, 1);
  for (const Section& section : resource_sections()) section.resize(scenario, 1);
  return scenario;
}

}  // namespace rhizome::scenarios
