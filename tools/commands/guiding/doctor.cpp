#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/engine/calibration.hpp"
#include "core/engine/limits.hpp"
#include "core/engine/thread_engine.hpp"
#include "scenarios/outcome/validity.hpp"
#include "scenarios/store/store.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/options.hpp"
#include "tools/cli/output.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/guiding/ceiling.hpp"
#include "tools/commands/guiding/hosts_report.hpp"
#include "tools/commands/guiding/slurm_report.hpp"
#include "tools/commands/guiding/work_costs.hpp"
#include "tools/commands/running/session.hpp"

namespace rhizome::tools {

namespace {

// The load of the trial: every peer sends to another peer at a steady rate.
struct Word {
  static constexpr core::MessageInfo info{"word", core::MessageClass::information,
                                          core::Cause::probe};
  std::uint32_t number = 0;
};
struct SpeakDue {};

class Chatter {
 public:
  using Messages = core::OneOf<Word>;
  using Timers = core::OneOf<SpeakDue>;
  using Env = core::Env<Messages, Timers>;
  static constexpr std::string_view name = "chatter";
  static constexpr bool perpetual = true;

  Chatter(std::uint32_t peers, core::Duration period) : peers_(peers), period_(period) {}
  // Peers begin out of step, as they would in use.
  void start(Env& env) {
    env.after(core::Duration(env.rng().between(0, period_.count())), SpeakDue{});
  }
  void on(Env& env, const SpeakDue&) {
    env.send(core::PeerId{static_cast<std::uint32_t>(env.rng().below(peers_))}, Word{});
    env.after(period_, SpeakDue{});
  }
  void on(Env&, core::PeerId, const Word&) {}

