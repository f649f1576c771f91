#include <algorithm>
#include <cstdio>
#include <optional>

#include "core/engine/calibration.hpp"
#include "core/engine/limits.hpp"
#include "core/engine/thread_engine.hpp"
#include "scenarios/outcome/validity.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/commands/commands.hpp"

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

struct Trial {
  core::Duration period;
  core::Duration tolerance;
};

scenarios::Validity try_out(std::uint32_t peers, const Trial& trial) {
  const core::LinkChain links;
  core::EngineSetup setup;
  setup.peers = peers;
  setup.links = &links;
  setup.limit = std::chrono::seconds(3);
  setup.make_peer = [=](core::PeerId id, core::Incarnation incarnation) {
    auto peer = std::make_unique<core::Peer>(id, incarnation, 1);
    peer->add<Chatter>(peers, trial.period);
    return peer;
  };
  core::ThreadEngine engine(std::move(setup), {});
  const core::EngineReport report = engine.run({.stop = &interrupt_flag()});
  return scenarios::judge_validity(report.fidelity, trial.tolerance, 1.0);
}

void print_limits() {
  std::puts("Limits of this machine, the tightest first:");
  for (const core::Limit& limit : core::machine_limits())
    std::printf("  %-42s %15llu  enough for %llu peers\n", limit.name.c_str(),
                static_cast<unsigned long long>(limit.value),
                static_cast<unsigned long long>(limit.peers));
}

// As lines of a scenario, to be pasted into [engine].
Exit print_costs() {
  const core::CostModel costs = core::measure_costs(&interrupt_flag());
  if (interrupt_flag()) return Exit::interrupted;
  const auto micro = [](core::Duration d) { return core::seconds(d) * 1e6; };
  std::printf(
      "Costs of an event on this machine, as [engine] keys of virtual time:\n"
      "handling = \"%.1fus\"\nwake_up = \"%.1fus\"\ncores = %u\n",
      micro(costs.handling), micro(costs.wake_up), costs.cores);
  return Exit::holds;
}

}  // namespace

// Doubles the peers until a run is not valid, then halves the gap a few times.
Exit doctor_command(const Arguments& arguments) {
  if (arguments.has("calibrate")) return print_costs();
  core::raise_limits();
  print_limits();
  if (arguments.has("limits")) return Exit::holds;
  const std::uint64_t rate = arguments.number("rate", 1).value_or(5);
  const std::uint64_t tolerance = arguments.number("tolerance", 1).value_or(5);
  const Trial trial{.period = std::chrono::nanoseconds(1'000'000'000 / rate),
                    .tolerance = std::chrono::milliseconds(tolerance)};
  const auto ceiling = static_cast<std::uint32_t>(core::machine_limits().front().peers);
  std::printf(
      "\nTrial: every peer sends %llu messages a second to random others; valid means that\n"
      "99 of 100 packets and timers are at most %llu ms late.\n",
      static_cast<unsigned long long>(rate), static_cast<unsigned long long>(tolerance));
  std::uint32_t valid = 0;
  std::optional<std::uint32_t> invalid;
  std::uint32_t peers = std::min<std::uint32_t>(250, ceiling);
  for (int tries = 0; tries < 10 && !interrupt_flag(); ++tries) {
    const scenarios::Validity verdict = try_out(peers, trial);
    const bool good = verdict.level == scenarios::Validity::Level::valid;
    std::printf("  %6u peers: %-8s 99 %% of lags within %.2f ms\n", peers,
                std::string(name_of(verdict.level)).c_str(),
                core::seconds(verdict.worst_lag) * 1e3);
    std::fflush(stdout);
    if (good) valid = std::max(valid, peers);
    if (!good) invalid = peers;
    if (valid >= ceiling || (invalid && *invalid - valid <= std::max(50U, valid / 10))) break;
    peers = invalid ? (valid + *invalid) / 2 : std::min(peers * 2, ceiling);
  }
  if (interrupt_flag()) return Exit::interrupted;
  std::printf("\nThe largest valid number of peers found is %u.\n", valid);
  return valid > 0 ? Exit::holds : Exit::inconclusive;
}

}  // namespace rhizome::tools
