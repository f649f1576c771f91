#include "scenarios/experiment/experiment.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include <fmt/core.h>

#include "core/engine/catalogue.hpp"
#include "core/engine/limits.hpp"
#include "scenarios/experiment/conditions.hpp"
#include "scenarios/experiment/distributed_run.hpp"
#include "scenarios/experiment/effort.hpp"
#include "scenarios/experiment/memory.hpp"
#include "scenarios/experiment/plans.hpp"
#include "scenarios/experiment/prepared.hpp"
#include "scenarios/experiment/retry.hpp"
#include "scenarios/experiment/worker_pool.hpp"
#include "scenarios/format/unsaid.hpp"
#include "scenarios/outcome/validity.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

namespace {

// Performs the run in this process. Adds a remark if the history could not be written to its end:
// the file is then no history.
core::EngineReport perform(Prepared& run, const Cell& cell, const RunOfCell& which,
                           const core::Observer& observer, const RecordingTarget& recording,
                           std::vector<std::string>* remarks) {
  const Scenario& scenario = cell.scenario;
  core::EngineSetup setup = run.setup();
  const auto history =
      begin_history(recording, identity_of(cell, which, cell.assignments), setup.peers);
  core::EngineReport report =
      core::engine_of(scenario.engine.kind)
          .make(std::move(setup), {.time_scale = scenario.engine.time_scale, .history = history})
          ->run(observer);
  if (history != nullptr && remarks != nullptr && !history->failure().empty())
    remarks->push_back("the run was not recorded: " + history->failure());
  return report;
}

bool asked_to_stop(const std::atomic<bool>* stop) { return stop != nullptr && stop->load(); }

AnnouncedRun::Run announcement_of(const PlannedRun& plan, std::size_t number) {
  return {.number = number,
          .identity = identity_of(*plan.cell, {plan.scheduler, plan.repetition}, plan.choices),
          .open_for = plan.cell->scenario.run.duration,
          .struck = !plan.cell->scenario.provision.used()};
}

Outcome run_announced(const PlannedRun& plan, std::size_t number, const RunHooks& hooks,
                      const std::atomic<bool>* stop, std::vector<std::string>* remarks,
                      const Performer& performer = {}, const RecordingTarget& recording = {}) {
  AnnouncedRun run(hooks, announcement_of(plan, number));
  Outcome outcome = run_once(*plan.cell, plan.scheduler, plan.repetition, run.observer(stop),
                             remarks, performer, recording);
  outcome.identity.cell = plan.choices;
  return outcome;
}

// Calls the hooks, and remembers their sentences.
class Teller {
 public:
  explicit Teller(const ExperimentHooks& hooks) : hooks_(hooks) {}
  void remarks(const std::vector<std::string>& list) {
    for (const std::string& remark : list)
      if (hooks_.remark && told_.insert(remark).second) hooks_.remark(remark);
  }
  void put_aside(const Outcome& outcome) const {
    if (hooks_.put_aside) hooks_.put_aside(outcome);
  }
  void broken_off(const Outcome& outcome) const {
    if (hooks_.broken_off) hooks_.broken_off(outcome);
  }
  void outcome(Outcome&& outcome) const {
    if (hooks_.outcome) hooks_.outcome(std::move(outcome));
  }
  [[nodiscard]] const RunHooks& runs() const { return hooks_.runs; }
  [[nodiscard]] const std::function<void(const std::string&)>& news() const { return hooks_.news; }

