#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "agents/schedulers.hpp"
#include "core/engine/host.hpp"
#include "core/peer/state_dump.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/experiment/recorded_run.hpp"
#include "scenarios/outcome/fact_watch.hpp"
#include "scenarios/outcome/validity.hpp"
#include "scenarios/store/record.hpp"
#include "scenarios/store/same_again.hpp"
#include "scenarios/text/duration_text.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/nearest.hpp"
#include "scenarios/text/plain_text.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/messages.hpp"
#include "tools/cli/options.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/running/done_again.hpp"
#include "tools/commands/running/resume.hpp"
#include "tools/commands/running/session.hpp"
#include "tools/commands/stored.hpp"

namespace rhizome::tools {

using scenarios::RecordedRun;
using scenarios::ReplayedRun;

namespace {

// Where the replay stops, and the peers whose state is shown then.
struct Wanted {
  std::optional<core::Time> until;
  std::optional<scenarios::FactWatch> fact;
  std::optional<core::PeerId> peer;

  [[nodiscard]] bool stops() const { return until || fact; }
};

Wanted wanted_in(const Arguments& arguments) {
  Wanted wanted;
  if (const auto text = arguments.text("until")) {
    const auto time = scenarios::parse_duration(*text);
    if (!time || *time < core::Duration::zero())
      throw UsageError("--until is a time since the start, such as 2.5s; \"" + *text +
                       "\" is none");
    wanted.until = core::Time(*time);
  }
  if (const auto asked = arguments.text("break-on")) {
    try {
      wanted.fact.emplace(*asked);
    } catch (const scenarios::NoSuchFact& error) {
      throw UsageError(std::string("--break-on: ") + error.what());
    }
  }
  if (const auto peer = arguments.number("peer", 0)) {
    constexpr std::uint64_t most = core::no_peer.value;
    wanted.peer = core::PeerId{static_cast<std::uint32_t>(std::min(*peer, most))};
  }
  return wanted;
}

std::vector<RecordedRun> chosen_of(const std::vector<RecordedRun>& all,
                                   const Arguments& arguments) {
  const auto label = arguments.text("scheduler");
  const auto repetition = arguments.number("repetition", 1);
  std::vector<RecordedRun> chosen;
  std::vector<std::string> labels;
  for (const RecordedRun& run : all) {
    if (std::ranges::find(labels, run.heading.scheduler) == labels.end())
      labels.push_back(run.heading.scheduler);
    if ((!label || run.heading.scheduler == *label) &&
        (!repetition || run.heading.repetition + 1 == *repetition))
      chosen.push_back(run);
  }
  if (label && std::ranges::find(labels, *label) == labels.end())
    throw UsageError("of no scheduler \"" + *label + "\" a run was recorded" +
                     scenarios::suggestion(*label, labels));
  if (chosen.empty()) throw UsageError("no such repetition was recorded");
  return chosen;
}

std::string name_of(const core::HistoryHeading& heading) {
  return fmt::format("{}, repetition {}", heading.scheduler, heading.repetition + 1);
}

bool is_program(const scenarios::Cell& cell, const std::string& label) {
  return std::ranges::any_of(cell.scenario.schedulers, [&](const scenarios::SchedulerChoice& one) {
    return one.label == label && one.scheduler->name == agents::program_name;
  });
}

// The stored outcome of the run, if there is one: a run that failed or was interrupted has none.
std::optional<scenarios::Outcome> stored_outcome(const scenarios::StoredRun& run,
                                                 const core::HistoryHeading& heading) {
  for (std::size_t i = 0; i < run.store.size(); ++i) {
    const scenarios::Identity identity = run.store.identity(i);
    if (identity.label == heading.scheduler && identity.repetition == heading.repetition)
      return run.read(i);
  }
  return {};
}

void print_state(const core::ReplayEngine& engine, core::PeerId id) {
  const core::Host& host = engine.host(id);
  const core::Peer* peer = host.peer();
  if (peer == nullptr) {
    std::printf("peer %u is down\n", id.value);
    return;
  }
  core::StateDump dump;
  const bool whole = peer->dump_state(dump);
  std::printf("peer %u, life %u%s:\n", id.value, host.life().value,
              host.finished() ? ", finished" : "");
  for (const core::StateDump::Field& field : dump.fields())
    std::printf("  %s = %s\n", field.name.c_str(), scenarios::plain_text(field.value).c_str());
  for (const auto& service : peer->services()) {
    core::StateDump its;
    if (!whole && !service->dump_state(its))
      std::printf("  %s shows no more of its state\n", std::string(service->name()).c_str());
  }
}

// One recorded run, done again.
class Again {
 public:
  Again(const scenarios::StoredRun& stored, const scenarios::Cell& cell, const RecordedRun& run,
        const Wanted& wanted)
      : stored_(stored),
        wanted_(wanted),
        name_(name_of(run.heading)),
        of_program_(is_program(cell, run.heading.scheduler)),
        observer_{.stop = &interrupt_flag()},
        replay_(cell, run.file, stop(), observer_) {
    const std::uint32_t peers = run.heading.peers;
    if (wanted.peer && wanted.peer->value >= peers)
      throw UsageError(fmt::format("--peer: the run has peers 0 to {}", peers - 1));
  }

