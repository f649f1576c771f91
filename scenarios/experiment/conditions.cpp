#include "scenarios/experiment/conditions.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "agents/possible.hpp"
#include "core/engine/catalogue.hpp"
#include "core/peer/limit_exceeded.hpp"
#include "scenarios/format/checks/checks.hpp"
#include "scenarios/format/unsaid.hpp"
#include "scenarios/text/duration_text.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/world/network/latencies.hpp"
#include "scenarios/world/network/queueing.hpp"

namespace rhizome::scenarios {

namespace {

bool fits_some(const agents::World& world, const agents::Resources& needs) {
  return std::ranges::any_of(
      world.capacities, [&](const agents::Capacity& peer) { return needs.within(peer.room()); });
}

// The need of one measure, without the others.
agents::Resources alone(const Scenario& scenario, const agents::Resources& needs,
                        const std::string& measure) {
  agents::Resources one{0, 0};
  if (measure == "cpus") one.cpus = needs.cpus;
  if (measure == "memory") one.memory = needs.memory;
  const auto& names = scenario.workload.resources;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].name == measure) one.named.set(i, needs.named.at(i));
  return one;
}

// The place where the scenario needs more of one measure than any peer has, or else any amount.
Position where(const Scenario& scenario, const agents::World& world,
               const agents::Resources& needs) {
  for (const auto& [measure, at] : scenario.needs)
    if (!fits_some(world, alone(scenario, needs, measure))) return at;
  return scenario.needs.empty() ? Position{scenario.file} : scenario.needs.front().second;
}

std::string text_of(const Scenario& scenario, const agents::Resources& needs) {
  std::ostringstream text;
  text << needs.cpus << (needs.cpus == 1 ? " slot" : " slots") << " and memory " << needs.memory;
  const auto& names = scenario.workload.resources;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (needs.named.at(i) > 0)
      text << ", " << names[i].name << ' '
           << static_cast<double>(needs.named.at(i)) / agents::Amounts::unit;
  return text.str();
}

std::string called(const agents::Task& task) {
  return "task " + std::to_string(task.id.job) + '.' + std::to_string(task.id.portion);
}

// A task that can run nowhere would wait for ever, or run where it has no room.
void check_tasks(const Scenario& scenario, const agents::World& world) {
  const auto& task = world.profile.misfit;
  if (!task) return;
  const agents::Resources needs = agents::resources_of(*task);
  refuse(where(scenario, world, needs),
         called(*task) + " fits no peer: it needs " + text_of(scenario, needs));
}

constexpr double clock_of_a_run = 9.2e9;  // seconds, of 292 years

double slowest_speed(const agents::World& world) {
  const auto slower = [](const auto& a, const auto& b) { return a.speed < b.speed; };
  return std::ranges::min_element(world.capacities, slower)->speed;
}

// For every kind of workload: work that begins before the limit ends before the clock of a run
// does. On threads emulated time is real time as well.
void check_durations(const Scenario& scenario, const agents::World& world) {
  const bool real = core::engine_of(scenario.engine.kind).real_time;
  const double scale = real ? std::min(1.0, scenario.engine.time_scale) : 1;
  const double longest = core::seconds(world.profile.longest) / slowest_speed(world);
  const double latest =
      core::seconds(scenario.engine.time_limit) + longest + core::seconds(scenario.engine.grace);
  std::string what;
  if (longest > core::seconds(agents::longest_time))
    what = "a task takes " + rough_text(core::from_seconds(longest)) + " on the slowest peer";
  else if (world.profile.most_work > clock_of_a_run)
    what = "the tasks of one job take too long together";
  else if (latest / scale > clock_of_a_run)
    what = scenario.said.contains("engine.time_limit")
               ? "what begins before engine.time_limit may end too late"
               : "the work may take too long";
  if (!what.empty())
    refuse(scenario.lasting, what +
                                 ": the clock of a run counts 292 years, and no task may take "
                                 "more than " +
                                 rough_text(agents::longest_time));
}

// The bytes between tasks, and the time of their transfer there and back, must not overflow.
void check_edges(const Scenario& scenario, const agents::World& world) {
  const std::vector<core::Rate> lines = slowest_lines(scenario.network, scenario.peers);
  const auto slowest = std::ranges::min_element(lines);
  const double bits = slowest == lines.end() ? 0 : static_cast<double>(slowest->bits_per_second);
  std::string why;
  if (world.profile.heaviest > agents::most_declared_bytes)
    why = "is given by others, or gives them, " + std::to_string(world.profile.heaviest) +
          " bytes: a run counts 2^53 of one task at most";
  else if (bits > 0 && 16 * world.profile.graphs.bytes / bits > clock_of_a_run)
    why =
        "is given so many bytes that those of all may take longer than the 292 years that the "
        "clock of a run counts: raise network.bandwidth_up and bandwidth_down";
  if (!why.empty()) refuse({scenario.file, 1, 1}, "a task " + why);
}