 private:
  std::uint32_t peers_;
  core::Duration period_;
};

// A message in each microsecond of each peer: more than any machine can tell apart.
constexpr std::uint64_t most_rate = 1'000'000;

struct Trial {
  core::Duration period;
  core::Duration tolerance;
};

// The result for a number of peers: their lateness, and the fraction of expected messages that they
// sent.
struct Finding {
  scenarios::Validity verdict;
  double achieved = 0;  // 1: all
  [[nodiscard]] bool good() const {
    return verdict.level == scenarios::Validity::Level::valid && achieved >= enough;
  }
  static constexpr double enough = 0.95;
};

double achieved(const core::EngineReport& report, const Trial& trial) {
  std::uint64_t sent = 0;
  for (const core::Recorder& recorder : report.recorders) sent += recorder.sent_count();
  const double periods = core::seconds(report.ended) / core::seconds(trial.period);
  return static_cast<double>(sent) / (periods * static_cast<double>(report.recorders.size()));
}

Finding try_out(std::uint32_t peers, const Trial& trial) {
  const core::LinkChain links;
  core::EngineSetup setup;
  setup.peers = peers;
  setup.links = &links;
  setup.limit = std::chrono::seconds(3);
  setup.lag_tolerance = trial.tolerance;
  setup.make_peer = [=](core::PeerId id, core::Incarnation incarnation) {
    auto peer = std::make_unique<core::Peer>(id, incarnation, 1);
    peer->add<Chatter>(peers, trial.period);
    return peer;
  };
  core::ThreadEngine engine(std::move(setup), {});
  const core::EngineReport report = engine.run({.stop = &interrupt_flag()});
  return {scenarios::judge_validity(report.fidelity, trial.tolerance, 1.0,
                                    report.ended.time_since_epoch()),
          achieved(report, trial)};
}

void print(std::uint32_t peers, const Finding& found) {
  const std::string level =
      found.achieved < Finding::enough ? "too slow" : std::string(name_of(found.verdict.level));
  std::printf("  %6u peers: %-8s 99 %% of lags within %.2f ms, %.0f %% of the messages\n", peers,
              level.c_str(), core::seconds(found.verdict.worst_lag) * 1e3, 100 * found.achieved);
  std::fflush(stdout);
}

void print_limits() {
  std::puts("Limits of this machine, the tightest first, and the peers that each allows:");
  for (const core::Limit& limit : core::machine_limits())
    std::printf("  %-42s %12llu  %llu peers\n", limit.name.c_str(),
                static_cast<unsigned long long>(limit.value),
                static_cast<unsigned long long>(limit.peers));
}

// Prints the costs as lines of a scenario, to be pasted into [engine] and [workload], or writes
// them to a file that a scenario names.
Exit print_costs(const Arguments& arguments) {
  std::vector<scenarios::Cell> cells;
  if (!arguments.positional().empty())
    cells = read_cells(arguments.positional().front(), arguments);
  const core::CostModel costs = core::measure_costs(&interrupt_flag());
  if (interrupt_flag()) return Exit::interrupted;
  const auto micro = [](core::Duration d) { return core::seconds(d) * 1e6; };
  std::printf(
      "Costs of an event on this machine, as [engine] keys of virtual time:\n"
      "handling = \"%.1fus\"\nwake_up = \"%.1fus\"\ncores = %u\n",
      micro(costs.handling), micro(costs.wake_up), costs.cores);
  const std::vector<WorkCost> work = measure_work(cells, interrupt_flag());
  if (interrupt_flag()) return Exit::interrupted;
  print_text("\n" + text_of(work));
  if (const auto file = arguments.text("to")) write_result(*file, costs_file(costs, work));
  return Exit::holds;
}

// Options of a trial with a scenario or several processes do not apply to gossip on this machine.
void check_options(const Arguments& arguments) {
  arguments.refuse({"limits", "rate", "tolerance"},
                   "is for this machine alone, without a scenario");
  check_together_options({}, arguments);
}

void check_calibration(const Arguments& arguments) {
  if (arguments.has("to") && !arguments.has("calibrate"))
    throw UsageError("--to has no effect without --calibrate");
  if (!arguments.has("calibrate")) return;
  if (processes_of(arguments) > 1) throw UsageError("--calibrate is for this machine alone");
  arguments.refuse({"limits", "rate", "tolerance", "scheduler", "trial"},
                   "has no effect with --calibrate");
}

void check_slurm(const Arguments& arguments) {
  if (arguments.has("held") && (!arguments.has("slurm") || arguments.positional().empty()))
    throw UsageError("--held has no effect without --slurm and a scenario");
  if (!arguments.has("slurm")) return;
  if (processes_of(arguments) > 1) throw UsageError("--slurm is for this machine alone");
  arguments.refuse({"limits", "rate", "tolerance", "calibrate", "scheduler", "trial"},
                   "has no effect with --slurm");
}

void check_scenario_options(const Arguments& arguments) {
  for (const std::string name : {"set", "scheduler", "trial"})
    if (arguments.has(name) && arguments.positional().empty())
      throw UsageError("--" + name + " has no effect without a scenario");
}

// The processes side by side, where there are several, and what a scenario can become on them.
Exit look_around(const Arguments& arguments) {
  check_options(arguments);
  std::optional<Ceiling> ceiling;
  check_scenario_options(arguments);
  if (!arguments.positional().empty()) ceiling.emplace(arguments);
  const std::vector<scenarios::Cell> none;
  Together together(arguments, ceiling ? ceiling->cells() : none, true);
  if (together.follows()) {
    send_findings(*together.mesh());
    return together.follow();
  }
  if (together.mesh() != nullptr) print_text(text_of(gather_findings(*together.mesh())));
  return ceiling ? ceiling->find(together) : Exit::holds;
}

}  // namespace

// Doubles the peers until a run is not valid, then halves the gap a few times.
Exit doctor_command(const Arguments& arguments) {
  check_calibration(arguments);
  check_slurm(arguments);
  if (arguments.has("slurm")) {
    check_scenario_options(arguments);
    return print_slurm(arguments);
  }
  if (arguments.has("calibrate")) {
    check_scenario_options(arguments);
    return print_costs(arguments);
  }
  if (!arguments.positional().empty() || processes_of(arguments) > 1) return look_around(arguments);
  check_scenario_options(arguments);
  core::raise_limits();
  print_limits();
  if (arguments.has("limits")) return Exit::holds;
  const std::uint64_t rate = arguments.number("rate", 1).value_or(5);
  if (rate > most_rate)
    throw UsageError(fmt::format("--rate is at most {} messages a second", most_rate));
  const core::Duration tolerance =
      duration_in(arguments, "tolerance").value_or(std::chrono::milliseconds(5));
  const Trial trial{.period = std::chrono::nanoseconds(1'000'000'000 / rate),
                    .tolerance = tolerance};
  const core::Limit tightest = core::machine_limits().front();
  if (tightest.peers == 0)
    throw core::LimitExceeded("this machine carries no peer: " + tightest.name + " is " +
                              std::to_string(tightest.value));
  const auto ceiling = static_cast<std::uint32_t>(tightest.peers);
  std::printf(
      "\nTrial: every peer sends %llu messages a second to random others; valid means that\n"
      "99 of 100 packets and timers are at most %s late, no peer stands still, and 95 %% of\n"
      "the messages are sent.\n",
      static_cast<unsigned long long>(rate), scenarios::duration_text(tolerance).c_str());
  std::uint32_t valid = 0;
  std::optional<std::uint32_t> invalid;
  std::uint32_t peers = std::min<std::uint32_t>(250, ceiling);
  for (int tries = 0; tries < 10 && !interrupt_flag(); ++tries) {
    const Finding found = try_out(peers, trial);
    print(peers, found);
    if (found.good()) valid = std::max(valid, peers);
    if (!found.good()) invalid = peers;
    const std::uint32_t near = valid > 0 ? std::max(50U, valid / 10) : 1;
    if (valid >= ceiling || (invalid && *invalid - valid <= near)) break;
    peers = invalid ? (valid + *invalid) / 2 : std::min(peers * 2, ceiling);
  }
  if (interrupt_flag()) return Exit::interrupted;
  if (valid == 0) {
    std::puts("\nNo number of peers was valid: the machine is busy, or the rate too high.");
    return Exit::inconclusive;
  }
  std::printf("\nThe largest valid number of peers found is %u.\n", valid);
  return Exit::holds;
}

Command doctor_entry() {
  std::vector<Option> own{
      {.name = "limits", .help = "print only the limits; measure nothing"},
      {.name = "calibrate",
       .help = "measure the processor time of an event and of real work here, for virtual time "
               "to charge; with a scenario, also that of its work"},
      {.name = "to",
       .value = "FILE",
       .help =
           "with --calibrate: write the costs to FILE; a scenario names it as costs = \"FILE\""},
      {.name = "slurm",
       .help = "show the nodes and the queue of the Slurm cluster; with a scenario, also what its "
               "[provision] would decide now"},
      {.name = "held",
       .value = "N",
       .help = "with --slurm: how many nodes are held (start_nodes of the scenario)"},
      {.name = "rate", .value = "N", .help = "messages per second that each peer sends (5)"},
      {.name = "tolerance",
       .value = "TIME",
       .help = "by how much 99 of 100 packets may be late at most (5ms)"},
      set_option("override a key of the scenario (repeatable)"),
      {.name = "scheduler",
       .value = "SCHEDULER",
       .help = "use this scheduler of the scenario instead of its first"},
      {.name = "trial",
       .value = "TIME",
       .help = "the real time of each short run of the scenario (3s)"}};
  return {.name = "doctor",
          .summary = "measure how many peer threads this machine carries",
          .positional = "[SCENARIO]",
          .about =
              "Lists the limits of this machine that matter for threads. Then it measures:\n"
              "peers send each other some messages per second, and their number grows until a\n"
              "run is no longer valid. doctor prints the largest number of peers whose run was\n"
              "valid.\n"
              "\n"
              "With a SCENARIO, short runs show up to which number of peers and which time\n"
              "scale its runs are valid. With --hosts or --processes it prints limits, cores,\n"
              "round trips and clocks of all processes side by side, and the differences\n"
              "between them. --slurm reads the queue of a Slurm cluster, and shows how many\n"
              "nodes are idle, which job of another user is first in the queue, and what\n"
              "[provision] would decide.",
          .examples = {"rhizome doctor", "rhizome doctor --limits", "rhizome doctor --calibrate",
                       "rhizome doctor --calibrate work.toml --to costs.toml",
                       "rhizome doctor og.toml", "rhizome doctor --hosts h1,h2,h3 og.toml",
                       "rhizome doctor --slurm provisioned.toml --held 8"},
          .options = joined({own, together_options(), {quiet_option()}}),
          .run = doctor_command};
}

}  // namespace rhizome::tools
