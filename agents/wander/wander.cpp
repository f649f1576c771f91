#include "agents/wander/wander.hpp"

#include <algorithm>
#include <utility>

#include "agents/backoff.hpp"
#include "agents/credible.hpp"
#include "agents/locator/service.hpp"
#include "agents/schedulers.hpp"

namespace rhizome::agents::wandering {

namespace {

constexpr double many = 1e6;

}  // namespace

core::Settings<Options> settings() {
  using O = Options;
  core::Settings<O> all;
  all.add("moves", &O::moves,
          {"How often each task moves before it begins; more makes longer chains.", "our choice", 0,
           10'000})
      .add("stay", &O::stay,
           {"Mean time of a task at a peer before it moves on; less lets more of what looks for it "
            "come while it is on its way.",
            "our choice", 0.000'001, many})
      .add("destinations", &O::destinations,
           {"Other peers that are drawn for each stay; the task moves to the first of them whose "
            "time comes, and each has a timer of its own. More leaves more to an explorer.",
            "our choice", 1, 10'000})
      .add("begin_early", &O::begin_early,
           {"Whether a task without dependencies may begin before it has made all its moves, at a "
            "time "
            "that is drawn like those.",
            "our choice"})
      .add("call_off", &O::call_off,
           {"Whether a move may be called off while it is under way, at a time that is drawn "
            "likewise. Where the task has come already, nothing follows.",
            "our choice"});
  locator::add_settings(all, &O::locator, locator::all_kinds());
  return all;
}

std::map<std::string_view, TimeoutPurpose> times() { return {{"stay", TimeoutPurpose::work}}; }

std::string refusal(const Options& options, const World& world) {
  const Options defaults;
  const bool stays = options.moves == 0;
  if (stays && options.stay != in_pace(defaults.stay, world, TimeoutPurpose::work))
    return "stay has no effect with moves = 0";
  if (stays && options.destinations != defaults.destinations)
    return "destinations has no effect with moves = 0";
  if (stays && options.begin_early) return "begin_early has no effect with moves = 0";
  if (stays && options.call_off) return "call_off has no effect with moves = 0";
  if (!stays && world.peers() < 2) return "tasks that wander need a second peer";
  return locator::refusal(options.locator, world);
}

}  // namespace rhizome::agents::wandering

namespace rhizome::agents {

using namespace wandering;
using locator::Resident;

Wander::Wander(PeerId self, const Options& options, const World& world,
               const locator::Locator& locator)
    : self_(self),
      options_(options),
      world_(world),
      locator_(locator),
      server_(world.capacities[self.value]) {}

namespace {

// Whether the message is repeated in this round of the timer. A message sent since the last round
// is not; from the sixteenth round on all rounds are alike.
bool is_due(std::uint32_t& rounds) {
  const bool due = rounds > 0 && repeats_in_round(rounds);
  rounds = rounds < 15 ? rounds + 1 : 8;
  return due;
}

}  // namespace

template <core::one_of<Messages> M>
bool Wander::believes(PeerId from, const M& message) const {
  const bool to_source = core::one_of<M, core::OneOf<Result, Heard>>;
  return credible(world_, from, message) && to_source == is_source() &&
         (to_source || from == world_.source);
}

void Wander::on(Env& env, const Submitted& job) {
  for (locator::Mobile& mobile : locator::mobiles_of(job.tasks, job.dependencies, self_))
    env.raise(locator::Enter{std::move(mobile)});
}

void Wander::on(Env& env, const Drained&) {
  over_ = true;
  for (const PeerId peer : world_.others(self_)) {
    env.send(peer, Over{});
    if (repeats()) unaware_.emplace(peer, 0);
  }
  expect(env);
  rest(env);
}

void Wander::on(Env& env, const locator::Arrived& arrived) {
  for (const TaskId task : arrived.tasks) {
    quit(env, task);
    if (const Resident* resident = waiting(task)) stay(env, *resident);
  }
}

void Wander::on(Env& env, const locator::Ready& signal) {
  for (const TaskId task : signal.tasks)
    if (waiting(task) != nullptr) ready(env, task);
}

void Wander::on(Env& env, const locator::Quiet&) { rest(env); }

void Wander::on(Env& env, PeerId from, const Result& message) {
  if (repeats()) env.send(from, Noted{message.task});
  if (finished_.insert(message.task).second) env.raise(Finished{message.task, from});
}

void Wander::on(Env& env, PeerId, const Noted& message) {
  unnoted_.erase(message.task);
  expect(env);
  rest(env);
}

void Wander::on(Env& env, PeerId from, const Over&) {
  if (repeats()) env.send(from, Heard{});
  over_ = true;
  rest(env);
}

void Wander::on(Env& env, PeerId from, const Heard&) {
  unaware_.erase(from);
  expect(env);
  rest(env);
}

void Wander::on(Env& env, const MoveDue& due) {
  quit(env, due.task);
  if (waiting(due.task) == nullptr) return;
  env.raise(locator::Migrate{due.task, due.to});
  if (!options_.call_off) return;
  env.cancel(std::exchange(calling_off_[due.task], {}));
  calling_off_[due.task] = env.after(draw(env), CallOffDue{due.task});
}

void Wander::on(Env& env, const BeginDue& due) {
  quit(env, due.task);
  if (waiting(due.task) != nullptr) begin(env, due.task);
}

void Wander::on(Env& env, const CallOffDue& due) {
  calling_off_.erase(due.task);
  env.raise(locator::CallOff{due.task});
}

void Wander::on(Env& env, const RepeatDue&) {
  repeating_ = {};
  for (auto& [task, rounds] : unnoted_)
    if (is_due(rounds)) env.send(world_.source, Result{task}, Cause::recovery);
  for (auto& [peer, rounds] : unaware_)
    if (is_due(rounds)) env.send(peer, Over{}, Cause::recovery);
  expect(env);
}

void Wander::on(Env& env, const core::WorkDone& work) {
  const auto task = server_.finish(env, work);
  if (!task) return;
  env.raise(locator::Complete{task->id});
  if (is_source()) {
    env.raise(Finished{task->id, self_});
    return;
  }
  env.send(world_.source, Result{task->id});
  if (repeats()) unnoted_.emplace(task->id, 0);
  expect(env);
}

const Resident* Wander::waiting(TaskId task) const {
  const Resident* resident = locator_.find<Resident>(task);
  return resident == nullptr || resident->started ? nullptr : resident;
}

// A delay whose minimum over as many draws as there are destinations is `stay` in the mean.
core::Duration Wander::draw(Env& env) const {
  const std::size_t drawn = std::clamp<std::size_t>(world_.peers() - 1, 1, options_.destinations);
  const double mean = core::seconds(options_.stay) * static_cast<double>(drawn);
  return core::from_seconds(env.rng().exponential(mean));
}

std::vector<PeerId> Wander::draw_destinations(Env& env) const {
  std::vector<PeerId> others = world_.others(self_);
  const std::size_t count = std::min<std::size_t>(options_.destinations, others.size());
  for (std::size_t i = 0; count < others.size() && i < count; ++i)
    std::swap(others[i], others[i + env.rng().below(others.size() - i)]);
  others.resize(count);
  return others;
}

// A task that was lost and placed again moves no less than others.
void Wander::stay(Env& env, const Resident& resident) {
  if (resident.mobile.epoch % locator::generation >= options_.moves) return;
  const TaskId task = resident.mobile.task.id;
  std::vector<core::TimerId>& timers = staying_[task];
  for (const PeerId to : draw_destinations(env))
    timers.push_back(env.after(draw(env), MoveDue{task, to}));
}

void Wander::ready(Env& env, TaskId task) {
  const auto stays = staying_.find(task);
  if (stays == staying_.end())
    begin(env, task);
  else if (options_.begin_early)
    stays->second.push_back(env.after(draw(env), BeginDue{task}));
}

// Ends the task's stay at this peer: cancels its timers.
void Wander::quit(Env& env, TaskId task) {
  const auto stays = staying_.find(task);
  if (stays == staying_.end()) return;
  for (const core::TimerId timer : stays->second) env.cancel(timer);
  staying_.erase(stays);
}

void Wander::begin(Env& env, TaskId task) {
  const locator::Mobile& mobile = waiting(task)->mobile;
  if (!mobile.unmet.empty()) return;
  env.raise(locator::Begin{task});
  server_.accept(env, mobile.task);
}

void Wander::expect(Env& env) {
  if (unnoted_.empty() && unaware_.empty()) {
    env.cancel(std::exchange(repeating_, {}));
  } else if (repeating_ == core::TimerId{}) {
    const core::Duration patience = std::max(options_.locator.repeat, 4 * world_.longest_way());
    repeating_ = env.after(patience, RepeatDue{});
  }
}

// A peer that still waits for an answer is called back to work.
void Wander::rest(Env& env) {
  if (over_)
    for (const auto& [task, timer] : std::exchange(calling_off_, {})) env.cancel(timer);
  const bool rests = over_ && locator_.quiet() && unnoted_.empty() && unaware_.empty();
  if (std::exchange(resting_, rests) == rests) return;
  rests ? env.rest() : env.resume();
}

namespace {

void equip(core::Peer& peer, const Options& options, const World& world) {
  const locator::Locator& locator = locator::add_locator(peer, options.locator, world);
  peer.add<Wander>(peer.id(), options, world, locator);
}

Releases who_releases(const Options&) { return Releases::scheduler; }

}  // namespace

Scheduler wander() {
  return make_scheduler<Options>(
      {.name = "wander",
       .summary = "tasks move to random peers, and their input data look for them; survives lost "
                  "messages",
       .serves = true,
       .in_time = {0, "since tasks stay at random peers, however much these have to do"},
       .settings = wandering::settings(),
       .times = wandering::times(),
       .equip = equip,
       .essential = all_peers<Options>,
       .refusal = wandering::refusal,
       .releases = who_releases});
}

}  // namespace rhizome::agents