// A scheduler that takes tasks to any peer must find there what the scenario names.
void refuse_lack(const Scenario& scenario, const agents::World& world, const std::string& who) {
  const auto& task = world.profile.choosy;
  if (!task) return;
  const auto named = std::ranges::find_if(scenario.needs, [](const auto& need) {
    return need.first != "cpus" && need.first != "memory";
  });
  refuse(named == scenario.needs.end() ? Position{scenario.file} : named->second,
         who + ": it may take any task to any peer, and not all have what " + called(*task) +
             " needs: " + text_of(scenario, agents::resources_of(*task)));
}

// The longest delay in words, since no single setting of the scenario is that long.
std::string passage_text(const Scenario& scenario, const agents::World& world) {
  std::string text = ", " + rough_text(world.longest_delay);
  const bool lines = !slowest_lines(scenario.network, scenario.peers).empty();
  if (lines && world.profile.heaviest > 0)
    text += ", in which the " + std::to_string(world.profile.heaviest) +
            " bytes that a task is given pass the slowest lines";
  return text;
}

void check_schedulers(const Scenario& scenario, const agents::World& world) {
  for (std::size_t i = 0; i < scenario.schedulers.size(); ++i) {
    const SchedulerChoice& choice = scenario.schedulers[i];
    std::string reason = choice.scheduler->refusal(choice.options, world);
    const auto rule = agents::discipline_of(scenario.peers.discipline).rule;
    const bool ordered = scenario.peers.discipline != agents::DisciplineId{};
    if (reason.empty() && ordered && !choice.scheduler->serves)
      reason = "peers.discipline has no effect on it";
    if (reason.empty() && rule != agents::Discipline::Rule::waits && world.shares_processors)
      reason =
          "peers.discipline interrupts tasks or divides processors, and where peers share "
          "processors no server knows how much service a task has had: leave out one of the two";
    if (reason.empty() && rule != agents::Discipline::Rule::waits && world.files.used)
      reason =
          "peers.discipline interrupts tasks or divides processors, which cannot be done to a task "
          "that waits for its files: leave out one of the two";
    if (!choice.scheduler->finds_room) refuse_lack(scenario, world, choice.label);
    if (reason.ends_with("longest delay of the network")) reason += passage_text(scenario, world);
    const std::string pace = remark_on_pace(world);
    if (!reason.empty() && !pace.empty()) reason += " (" + pace + ")";
    if (reason.empty()) continue;
    const std::string table = scenario.protocols ? "protocol#" : "scheduler#";
    refuse(scenario.position(table + std::to_string(i)), choice.label + ": " + reason);
  }
}

// The workload of an open run must not end before it.
void check_open(const Scenario& scenario, const Surroundings& around) {
  const auto wrong = [&](const std::string& why) {
    refuse(scenario.position("run.duration"), "run.duration " + why);
  };
  if (scenario.run.duration >= complete(scenario, around.world).engine.time_limit)
    wrong("must be shorter than engine.time_limit");
  if (!around.goes_on)
    wrong("is longer than its workload: let more jobs arrive, or leave the duration out");
}

// Where crash_until is unsaid, only the workload tells whether it comes after crash_from.
void check_crashes(const Scenario& scenario) {
  const FaultsSection& faults = scenario.faults;
  if (faults.crash_share <= 0 || faults.crash_from <= faults.crash_until) return;
  refuse(scenario.position("faults.crash_from"),
         "faults.crash_from is " + duration_text(faults.crash_from) +
             ", after the latest crash at " + duration_text(faults.crash_until) +
             ": set faults.crash_until");
}

// Such faults leave out what was asked: how schedulers work on when peers are gone.
std::string remark_on_faults(const Surroundings& around) {
  if (around.faults.empty()) return {};
  core::Duration last{0};
  for (const core::Fault& fault : around.faults) last = std::max(last, fault.at - core::Time{});
  if (!hardly_begun(last, around.world)) return {};
  return "all faults strike before a hundredth of the work can be done, so they hardly matter: set "
         "later times";
}

// Jobs that arrive after the limit are never done, under any scheduler.
std::string remark_on_limit(const Scenario& said, const agents::World& world) {
  const Duration limit = complete(said, world).engine.time_limit;
  const Duration last = world.profile.last.time_since_epoch();
  if (last < limit) return {};
  return "the last job arrives after " + duration_text(last) +
         ", and engine.time_limit ends the run at " + duration_text(limit) +
         ": raise it, or say run.duration where not all shall be done";
}

