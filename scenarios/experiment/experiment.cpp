#include "scenarios/experiment/experiment.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include <fmt/core.h>

#include "agents/work/kinds.hpp"
#include "core/engine/catalogue.hpp"
#include "core/engine/fact_count.hpp"
#include "core/engine/limits.hpp"
#include "scenarios/experiment/conditions.hpp"
#include "scenarios/experiment/crew.hpp"
#include "scenarios/experiment/effort.hpp"
#include "scenarios/experiment/handed_in.hpp"
#include "scenarios/experiment/memory.hpp"
#include "scenarios/experiment/plans.hpp"
#include "scenarios/experiment/retry.hpp"
#include "scenarios/experiment/steered.hpp"
#include "scenarios/format/unsaid.hpp"
#include "scenarios/outcome/make_outcome.hpp"
#include "scenarios/outcome/validity.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/world/workload/job_list.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

namespace {

Identity identity_of(const Plan& plan) {
  const Scenario& scenario = plan.cell->scenario;
  const SchedulerChoice& choice = scenario.schedulers[plan.scheduler];
  return {.scenario = scenario.name,
          .cell = plan.choices,
          .scheduler = std::string(choice.scheduler->name),
          .label = choice.label,
          .engine = std::string(plan.engine().name),
          .time_scale = plan.engine().real_time ? scenario.engine.time_scale : 1,
          .seed = repetition_seed(scenario, plan.repetition),
          .repetition = plan.repetition};
}

core::EngineSetup engine_setup(const Scenario& scenario, const agents::Equipment& equip,
                               const Surroundings& around, core::InputSource& inputs) {
  const agents::World& world = around.world;
  core::EngineSetup setup;
  setup.peers = world.peers();
  setup.links = &around.links;
  setup.inputs = &inputs;
  setup.access = around.access;
  setup.ballast = {.task = scenario.workload.payload, .result = scenario.workload.result_payload};
  setup.faults = around.faults;
  setup.seed = world.seed;
  setup.limit = scenario.engine.time_limit;
  setup.duration = scenario.run.duration;
  setup.grace = scenario.engine.grace;
  setup.recording = {.period = scenario.engine.sample_every,
                     .messages = scenario.engine.log_messages,
                     .details = scenario.engine.log_hops};
  setup.kinds = agents::work_kinds();
  setup.costs = {.wake_up = scenario.engine.wake_up,
                 .handling = scenario.engine.handling,
                 .cores = scenario.engine.cores};
  setup.lag_tolerance = lag_tolerance(scenario.engine.lag_tolerance, world.profile);
  setup.make_peer = [&equip, &world](core::PeerId id, core::Incarnation incarnation) {
    auto peer = std::make_unique<core::Peer>(id, incarnation, world.seed);
    equip(*peer);
    return peer;
  };
  return setup;
}

core::EngineReport perform(const Scenario& scenario, core::EngineSetup setup,
                           const core::Observer& observer) {
  return core::engine_of(scenario.engine.kind)
      .make(std::move(setup), {.time_scale = scenario.engine.time_scale})
      ->run(observer);
}

core::Foreseen foreseen(const Scenario& scenario, const SchedulerChoice& choice,
                        const Surroundings& around) {
  core::Foreseen foreseen{
      .faults = around.faults,
      .lag_tolerance = lag_tolerance(scenario.engine.lag_tolerance, around.world.profile),
      .at_least_once = choice.scheduler->at_least_once};
  for (const auto& [from, until] : cuts_of(scenario)) foreseen.partings.push_back({from, until});
  for (const agents::Capacity& capacity : around.world.capacities)
    foreseen.speeds.push_back(capacity.speed);
  return foreseen;
}

bool queues(const Scenario& scenario, const Surroundings& around) {
  const core::CostModel costs{.wake_up = scenario.engine.wake_up,
                              .handling = scenario.engine.handling};
  return !around.access.empty() || !costs.free();
}

bool asked_to_stop(const std::atomic<bool>* stop) { return stop != nullptr && stop->load(); }

Announced::Run announcement_of(const Plan& plan, std::size_t number) {
  const Scenario& scenario = plan.cell->scenario;
  return {.number = number,
          .identity = identity_of(plan),
          .open_for = scenario.run.duration,
          .limit = scenario.engine.time_limit};
}

Outcome run_announced(const Plan& plan, std::size_t number, const RunHooks& hooks,
                      const std::atomic<bool>* stop, std::vector<std::string>* remarks) {
  Announced run(hooks, announcement_of(plan, number));
  Outcome outcome =
      run_once(*plan.cell, plan.scheduler, plan.repetition, run.observer(stop), remarks);
  outcome.identity.cell = plan.choices;
  return outcome;
}

// What the hooks have been told.
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