  Exit run() {
    const std::string& failure = replay_.history().end.failure;
    try {
      replay_.run();
    } catch (const core::Divergence& divergence) {
      return differs(divergence.what());
    } catch (const std::exception& error) {
      if (failure.empty() || failure != error.what()) throw;
      std::printf("%s: fails as recorded, %s: %s\n", scenarios::plain_text(name_).c_str(),
                  place().c_str(), scenarios::plain_text(error.what()).c_str());
      show();
      return Exit::fails;
    }
    if (!replay_.engine().whole()) return stopped();
    if (wanted_.stops())
      std::printf("%s: the record ended before that, %s\n", scenarios::plain_text(name_).c_str(),
                  place().c_str());
    if (wanted_.peer) show();
    return compare();
  }

 private:
  core::ReplayStop stop() {
    core::ReplayStop stop{.until = wanted_.until};
    if (wanted_.fact)
      stop.at = [this](core::PeerId peer, core::Time at, const core::EncodedFact& fact) {
        if ((wanted_.peer && peer != *wanted_.peer) || !wanted_.fact->matches(fact)) return false;
        noted_ = scenarios::sentence_of(at, peer, fact);
        return true;
      };
    return stop;
  }
  std::string place() const {
    return fmt::format("at {:.9f} s after {} events", core::seconds(replay_.engine().now()),
                       replay_.engine().events());
  }
  void show() const {
    const core::PeerId peer = wanted_.peer.value_or(replay_.engine().last());
    if (peer != core::no_peer) print_state(replay_.engine(), peer);
  }
  Exit stopped() const {
    if (interrupt_flag().load()) return Exit::interrupted;
    std::printf("%s: stopped %s\n", scenarios::plain_text(name_).c_str(), place().c_str());
    if (!noted_.empty()) std::printf("%s\n", scenarios::plain_text(noted_).c_str());
    show();
    return Exit::holds;
  }
  Exit differs(const std::string& how) const {
    const core::HistoryHeading& heading = replay_.history().heading;
    return tell_difference({.run = name_,
                            .how = how,
                            .of_program = of_program_,
                            .same_build = heading.program == scenarios::this_program()});
  }
  Exit compare() {
    const scenarios::Outcome outcome = replay_.outcome();
    const auto before = stored_outcome(stored_, replay_.history().heading);
    std::printf("%s: replayed to its end, %s\n", scenarios::plain_text(name_).c_str(),
                place().c_str());
    for (const scenarios::Violation& broken : outcome.violations)
      std::printf("  invariant %s is broken: %s\n", scenarios::plain_text(broken.invariant).c_str(),
                  scenarios::plain_text(broken.text).c_str());
    if (!before) {
      std::printf("  no outcome of it is stored, so nothing is compared\n");
    } else {
      const auto [difference, remark] = compared(stored_, *before, outcome);
      if (difference) return differs(*difference);
      std::printf("  the same facts and burdens as in the recorded run%s\n", remark.c_str());
    }
    std::printf("  how late threads were is not replayed: it stands as recorded, %s\n",
                std::string(name_of(outcome.validity.level)).c_str());
    return outcome.violations.empty() ? Exit::holds : Exit::fails;
  }

