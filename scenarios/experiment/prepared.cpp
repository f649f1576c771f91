#include "scenarios/experiment/prepared.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "agents/files/file_stager.hpp"
#include "agents/provision/provisioner.hpp"
#include "agents/store/operation.hpp"
#include "core/engine/catalogue.hpp"
#include "core/engine/fact_count.hpp"
#include "core/engine/steering.hpp"
#include "scenarios/experiment/in_time.hpp"
#include "scenarios/experiment/steered.hpp"
#include "scenarios/format/unsaid.hpp"
#include "scenarios/outcome/make_outcome.hpp"
#include "scenarios/outcome/validity.hpp"

namespace rhizome::scenarios {

namespace {

// The graphs of jobs that come while the run goes on are not kept, nor of those after its end.
std::vector<NeedOutcome> needs_of(const Surroundings& around, Duration limit) {
  const agents::World& world = around.world;
  std::vector<NeedOutcome> needs;
  if (world.live || (world.profile.graphs.edges == 0 && !world.profile.grows())) return needs;
  agents::ArrivalsUntil arrivals(around.survey(), core::Time{} + limit);
  while (const auto job = arrivals.next())
    for (const agents::Dependency& edge : agents::edges_of(*job))
      needs.push_back({job->id, edge.task, edge.needs});
  std::ranges::sort(needs);
  needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
  return needs;
}

// The news of nodes, and besides them the inputs of others.
class NodeNews final : public core::InputSource {
 public:
  NodeNews(std::unique_ptr<core::InputSource> others, core::Nodes& nodes, core::PeerId source)
      : others_(std::move(others)), nodes_(nodes), source_(source) {}
  [[nodiscard]] std::optional<core::Input> next(core::Time now) override {
    std::optional<core::Input> news = nodes_.next(now, source_);
    return news ? news : others_->next(now);
  }
  [[nodiscard]] bool awaits() const override { return true; }

