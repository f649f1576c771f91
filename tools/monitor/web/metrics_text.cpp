#include "tools/monitor/web/metrics_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "agents/facts.hpp"
#include "scenarios/live/fact_kinds.hpp"
#include "scenarios/live/verdict.hpp"
#include "scenarios/outcome/validity.hpp"
#include "scenarios/text/plain_text.hpp"
#include "tools/monitor/web/exposition.hpp"
#include "tools/monitor/web/process.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;
using live::Column;
using live::Row;

namespace {

// Reasons are words of the program: more than these are none.
constexpr std::size_t most_reasons = 64;

constexpr std::array<std::string_view, core::Vitals::measures> measures{"packets", "timers", "work",
                                                                        "handlers"};

double number(std::uint64_t count) { return static_cast<double>(count); }

std::string_view standing(const live::Frame& frame, const MonitorFigures& monitor) {
  if (frame.over) return "over";
  if (monitor.recorded) return "recorded";
  return monitor.process != 0 ? "live" : "lost";
}

void add_run(Exposition& out, const live::Frame& frame, const MonitorFigures& monitor) {
  const live::RunTitle& run = frame.run;
  out.info("rhizome_run", "Which run of the experiment it is.",
           {{"scenario", run.scenario},
            {"scheduler", run.scheduler},
            {"label", run.label},
            {"cell", run.cell},
            {"engine", run.engine},
            {"seed", std::to_string(run.seed)},
            {"repetition", std::to_string(run.repetition + 1)},
            {"run", std::to_string(run.number + 1)}});
  out.state("rhizome_run_state",
            "Whether it goes on, has ended, its process has gone, or a recording ends before it.",
            standing(frame, monitor), {"live", "over", "lost", "recorded"});
  const double real = core::seconds(frame.real);
  const double now = core::seconds(frame.now);
  out.gauge("rhizome_emulated_time_seconds", "Since the run began, as its peers see it.", "seconds")
      .add(now);
  // A finished run is played by its emulated time: no clock of its own is known.
  if (monitor.recorded && frame.real == frame.now.time_since_epoch()) return;
  out.gauge("rhizome_real_time_seconds", "Since the run began, without holds.", "seconds")
      .add(real);
  out.gauge("rhizome_speed_ratio", "Emulated time by real time.", "ratio")
      .add(real > 0 ? now / real : 0);
}

void add_peers(Exposition& out, const live::Frame& frame) {
  const live::Totals& totals = frame.totals;
  out.gauge("rhizome_peers", "Peers by state: up, finished of those, and down.")
      .add(totals.alive, {{"state", "up"}})
      .add(totals.finished, {{"state", "finished"}})
      .add(frame.run.peers - std::min(totals.alive, frame.run.peers), {{"state", "down"}});
}

// The processes of a run that several share.
void add_processes(Exposition& out, const std::vector<live::ProcessSeen>& processes) {
  if (processes.empty()) return;
  const auto count = [&processes](bool live::ProcessSeen::*state) {
    return std::count_if(processes.begin(), processes.end(),
                         [state](const live::ProcessSeen& each) { return each.*state; });
  };
  const auto lost = static_cast<std::size_t>(count(&live::ProcessSeen::lost));
  const auto silent = static_cast<std::size_t>(count(&live::ProcessSeen::silent));
  out.gauge("rhizome_processes", "Processes that share the peers, by state.")
      .add(number(processes.size() - lost - silent), {{"state", "up"}})
      .add(number(silent), {{"state", "silent"}})
      .add(number(lost), {{"state", "lost"}});
}

void add_faults(Exposition& out, const live::FaultCounts& faults) {
  out.counter("rhizome_faults", "What has befallen peers and the network, by kind.");
  for (std::size_t i = 0; i < faults.peers.size(); ++i)
    out.add(number(faults.peers[i]), {{"kind", core::name_of(static_cast<core::Fault::Kind>(i))}});
  out.add(number(faults.partings), {{"kind", "partition"}});
}

void add_by_class(Exposition& out,
                  const std::array<std::uint64_t, core::message_classes>& amounts) {
  for (std::size_t i = 0; i < amounts.size(); ++i)
    out.add(number(amounts[i]), {{"class", core::name_of(static_cast<core::MessageClass>(i))}});
}

void add_messages(Exposition& out, const live::Totals& totals) {
  out.counter("rhizome_messages_sent", "Messages sent, by class.");
  add_by_class(out, totals.sent);
  out.counter("rhizome_sent_bytes", "Of these messages, by class.", "bytes");
  add_by_class(out, totals.sent_bytes);
  out.counter("rhizome_messages_received", "Messages taken in.").add(number(totals.received));
  out.counter("rhizome_received_bytes", "Of these messages.", "bytes")
      .add(number(totals.received_bytes));
  out.counter("rhizome_messages_duplicated", "Messages of which a link made a second copy.")
      .add(number(totals.duplicated));
  out.counter("rhizome_messages_dropped", "Messages that were not handled, by reason.");
  for (std::size_t i = 0; i < totals.dropped.size(); ++i)
    out.add(number(totals.dropped[i]), {{"reason", core::name_of(static_cast<core::Drop>(i))}});
  const std::uint64_t begun =
      std::accumulate(totals.sent.begin(), totals.sent.end(), totals.duplicated);
  const std::uint64_t ended =
      std::accumulate(totals.dropped.begin(), totals.dropped.end(), totals.received);
  out.gauge("rhizome_messages_in_flight", "Messages sent and not yet taken in or dropped.")
      .add(number(begun > ended ? begun - ended : 0));
  out.counter("rhizome_events_handled", "Packets, timers, work ends and inputs.")
      .add(number(totals.events));
}

void add_tasks(Exposition& out, const live::Frame& frame) {
  const live::TaskCounts& tasks = frame.totals.tasks;
  const std::array<std::pair<std::string_view, std::uint64_t>, 6> counts{
      {{"submitted", tasks.submitted},
       {"started", tasks.started},
       {"executed", tasks.executed},
       {"completed", tasks.completed},
       {"reissued", tasks.reissued},
       {"duplicate", tasks.duplicate}}};
  for (const auto& [name, count] : counts)
    out.counter("rhizome_tasks_" + std::string(name), "Tasks " + std::string(name) + ".")
        .add(number(count));
  if (frame.run.tasks)
    out.gauge("rhizome_tasks_planned", "Tasks that the scenario hands in.")
        .add(number(*frame.run.tasks));
  out.gauge("rhizome_tasks_running", "Pieces of work under way.").add(frame.totals.running);
  out.gauge("rhizome_tasks_waiting", "Tasks that are at some peer and have not been begun.")
      .add(number(tasks.waiting));
  out.counter("rhizome_jobs_completed", "Jobs with all their results.")
      .add(number(tasks.jobs_completed));
}

void add_lateness(Exposition& out, const live::Totals& totals) {
  const auto& lateness = totals.lateness;
  out.counter("rhizome_judged", "What was judged for being late, by measure.");
  for (std::size_t i = 0; i < measures.size(); ++i)
    out.add(number(lateness[i].seen), {{"measure", measures[i]}});
  out.counter("rhizome_late",
              "What was later than the tolerance, or than four times that, by measure.");
  for (std::size_t i = 0; i < measures.size(); ++i)
    out.add(number(lateness[i].late), {{"measure", measures[i]}, {"over", "1"}})
        .add(number(lateness[i].very_late), {{"measure", measures[i]}, {"over", "4"}});
}

// Lateness is known while a run goes on, and is not stored.
bool tells_lateness(const live::Totals& totals) {
  return std::any_of(totals.lateness.begin(), totals.lateness.end(),
                     [](const live::Lateness& each) { return each.seen > 0; });
}

void add_punctuality(Exposition& out, const live::Frame& frame, const MonitorFigures& monitor) {
  if (frame.run.engine != "threads") return;
  if (monitor.plan != nullptr)
    out.gauge("rhizome_lag_tolerance_seconds", "What is later than that counts as late.", "seconds")
        .add(core::seconds(monitor.plan->foreseen.lag_tolerance));
  const bool told = !monitor.recorded || tells_lateness(frame.totals);
  if (told) add_lateness(out, frame.totals);
  if (!told && monitor.end == nullptr) return;
  out.state("rhizome_validity", "The verdict on the emulation, if the run ended now.",
            scenarios::name_of(monitor.end != nullptr ? monitor.end->validity
                                                      : live::verdict_so_far(frame.totals)),
            {"valid", "suspect", "invalid"});
}

// A finished run whose messages were not logged only has the messages of all peers together.
bool tells_burdens(const live::State& state) {
  const auto& sent = state.frame().totals.sent;
  return std::accumulate(sent.begin(), sent.end(), std::uint64_t{0}) == 0 ||
         std::any_of(state.rows().begin(), state.rows().end(),
                     [](const Row& row) { return live::sent_by(row) > 0; });
}

void add_quantiles(Exposition& out, const std::vector<double>& burdens) {
  out.gauge("rhizome_peer_burden_messages",
            "Messages that a peer has sent and taken in, by share of the peers.", "messages");
  for (const auto& [name, share] : std::array<std::pair<std::string_view, double>, 4>{
           {{"0.5", 0.5}, {"0.9", 0.9}, {"0.99", 0.99}, {"1", 1}}})
    if (!burdens.empty())
      out.add(burdens[static_cast<std::size_t>(share * number(burdens.size() - 1))],
              {{"quantile", name}});
}

void add_burdens(Exposition& out, const live::State& state) {
  std::vector<double> burdens;
  std::uint64_t inbox = 0;
  for (std::uint32_t i = 0; i < state.rows().size(); ++i) {
    const Row& row = state.rows()[i];
    burdens.push_back(number(live::sent_by(row) + of(row, Column::received)));
    inbox = std::max(inbox, of(row, Column::inbox));
  }
  std::sort(burdens.begin(), burdens.end());
  if (tells_burdens(state)) add_quantiles(out, burdens);
  out.gauge("rhizome_inbox_depth_max", "Messages that waited for one peer, at most.")
      .add(number(inbox));
  out.gauge("rhizome_tree_height", "Links from the deepest peer up to the top of its tree.")
      .add(number(tree_height(state.rows())));
}

void add_monitor(Exposition& out, const live::State& state, const MonitorFigures& monitor) {
  out.counter("rhizome_tree_moves",
              "Peers that changed their parent or group while this monitor looked, by reason.");
  for (const auto& [reason, count] : monitor.moves) out.add(number(count), {{"reason", reason}});
  out.gauge("rhizome_watching_ratio", "What watching takes of a processor of the run.", "ratio")
      .add(state.frame().cost.share);
  out.counter("rhizome_monitor_cpu_seconds", "What the monitor has taken.", "seconds")
      .add(monitor.processor_seconds);
  out.gauge("rhizome_monitor_clients", "Pages that are open.").add(number(monitor.clients));
}

void add_process(Exposition& out, std::uint64_t process) {
  const auto usage = usage_of(process);
  if (!usage) return;
  out.counter("process_cpu_seconds", "Of the process of the run.", "seconds")
      .add(usage->processor_seconds);
  out.gauge("process_resident_memory_bytes", "Of the process of the run.", "bytes")
      .add(usage->resident_bytes);
  out.gauge("process_threads", "Of the process of the run.").add(usage->threads);
}

// The links above a peer, and 1 more, as for those that are known; 0 of all others.
void reckon_depth(std::size_t peer, const std::vector<Row>& rows,
                  std::vector<std::size_t>& depths) {
  std::vector<std::size_t> way;
  while (depths[peer] == 0) {
    depths[peer] = 1;  // in a cycle, this peer counts as the top
    way.push_back(peer);
    const core::PeerId above = live::above_of(rows[peer]);
    if (above.value >= rows.size()) break;
    peer = above.value;
  }
  std::size_t depth = way.empty() || way.back() != peer ? depths[peer] : 0;
  for (std::size_t i = way.size(); i > 0; --i) depths[way[i - 1]] = ++depth;
}

}  // namespace

