#include "agents/locator/service.hpp"

#include <algorithm>
#include <map>
#include <type_traits>
#include <utility>

#include "agents/credible.hpp"
#include "agents/graph_shape.hpp"

namespace rhizome::agents::locator {

namespace {

// An epoch that can be counted on from.
constexpr Epoch most_epochs = ~Epoch{0} - generation;

bool real(const std::vector<PeerId>& peers) {
  return std::find(peers.begin(), peers.end(), core::no_peer) == peers.end();
}

bool sound(const Mobile& mobile) { return mobile.epoch < most_epochs && real(mobile.visited); }
bool sound(const Route& route) { return route.origin != core::no_peer && real(route.path); }

void obey(Locator& locator, const Enter& signal, LocatorEffects& out) {
  locator.place(signal.mobile, out);
}
void obey(Locator& locator, const Migrate& signal, LocatorEffects& out) {
  static_cast<void>(locator.move(signal.task, signal.to, out));
}
void obey(Locator& locator, const CallOff& signal, LocatorEffects& out) {
  locator.call_off(signal.task, out);
}
void obey(Locator& locator, const Begin& signal, LocatorEffects& out) {
  locator.start(signal.task, out);
}
void obey(Locator& locator, const Complete& signal, LocatorEffects& out) {
  locator.finish(signal.task, out);
}
void obey(Locator& locator, const GiveData& signal, LocatorEffects& out) {
  locator.give(signal.from, signal.successors, out);
}
void obey(Locator& locator, const Conclude& signal, LocatorEffects& out) {
  locator.conclude(signal.task, out);
}
void obey(Locator& locator, const Drop& signal, LocatorEffects& out) {
  locator.drop(signal.task, out);
}
void obey(Locator& locator, const Close&, LocatorEffects& out) { locator.close(out); }
void obey(Locator& locator, const Missed& signal, LocatorEffects&) { locator.lost(signal.peer); }

}  // namespace

Service::Service(PeerId self, const Options& options, const World& world)
    : options_(options), world_(world), locator_(self, options, world.peers(), world.source) {}

template <core::one_of<Messages> M>
bool Service::believes(PeerId from, const M& message) const {
  if (!credible(world_, from, message)) return false;
  if constexpr (std::is_same_v<M, Move>) return sound(message.mobile);
  if constexpr (requires { message.route; }) return sound(message.route);
  if constexpr (std::is_same_v<M, Location>) return message.at.peer != core::no_peer;
  return true;
}

void Service::start(Env& env) {
  const bool first = env.self() == world_.source && env.incarnation() == core::Incarnation{};
  if (first) env.note(LocatorStarted{locator_.forwards(), locator_.sweeps()});
}

template <core::one_of<Service::Hears> S>
void Service::on(Env& env, const S& signal) {
  LocatorEffects out;
  obey(locator_, signal, out);
  perform(env, std::move(out));
  if constexpr (std::is_same_v<S, Complete>) env.raise(Completed{signal.task});
}

template <core::one_of<Messages> M>
void Service::on(Env& env, PeerId from, const M& message) {
  LocatorEffects out;
  locator_.on(from, message, out);
  perform(env, std::move(out));
}

void Service::on(Env& env, const RepeatDue&) {
  armed_ = {};
  LocatorEffects out;
  locator_.repeat(out);
  perform(env, std::move(out));
}

void Service::perform(Env& env, LocatorEffects out) {
  for (const Facts& fact : out.notes) note(env, fact);
  for (const LocatorEffects::Send& send : out.sends)
    std::visit(
        [&]<class M>(const M& message) {
          env.send(send.to, message, send.again ? Cause::recovery : M::info.cause);
        },
        send.message);
  if (!out.arrived.empty()) env.raise(Arrived{std::move(out.arrived)});
  if (!out.ready.empty()) env.raise(Ready{std::move(out.ready)});
  watch(env);
}

void Service::note(Env& env, const Facts& fact) {
  std::visit(
      [&]<class F>(const F& said) {
        env.note(said);
        if constexpr (std::is_same_v<F, TaskLeft>) note_handed(env, said.task, said.receiver);
      },
      fact);
}

// Nothing is armed where nothing can be lost, or while nothing waits.
void Service::watch(Env& env) {
  const bool quiet = locator_.quiet();
  if (quiet) {
    env.cancel(std::exchange(armed_, {}));
  } else if (armed_ == core::TimerId{} && options_.repeat > core::Duration{0}) {
    armed_ = env.after(std::max(options_.repeat, 4 * world_.longest_way()), RepeatDue{});
  }
  if (std::exchange(quiet_, quiet) != quiet) env.raise(Quiet{quiet});
}

const Locator& add_locator(core::Peer& peer, const Options& options, const World& world) {
  return peer.add<Service>(peer.id(), options, world).locator();
}

std::vector<Mobile> mobiles_of(const std::vector<Task>& tasks,
                               const std::vector<Dependency>& dependencies, PeerId at) {
  std::vector<Mobile> mobiles;
  std::map<std::uint32_t, std::size_t> places;  // by portion
  const std::vector<std::uint32_t> levels =
      levels_of({.arrival = {}, .portions = tasks, .dependencies = dependencies});
  for (const Task& task : tasks) {
    places.emplace(task.id.portion, mobiles.size());
    mobiles.push_back({.task = task, .level = levels[mobiles.size()]});
  }
  // Several dependencies between the same two tasks are given together.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> edges;
  for (const auto& [task, needs, bytes] : dependencies) edges[{needs, task}] += bytes;
  for (const auto& [edge, bytes] : edges) {
    Mobile& predecessor = mobiles[places.at(edge.first)];
    Mobile& successor = mobiles[places.at(edge.second)];
    successor.unmet.push_back({predecessor.task.id, {at, 0}, bytes});
    predecessor.task.gives += bytes;
    predecessor.successors.push_back({successor.task.id, {at, 0}, bytes});
  }
  return mobiles;
}

}  // namespace rhizome::agents::locator