 private:
  std::unique_ptr<core::InputSource> others_;
  core::Nodes& nodes_;
  const core::PeerId source_;
};

bool asked_to_stop(const std::atomic<bool>* stop) { return stop != nullptr && stop->load(); }

}  // namespace

Identity identity_of(const Cell& cell, const RunOfCell& run, const Assignments& choices) {
  const Scenario& scenario = cell.scenario;
  const SchedulerChoice& choice = scenario.schedulers[run.scheduler];
  const core::EngineKind& engine = core::engine_of(scenario.engine.kind);
  return {.scenario = scenario.name,
          .cell = choices,
          .scheduler = std::string(choice.scheduler->name),
          .label = choice.label,
          .engine = std::string(engine.name),
          .time_scale = engine.real_time ? scenario.engine.time_scale : 1,
          .seed = repetition_seed(scenario, run.repetition),
          .repetition = run.repetition};
}

Prepared::Prepared(const Cell& cell, const RunOfCell& run, const core::Observer& observer)
    : cell_(cell),
      run_(run),
      observer_(observer),
      around_(
          make_surroundings(cell.scenario, repetition_seed(cell.scenario, run.repetition), run.by)),
      scenario_(complete(cell.scenario, around_.world)) {
  if (observer.steering != nullptr)
    around_.links.add_first(std::make_unique<core::CutLink>(observer.steering->cut()));
  deployment_ = choice().scheduler->prepare(choice().options, around_.world,
                                            [&observer] { return asked_to_stop(observer.stop); });
  if (around_.world.live) record_.emplace(scenario_.workload.record);
  if (observer.nodes != nullptr && around_.provision) around_.provision->real = true;
  inputs_ =
      std::make_unique<HandedIn>(around_.world.arrivals(), deployment_.entries, around_.faults,
                                 is_open(), [this](const agents::Job& job) { record_->add(job); });
  if (observer.nodes != nullptr)
    inputs_ = std::make_unique<NodeNews>(std::move(inputs_), *observer.nodes, around_.world.source);
}

core::EngineSetup Prepared::setup() {
  const agents::World& world = around_.world;
  core::EngineSetup setup;
  setup.peers = world.peers();
  setup.links = &around_.links;
  setup.inputs = inputs_.get();
  setup.nodes = observer_.nodes;
  setup.access = around_.access;
  setup.groups = around_.groups;
  setup.simulated_payload = {.task = scenario_.workload.payload,
                             .result = scenario_.workload.result_payload};
  setup.faults = around_.faults;
  if (world.provisioned) setup.absent = {world.late.begin(), world.late.end()};
  setup.seed = world.seed;
  setup.limit = scenario_.engine.time_limit;
  setup.duration = scenario_.run.duration;
  setup.grace = scenario_.engine.grace;
  setup.healed = healed(scenario_);
  setup.recording = {.period = scenario_.engine.sample_every,
                     .messages = scenario_.engine.log_messages,
                     .details = scenario_.engine.log_hops};
  setup.kinds = agents::store::kinds_of_runs();
  setup.costs = {.wake_up = scenario_.engine.wake_up,
                 .handling = scenario_.engine.handling,
                 .cores = scenario_.engine.cores};
  setup.lag_tolerance = lag_tolerance(scenario_.engine.lag_tolerance, world.profile);
  setup.make_peer = [this, &world](core::PeerId id, core::Incarnation incarnation) {
    auto peer = std::make_unique<core::Peer>(id, incarnation, world.seed);
    equip(*peer);
    return peer;
  };
  setup.hang_up = deployment_.hang_up;
  if (observer_.counted && !world.live && !is_open())
    observer_.counted->expect(world.profile.tasks);
  if (observer_.foresee) observer_.foresee(foreseen());
  return setup;
}

// The file stager comes first: not all peers have a client behind the scheduler, and services that
// talk to each other need the same index at every peer.
void Prepared::equip(core::Peer& peer) const {
  if (around_.world.files.used) peer.add<agents::files::FileStager>(peer.id(), around_.world);
  if (around_.provision)
    peer.add<agents::provision::Provisioner>(peer.id(), around_.world.source, *around_.provision);
  deployment_.equip(peer);
}

core::Foreseen Prepared::foreseen() const {
  core::Foreseen foreseen{
      .faults = around_.faults,
      .lag_tolerance = lag_tolerance(scenario_.engine.lag_tolerance, around_.world.profile),
      .at_least_once = choice().scheduler->at_least_once,
      .limit = scenario_.engine.time_limit};
  for (const auto& [from, until] : cuts_of(scenario_)) foreseen.partings.push_back({from, until});
  for (const agents::Capacity& capacity : around_.world.capacities)
    foreseen.speeds.push_back(capacity.speed);
  return foreseen;
}

bool Prepared::queues() const {
  const core::CostModel costs{.wake_up = scenario_.engine.wake_up,
                              .handling = scenario_.engine.handling};
  return !around_.access.empty() || !costs.free();
}

Outcome Prepared::outcome(const core::EngineReport& report, const std::vector<core::Fault>& faults,
                          bool late) {
  if (record_) around_.world.profile = record_->profile();
  const Steered steered = steered_by(observer_.steering, around_.faults, scenario_);
  core::Peer sample(core::PeerId{0}, {}, around_.world.seed);
  equip(sample);
  return make_outcome(report, {.identity = identity_of(cell_, run_, cell_.assignments),
                               .world = &around_.world,
                               .at_least_once = choice().scheduler->at_least_once,
                               .most_hops = late ? 0 : choice().scheduler->most_hops,
                               .in_time = late || steered.operator_commands > 0
                                              ? Duration{0}
                                              : promised_end(scenario_, around_, choice()),
                               .patience = choice().scheduler->patience(choice().options),
                               .kinds = message_kinds(sample),
                               .sample_every = scenario_.engine.sample_every,
                               .lag_tolerance = lag_tolerance(scenario_.engine.lag_tolerance,
                                                              around_.world.profile),
                               .open_for = scenario_.run.duration,
                               .limit = scenario_.engine.time_limit,
                               .needs = needs_of(around_, scenario_.engine.time_limit),
                               .groups = around_.groups,
                               .faults = steered.operator_commands > 0 ? steered.faults : faults,
                               .cuts = cuts_of(scenario_, steered),
                               .steered = steered,
                               .queueing = queues(),
                               .real_time = core::engine_of(scenario_.engine.kind).real_time});
}

}  // namespace rhizome::scenarios