void MoveCounts::take(const live::State& state, const live::FactSlice& facts,
                      const live::Welcome& welcome) {
  const std::uint32_t run = state.frame().run.number + 1;
  if (run != run_) counts_.clear();
  run_ = run;
  for (const live::LiveFact& fact : facts.facts) {
    if (fact.kind >= welcome.fact_kinds.size()) continue;
    live::visit_fact(welcome.fact_kinds[fact.kind], fact.payload, [this]<class F>(const F& known) {
      if constexpr (core::one_of<F, core::OneOf<agents::ParentChanged, agents::GroupChanged>>) {
        const std::string reason = scenarios::plain_text(known.reason);
        if (counts_.size() < most_reasons || counts_.contains(reason)) ++counts_[reason];
      }
    });
  }
}

std::size_t tree_height(const std::vector<Row>& rows) {
  std::vector<std::size_t> depths(rows.size());
  std::size_t height = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (depths[i] == 0) reckon_depth(i, rows, depths);
    height = std::max(height, depths[i] - 1);
  }
  return height;
}

std::string metrics_text(const live::State& state, const MonitorFigures& monitor) {
  Exposition out;
  if (!state.empty()) {
    const live::Frame& frame = state.frame();
    add_run(out, frame, monitor);
    add_peers(out, frame);
    add_processes(out, frame.cost.processes);
    add_faults(out, frame.cost.faults);
    add_messages(out, frame.totals);
    add_tasks(out, frame);
    add_punctuality(out, frame, monitor);
    add_burdens(out, state);
    add_process(out, monitor.process);
  }
  add_monitor(out, state, monitor);
  return out.text();
}

}  // namespace rhizome::tools