 private:
  const ExperimentHooks& hooks_;
  std::set<std::string> told_;
};

// The function that performs the run: the distributed run, if there is one.
Performer performer_of(const PlannedRun& plan, std::size_t cell, DistributedRun* distributed_run) {
  if (distributed_run == nullptr) return {};
  return [&plan, cell, distributed_run](const agents::World& world, core::EngineSetup setup,
                                        const core::Observer& observer) {
    if (!setup.groups.empty())
      throw InputError(plan.cell->scenario.file, 1, 1,
                       "peers of a group share processors within one process only: leave out "
                       "[[peers.group]], or run in a single process");
    return distributed_run->perform({.cell = cell,
                                     .run = {plan.scheduler, plan.repetition},
                                     .world = world,
                                     .time_scale = plan.cell->scenario.engine.time_scale,
                                     .real_latency = has_real_latency(plan.cell->scenario)},
                                    std::move(setup), observer);
  };
}

// A run that ended because a process was lost counts as complete.
bool was_broken_off(const Outcome& outcome, const Extent& extent) {
  return outcome.ending == core::Ending::interrupted &&
         (outcome.lost.empty() || asked_to_stop(extent.stop));
}

bool run_on_threads(const PlannedRun& plan, std::size_t number, const Performer& performer,
                    Teller& teller, const Extent& extent) {
  std::vector<std::string> remarks;
  Outcome outcome = until_not_invalid(
      extent.retries,
      [&] {
        return run_announced(plan, number, teller.runs(), extent.stop, &remarks, performer,
                             extent.recording);
      },
      [&](const Outcome& invalid) { teller.put_aside(invalid); });
  teller.remarks(remarks);
  if (was_broken_off(outcome, extent)) {
    teller.broken_off(outcome);
    return false;
  }
  teller.outcome(std::move(outcome));
  return true;
}

// The number asked for by the scenarios. Those of a sweep may differ, and the least is used. 0:
// none.
unsigned asked_for(std::span<const PlannedRun> plans) {
  unsigned least = 0;
  for (const PlannedRun& plan : plans)
    if (const unsigned asked = plan.cell->scenario.engine.at_once; asked > 0)
      least = least == 0 ? asked : std::min(least, asked);
  return least;
}

// The number of workers: as many as asked for, or as there are cores, or as fit; reports if that is
// fewer.
unsigned workers_for(std::span<const PlannedRun> plans, Teller& teller) {
  const unsigned asked = asked_for(plans);
  const std::size_t cores = asked > 0 ? asked : std::thread::hardware_concurrency();
  const auto wished = static_cast<unsigned>(std::clamp<std::size_t>(cores, 1, plans.size()));
  double most = 0;
  for (const PlannedRun& plan : plans) {
    const Scenario& scenario = plan.cell->scenario;
    most = std::max(most, memory_of_run(scenario, foreseen_work(scenario)).bytes());
  }
  const core::MemoryRoom room = core::memory_room();
  const unsigned fit = runs_at_once(most, wished, room);
  if (fit < wished)
    teller.remarks(
        {fmt::format("runs go on {} at a time, not {}: each may take {} of "
                     "memory, and {} is {}",
                     fit, wished, memory_text(2 * most), room.name,
                     memory_text(static_cast<double>(room.bytes)))});
  return fit;
}

bool run_in_virtual_time(std::span<const PlannedRun> plans, std::size_t first, Teller& teller,
                         const Extent& extent) {
  const auto run = [&](std::size_t i, std::vector<std::string>& remarks) {
    return run_announced(plans[i], first + i, teller.runs(), extent.stop, &remarks);
  };
  std::map<std::size_t, AnnouncedRun> abroad;
  WorkerPool worker_pool(plans.size(), run, extent.stop, workers_for(plans, teller),
                         {.helpers = extent.helpers,
                          .begin =
                              [&](std::size_t i) {
                                abroad.try_emplace(i, teller.runs(),
                                                   announcement_of(plans[i], first + i));
                              },
                          .over = [&](std::size_t i) { abroad.erase(i); },
                          .news = teller.news()});
  bool going = true;  // false after a stop: then no run begins any more
  for (std::size_t i = 0, end = plans.size(); i < end; ++i) {
    WorkerPool::Result result = worker_pool.take(i);
    if (result.error && going) std::rethrow_exception(result.error);
    teller.remarks(result.remarks);
    const bool goes_on = result.outcome && result.outcome->ending != core::Ending::interrupted;
    if (going && !goes_on) end = std::min(end, i + 1 + worker_pool.ahead());  // may have begun
    going = going && goes_on;
    if (going)
      teller.outcome(std::move(*result.outcome));
    else if (result.outcome)
      teller.broken_off(*result.outcome);
  }
  return going;
}

// Jobs from a pipe come only once, so only one run may read it.
void check_lives(std::span<const Cell> cells) {
  const Scenario& scenario = cells.front().scenario;
  if (cells.size() > 1 && comes_live(scenario.workload))
    throw InputError(scenario.file, 1, 1,
                     "a sweep of jobs that come through a pipe, which come once: keep one run, and "
                     "sweep what it recorded");
}

bool in_real_time(const Cell& cell) { return core::engine_of(cell.scenario.engine.kind).real_time; }

// Checks that the machine can carry the run; the answer is the same for every repetition.
void check_machine(const Cell& cell, bool alone, const core::MemoryRoom& room) {
  if (alone && in_real_time(cell)) core::preflight({.peers = cell.scenario.peers.count});
  check_memory(cell.scenario, foreseen_work(cell.scenario), room);
}

Surroundings check(const Cell& cell, std::uint32_t repetition, bool alone,
                   const core::MemoryRoom& room) {
  const Scenario& scenario = cell.scenario;
  Surroundings around = make_surroundings(scenario, repetition_seed(scenario, repetition),
                                          alone ? DoneBy::one : DoneBy::several);
  check_memory(scenario, work_in(complete(scenario, around.world), around.world.profile), room);
  return around;
}

// Reports remarks that are known before the first run begins.
void tell_beforehand(const Cell& cell, Teller& teller, bool alone) {
  constexpr core::Duration most = std::chrono::minutes(1);
  const core::MemoryRoom room = core::memory_room();
  check_machine(cell, alone, room);
  const Surroundings around = check(cell, cell.scenario.run.left_out(), alone, room);
  teller.remarks(around.remarks);
  teller.remarks(long_runs(efforts_of(complete(cell.scenario, around.world), around.world), most));
}

}  // namespace