 private:
  const ExperimentHooks& hooks_;
  std::set<std::string> told_;
};

bool run_on_threads(const Plan& plan, std::size_t number, Teller& teller, const Extent& extent) {
  std::vector<std::string> remarks;
  Outcome outcome = until_not_invalid(
      extent.retries,
      [&] { return run_announced(plan, number, teller.runs(), extent.stop, &remarks); },
      [&](const Outcome& invalid) { teller.put_aside(invalid); });
  teller.remarks(remarks);
  if (outcome.ending == core::Ending::interrupted) {
    teller.broken_off(outcome);
    return false;
  }
  teller.outcome(std::move(outcome));
  return true;
}

// As the scenarios have it; those of a sweep may differ, and none is exceeded. 0: not at all.
unsigned asked_for(std::span<const Plan> plans) {
  unsigned least = 0;
  for (const Plan& plan : plans)
    if (const unsigned asked = plan.cell->scenario.engine.at_once; asked > 0)
      least = least == 0 ? asked : std::min(least, asked);
  return least;
}

// As many as asked for or there are cores, or as fit; told where that is fewer.
unsigned workers_for(std::span<const Plan> plans, Teller& teller) {
  const unsigned asked = asked_for(plans);
  const std::size_t cores = asked > 0 ? asked : std::thread::hardware_concurrency();
  const auto wished = static_cast<unsigned>(std::clamp<std::size_t>(cores, 1, plans.size()));
  double most = 0;
  for (const Plan& plan : plans) {
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

bool run_in_virtual_time(std::span<const Plan> plans, std::size_t first, Teller& teller,
                         const Extent& extent) {
  const auto run = [&](std::size_t i, std::vector<std::string>& remarks) {
    return run_announced(plans[i], first + i, teller.runs(), extent.stop, &remarks);
  };
  std::map<std::size_t, Announced> abroad;
  Crew crew(plans.size(), run, extent.stop, workers_for(plans, teller),
            {.helpers = extent.helpers,
             .begin =
                 [&](std::size_t i) {
                   abroad.try_emplace(i, teller.runs(), announcement_of(plans[i], first + i));
                 },
             .over = [&](std::size_t i) { abroad.erase(i); }});
  bool going = true;  // once it has been stopped, no run begins any more
  for (std::size_t i = 0; i < plans.size(); ++i) {
    Crew::Result result = crew.take(i);
    if (result.error && going) std::rethrow_exception(result.error);
    teller.remarks(result.remarks);
    going = going && result.outcome && result.outcome->ending != core::Ending::interrupted;
    if (going)
      teller.outcome(std::move(*result.outcome));
    else if (result.outcome)
      teller.broken_off(*result.outcome);
  }
  return going;
}

// What comes through a pipe comes once.
void check_lives(std::span<const Cell> cells) {
  const Scenario& scenario = cells.front().scenario;
  if (cells.size() > 1 && comes_live(scenario.workload))
    throw InputError(scenario.file, 1, 1,
                     "a sweep of jobs that come through a pipe, which come once: keep one run, and "
                     "sweep what it recorded");
}

Surroundings check(const Cell& cell, std::uint32_t repetition) {
  const Scenario& scenario = cell.scenario;
  if (core::engine_of(scenario.engine.kind).real_time) core::preflight(scenario.peers.count);
  const core::MemoryRoom room = core::memory_room();
  check_memory(scenario, foreseen_work(scenario), room);
  Surroundings around = make_surroundings(scenario, repetition_seed(scenario, repetition));
  check_memory(scenario, work_in(complete(scenario, around.world), around.world.profile), room);
  return around;
}

// What is to be known before the first begins.
void tell_beforehand(const Cell& cell, Teller& teller) {
  constexpr core::Duration most = std::chrono::minutes(1);
  const Surroundings around = check(cell, cell.scenario.run.first);
  teller.remarks(around.remarks);
  teller.remarks(long_runs(efforts_of(complete(cell.scenario, around.world), around.world), most));
}

bool in_real_time(const Cell& cell) { return core::engine_of(cell.scenario.engine.kind).real_time; }

}  // namespace

bool any_in_real_time(std::span<const Cell> cells) {
  return std::any_of(cells.begin(), cells.end(), in_real_time);
}

bool all_in_real_time(std::span<const Cell> cells) {
  return std::all_of(cells.begin(), cells.end(), in_real_time);
}

std::size_t count_runs(std::span<const Cell> cells) { return make_plans(cells).size(); }

Outcome run_once(const Cell& cell, std::size_t scheduler, std::uint32_t repetition,
                 const core::Observer& observer, std::vector<std::string>* remarks,
                 const Performer& performer) {
  Surroundings around =
      make_surroundings(cell.scenario, repetition_seed(cell.scenario, repetition));
  if (remarks != nullptr) *remarks = around.remarks;
  const Scenario scenario = complete(cell.scenario, around.world);
  const SchedulerChoice& choice = scenario.schedulers[scheduler];
  if (observer.steering != nullptr)
    around.links.add_first(std::make_unique<core::CutLink>(observer.steering->cut()));
  const agents::Deployment deployment = choice.scheduler->prepare(
      choice.options, around.world, [&observer] { return asked_to_stop(observer.stop); });
  const bool open = scenario.run.duration > core::Duration::zero();
  std::optional<JobRecord> record;
  if (around.world.live) record.emplace(scenario.workload.record);
  HandedIn inputs(around.world.arrivals(), deployment.entries, around.faults, open,
                  [&record](const agents::Job& job) { record->add(job); });
  const core::EngineSetup setup = engine_setup(scenario, deployment.equip, around, inputs);
  if (observer.counted && !around.world.live && !open)
    observer.counted->expect(around.world.profile.tasks);
  if (observer.foresee) observer.foresee(foreseen(scenario, choice, around));
  const core::EngineReport report =
      performer ? performer(setup, observer) : perform(scenario, setup, observer);
  if (record) around.world.profile = record->profile();
  const Steered steered = steered_by(observer.steering, around.faults, scenario);
  core::Peer sample(core::PeerId{0}, {}, around.world.seed);
  deployment.equip(sample);
  return make_outcome(
      report, {.identity = identity_of({&cell, scheduler, repetition, cell.assignments}),
               .world = &around.world,
               .at_least_once = choice.scheduler->at_least_once,
               .most_hops = choice.scheduler->most_hops,
               .patience = choice.scheduler->patience(choice.options),
               .kinds = message_kinds(sample),
               .sample_every = scenario.engine.sample_every,
               .lag_tolerance = lag_tolerance(scenario.engine.lag_tolerance, around.world.profile),
               .open_for = scenario.run.duration,
               .faults = steered.deeds > 0 ? steered.faults : around.faults,
               .cuts = cuts_of(scenario, steered),
               .steered = steered,
               .queueing = queues(scenario, around),
               .real_time = core::engine_of(scenario.engine.kind).real_time});
}

void check_beforehand(std::span<const Cell> cells, const std::atomic<bool>* stop) {
  check_lives(cells);
  for (const Cell& cell : cells)
    for (std::uint32_t r = cell.scenario.run.first;
         r < cell.scenario.run.repetitions && !asked_to_stop(stop); ++r)
      static_cast<void>(check(cell, r));
}

bool help_with_experiment(std::span<const Cell> cells, core::Mesh& mesh, const Packing& packing,
                          const Extent& extent) {
  const std::vector<Plan> plans = held_by(make_plans(cells, extent.first), extent.share);
  const ExperimentHooks nobody;
  Teller teller(nobody);
  return help(
      mesh, packing,
      {.run =
           [&](std::size_t i, std::vector<std::string>& remarks, const std::atomic<bool>* stop) {
             return run_announced(plans[i], i, nobody.runs, stop, &remarks);
           },
       .runs = plans.size(),
       .slots = workers_for(plans, teller),
       .stop = extent.stop});
}

bool run_experiment(std::span<const Cell> cells, const ExperimentHooks& hooks,
                    const Extent& extent) {
  Teller teller(hooks);
  tell_beforehand(cells.front(), teller);
  const std::vector<Plan> plans = held_by(make_plans(cells, extent.first), extent.share);
  for (std::size_t i = 0; i < plans.size();) {
    if (asked_to_stop(extent.stop)) return false;
    if (plans[i].engine().real_time) {
      if (!run_on_threads(plans[i], i, teller, extent)) return false;
      ++i;
      continue;
    }
    const auto begin = plans.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end =
        std::find_if(begin, plans.end(), [](const Plan& p) { return p.engine().real_time; });
    if (!run_in_virtual_time({begin, end}, i, teller, extent)) return false;
    i = static_cast<std::size_t>(end - plans.begin());
  }
  return true;
}

}  // namespace rhizome::scenarios