// A detector by silence in real time may fire at another moment in the next run.
std::vector<std::string> remarks_on_silence(const Scenario& said) {
  std::vector<std::string> remarks;
  if (core::engine_of(said.engine.kind).real_time) return remarks;
  for (SchedulerChoice choice : said.schedulers)
    for (const core::Setting& setting : choice.scheduler->settings) {
      if (setting.name != "quiet_for") continue;
      const auto quiet =
          std::get<core::Duration>(setting.read(choice.scheduler->address(choice.options)));
      if (quiet > core::Duration::zero())
        remarks.push_back(choice.label +
                          ": not deterministic: the program is heard by its silence (quiet_for), "
                          "in real time");
    }
  return remarks;
}

// The faults are common to all schedulers, so a peer that one of them cannot do without is spared.
Mercy mercy_of(const Scenario& scenario, const agents::World& world) {
  Mercy mercy{.limit = scenario.engine.time_limit,
              .crash_until = scenario.faults.crash_until,
              .machines = scenario.engine.machines};
  for (const SchedulerChoice& choice : scenario.schedulers) {
    const std::vector<core::PeerId> essential = choice.scheduler->essential(choice.options, world);
    for (const core::PeerId peer : essential) mercy.essential[peer].add(mercy.labels.size());
    mercy.labels.push_back(choice.label);
    if (essential.size() >= world.peers()) mercy.frail.push_back(choice.label);
    if (choice.scheduler->stay) {
      const auto stay = choice.scheduler->stay(choice.options, world);
      mercy.staff.stay.insert(stay.begin(), stay.end());
    } else {
      mercy.staff.bound.push_back(choice.label);
    }
    if (!choice.scheduler->hears_goodbyes) mercy.deaf.push_back(choice.label);
  }
  return mercy;
}

// Latency of the real network between processes is not emulated in addition.
WorldSections sections_of(const Scenario& scenario, DoneBy by) {
  WorldSections sections = scenario;
  sections.handling_costs = scenario.engine.handling + scenario.engine.wake_up > Duration::zero();
  sections.real_time = core::engine_of(scenario.engine.kind).real_time;
  if (by == DoneBy::several && has_real_latency(scenario)) sections.network.latency = {};
  return sections;
}

}  // namespace

std::uint64_t repetition_seed(const Scenario& scenario, std::uint32_t repetition) {
  return core::derive_seed({scenario.run.seed, repetition}, "repetition");
}

bool has_real_latency(const Scenario& scenario) {
  return latency_model(scenario.network.latency).between_processes &&
         core::engine_of(scenario.engine.kind).real_time;
}

bool needs_several_processes(const Scenario& scenario) {
  return has_real_latency(scenario) && machines_of(scenario.network) < 2;
}

Surroundings make_surroundings(const Scenario& said, std::uint64_t seed, DoneBy by) {
  const auto mercy = [&said](const agents::World& world) {
    const Scenario scenario = complete(said, world);
    for (const TimedKey& time : said.timed) check_time(time, scenario.engine.time_limit);
    check_tasks(scenario, world);
    check_edges(scenario, world);
    check_durations(scenario, world);
    check_schedulers(scenario, world);
    check_crashes(scenario);
    return mercy_of(scenario, world);
  };
  const bool real_time = core::engine_of(said.engine.kind).real_time;
  if (by == DoneBy::several && said.provision.used() && real_time)
    throw InputError(said.file, 1, 1,
                     "[provision] has peers begin lives on threads of this process only: leave out "
                     "--processes and --hosts, or [provision]");
  const auto made_of = [&](const WorldSections& sections) {
    try {
      return make_surroundings(sections, seed, mercy, said.run.duration);
    } catch (const core::LimitExceeded& limit) {
      throw core::LimitExceeded(said.file + ": " + limit.what());
    }
  };
  Surroundings made = made_of(sections_of(said, by));
  // A process may die, and with it its peers, even if the scenario has no faults.
  made.world.loses = made.world.loses || (by == DoneBy::several && real_time);
  if (said.run.duration > Duration::zero())
    check_open(said, made);
  else if (const std::string remark = remark_on_limit(said, made.world); !remark.empty())
    made.remarks.push_back(remark);
  if (std::string remark = remark_on_faults(made); !remark.empty())
    made.remarks.push_back(std::move(remark));
  for (std::string& remark : remarks_on_silence(said)) made.remarks.push_back(std::move(remark));
  for (const SchedulerChoice& choice : said.schedulers)
    if (const std::string remark = choice.scheduler->remark(choice.options, made.world);
        !remark.empty())
      made.remarks.push_back(choice.label + ": " + remark);
  return made;
}

}  // namespace rhizome::scenarios