  const scenarios::StoredRun& stored_;
  const Wanted& wanted_;
  const std::string name_;
  const bool of_program_;
  const core::Observer observer_;
  std::string noted_;  // the fact at which it stopped
  ReplayedRun replay_;
};

std::vector<Option> replay_options() {
  return joined({stored_options({.label = "all", .repetition = "all"}),
                 {{.name = "until",
                   .value = "TIME",
                   .help = "stop after the last event up to this time, such as 2.5s"},
                  {.name = "break-on",
                   .value = "FACT",
                   .help = "stop at the first such fact; with values: 'task-started job=0'"},
                  {.name = "peer",
                   .value = "ID",
                   .help = "print the state of this peer; --break-on stops at its facts only"}}});
}

}  // namespace

Command replay_entry() {
  return {.name = "replay",
          .summary = "repeat a stored run, event by event, and compare the results",
          .positional = "RUN",
          .about =
              "RUN is the directory of a run that rhizome run --record has kept, or latest.\n"
              "replay gives every peer the recorded events at their recorded times, as fast as\n"
              "the machine computes them. It compares facts and message counts with the stored\n"
              "ones, and prints the first difference. An event that the recording does not have\n"
              "is reported at once. The lateness of threads is taken from the recording. The\n"
              "exit status is 1 if the run broke an invariant or failed.\n"
              "\n"
              "A run in virtual time needs no recording: replay runs it again from its seed. If\n"
              "a program is not deterministic, replay prints the first difference, and the exit\n"
              "status is 1.\n"
              "\n"
              "With --until or --break-on, replay stops there and prints the state of a peer:\n"
              "that of the last event, or --peer. --break-on takes a fact (rhizome list facts),\n"
              "and values that it must have: --break-on 'task-started job=0'. Recordings of\n"
              "rhizome monitor are shown by rhizome monitor, not by replay.",
          .examples = {"rhizome replay latest", "rhizome replay latest --scheduler organic-grid",
                       "rhizome replay latest --scheduler organic-grid --until 2.5s --peer 7",
                       "rhizome replay latest --scheduler organic-grid "
                       "--break-on 'task-completed portion=4'"},
          .options = replay_options(),
          .run = replay_command,
          .alone = true};
}

Exit replay_command(const Arguments& arguments) {
  const Wanted wanted = wanted_in(arguments);
  // A run that failed has no outcome, and can be replayed all the same.
  const scenarios::StoredRun stored =
      scenarios::open_run(stored_path(arguments.positional().front(), arguments));
  const std::string scenario = (stored.path / "scenario.toml").string();
  const auto cells = cells_as_read(stored);
  if (!scenarios::any_in_real_time(cells)) return do_again(arguments);
  const std::vector<RecordedRun> runs = chosen_of(scenarios::recorded_runs(stored.path), arguments);
  if (wanted.stops() && runs.size() > 1)
    throw UsageError(
        "several runs were recorded: say with --scheduler and --repetition which one "
        "is to stop");
  if (const std::string remark = scenarios::check_same(scenario); !remark.empty()) warn(remark);
  Exit worst = Exit::holds;
  for (const RecordedRun& run : runs)
    worst = std::max(worst, Again(stored, cells.front(), run, wanted).run());
  return worst;
}

}  // namespace rhizome::tools