bool any_in_real_time(std::span<const Cell> cells) {
  return std::ranges::any_of(cells, in_real_time);
}

bool all_in_real_time(std::span<const Cell> cells) {
  return std::ranges::all_of(cells, in_real_time);
}

std::size_t count_runs(std::span<const Cell> cells) { return make_plans(cells).size(); }

std::vector<Identity> identities_of(std::span<const Cell> cells) {
  std::vector<Identity> identities;
  for (const PlannedRun& plan : make_plans(cells))
    identities.push_back(
        identity_of(*plan.cell, {plan.scheduler, plan.repetition, DoneBy::one}, plan.choices));
  return identities;
}

Outcome run_once(const Cell& cell, std::size_t scheduler, std::uint32_t repetition,
                 const core::Observer& observer, std::vector<std::string>* remarks,
                 const Performer& performer, const RecordingTarget& recording) {
  const DoneBy by = performer ? DoneBy::several : DoneBy::one;
  if (by == DoneBy::one && needs_several_processes(cell.scenario))
    throw InputError(cell.scenario.file, 1, 1,
                     "network.latency is that between processes, and this is one: add --processes "
                     "or --hosts, or say network.machines and network.delay");
  const RunOfCell which{scheduler, repetition, by};
  Prepared run(cell, which, observer);
  if (remarks != nullptr) *remarks = run.remarks();
  return run.outcome(performer ? performer(run.world(), run.setup(), observer)
                               : perform(run, cell, which, observer, recording, remarks));
}

void check_beforehand(std::span<const Cell> cells, const Beforehand& how) {
  check_lives(cells);
  const bool alone = how.processes == 1;
  const core::MemoryRoom room = core::memory_room();  // asked once: a sweep may have many cells
  for (const Cell& cell : cells) {
    check_machine(cell, alone, room);
    const RunSection& run = cell.scenario.run;
    const std::uint32_t end =
        run.left_out() + std::min(how.repetitions, run.repetitions - run.left_out());
    for (std::uint32_t r = run.left_out(); r < end; ++r) {
      const Surroundings around = check(cell, r, alone, room);
      if (how.seen) how.seen(cell, r, around);
      if (how.enough && how.enough()) return;
    }
  }
}

bool help_with_experiment(std::span<const Cell> cells, core::Mesh& mesh, const Packing& packing,
                          const Extent& extent) {
  const std::vector<PlannedRun> plans = held_by(make_plans(cells, extent.first), extent.share);
  const ExperimentHooks no_hooks;
  Teller teller(no_hooks);
  return help(
      mesh, packing,
      {.run =
           [&](std::size_t i, std::vector<std::string>& remarks, const std::atomic<bool>* stop) {
             return run_announced(plans[i], i, no_hooks.runs, stop, &remarks);
           },
       .runs = plans.size(),
       .slots = workers_for(plans, teller),
       .stop = extent.stop});
}

bool run_experiment(std::span<const Cell> cells, const ExperimentHooks& hooks,
                    const Extent& extent) {
  Teller teller(hooks);
  tell_beforehand(cells.front(), teller, extent.distributed_run == nullptr);
  std::vector<PlannedRun> plans = held_by(make_plans(cells, extent.first), extent.share);
  plans.erase(plans.begin(),
              plans.begin() + static_cast<std::ptrdiff_t>(std::min(extent.done, plans.size())));
  for (std::size_t i = 0; i < plans.size();) {
    if (asked_to_stop(extent.stop)) return false;
    if (plans[i].engine().real_time) {
      const auto cell = static_cast<std::size_t>(plans[i].cell - cells.data());
      const Performer performer = performer_of(plans[i], cell, extent.distributed_run);
      if (!run_on_threads(plans[i], i, performer, teller, extent)) return false;
      ++i;
      continue;
    }
    const auto begin = plans.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end =
        std::find_if(begin, plans.end(), [](const PlannedRun& p) { return p.engine().real_time; });
    if (!run_in_virtual_time({begin, end}, i, teller, extent)) return false;
    i = static_cast<std::size_t>(end - plans.begin());
  }
  return true;
}

}  // namespace rhizome::scenarios
