// The head and its workers: membership, failure detection, idle workers and the standby.
#include <utility>

#include "agents/central/head.hpp"

namespace rhizome::agents::central {

Head::Place& Head::admit(Env& env, PeerId worker) {
  Place& place = places_[worker];
  const bool single = queues_.size() == 1 && queues_.front().model().batch == 1;
  place.lanes = single ? world_.capacities[worker.value].slots : 1;
  place.heard = env.now();
  place.suspected = place.retires = false;
  offer(worker, place);
  return place;
}

// A suspected worker that answers is trusted again.
void Head::heard(Env& env, PeerId from) {
  const auto place = places_.find(from);
  if (place == places_.end()) return;
  place->second.heard = env.now();
  if (std::exchange(place->second.suspected, false)) offer(from, place->second);
}

void Head::on(Env& env, PeerId from, const Pong& message) {
  if (message.epoch != epoch_ || from == world_.source) return;
  heard(env, from);
}

// A worker that joins has dropped all batches that it had.
void Head::on(Env& env, PeerId from, const Join& message) {
  if (message.epoch != epoch_ || from == self_) return;
  const auto known = places_.find(from);
  if (known != places_.end() && message.number <= known->second.joined) {
    heard(env, from);
    env.send(from, Ping{epoch_, {}, known->second.joined}, Cause::join);
    return;
  }
  remove(env, from);
  admit(env, from).joined = message.number;
  env.send(from, Ping{epoch_, {}, message.number}, Cause::join);
  if (copier_.keeper() == core::no_peer) appoint(env);
  settle(env);
}

// Batches of a removed worker return to the front of their queues, the oldest first.
void Head::remove(Env& env, PeerId worker) {
  const auto place = places_.extract(worker);
  if (!place) return;
  const std::set<std::uint64_t>& held = place.mapped().held;
  for (auto id = held.rbegin(); id != held.rend(); ++id) {
    Batch batch = std::move(running_.extract(*id).mapped());
    if (!batch.recalled) --at_workers_[batch.model];
    take_back(env, std::move(batch), "worker lost");
  }
  std::erase(idle_, worker);
  if (worker != copier_.keeper()) return;
  registered_ = false;
  copier_.copy_to(env, core::no_peer, {});
  env.note(StandbyChanged{epoch_, core::no_peer});
  register_copy(env);
  appoint(env);
}

// A worker that is not in the books has been released before.
void Head::on(Env& env, PeerId from, const Retire& message) {
  if (message.epoch != epoch_ || from == self_) return;
  heard(env, from);
  if (const auto place = places_.find(from); place == places_.end())
    env.send(from, Retired{epoch_});
  else
    place->second.retires = true;
  let_go(env, from);
  settle(env);
}

// Releases a retiring worker once it has no batch.
void Head::let_go(Env& env, PeerId worker) {
  const auto place = places_.find(worker);
  if (place == places_.end() || !place->second.retires || !place->second.held.empty()) return;
  remove(env, worker);
  env.send(worker, Retired{epoch_});
}

std::size_t Head::others() const { return places_.size() - places_.count(self_); }

// The standby works only if it is the only other peer, and the head only if it is alone.
bool Head::works(PeerId peer) const {
  if (peer == self_) return others() == 0;
  return !places_.at(peer).retires && (peer != copier_.keeper() || others() == 1);
}

std::uint32_t Head::workers() const {
  std::uint32_t count = 0;
  for (const auto& [peer, place] : places_) count += works(peer) && !place.suspected ? 1U : 0U;
  return count;
}

double Head::mean_speed() const {
  double sum = 0;
  std::uint32_t count = 0;
  for (const auto& [peer, place] : places_) {
    if (!works(peer) || place.suspected) continue;
    sum += world_.capacities[peer.value].speed;
    ++count;
  }
  return count == 0 ? 1 : sum / count;
}

void Head::offer(PeerId worker, Place& place) {
  if (place.suspected || place.retires) return;
  for (; place.held.size() + place.offered < place.lanes; ++place.offered) idle_.push_back(worker);
}

// The next in the queue of the idle that may be given work.
PeerId Head::next_idle() {
  while (!idle_.empty()) {
    const PeerId worker = idle_.front();
    idle_.pop_front();
    Place& place = places_.at(worker);
    --place.offered;
    if (!place.suspected && works(worker) && place.held.size() < place.lanes) return worker;
  }
  return core::no_peer;
}

void Head::work_alone(Env& env) {
  if (others() == 0 && !places_.contains(self_)) admit(env, self_);
}

// The standby is the lowest address that is not suspected.
void Head::appoint(Env& env) {
  if (rules_.options.stores()) return;
  for (const auto& [peer, place] : places_) {
    if (peer == self_ || place.suspected || place.retires) continue;
    copier_.copy_to(env, peer, in_parts(epoch_, undone(), hands_, measured()));
    return;
  }
}

void Head::watch(Env& env) {
  std::vector<PeerId> dead;
  for (auto& [peer, place] : places_) {
    if (peer == self_) continue;
    const Duration silence = env.now() - place.heard;
    if (silence > rules_.options.detection()) dead.push_back(peer);
    if (silence > rules_.options.suspicion() && !std::exchange(place.suspected, true))
      env.note(overlay::PeerSuspected{peer});
  }
  for (const PeerId peer : dead) {
    env.note(overlay::PeerDead{peer});
    remove(env, peer);
  }
}

void Head::ping(Env& env, Duration silence_of_door) {
  pinged_ = env.now();
  env.send(world_.source, Ping{epoch_, silence_of_door, 0});
  for (const auto& [peer, place] : places_)
    if (peer != self_) env.send(peer, Ping{epoch_, silence_of_door, place.joined});
}

void Head::tick(Env& env, Duration silence_of_door) {
  if (world_.loses) watch(env);
  work_alone(env);
  if (env.now() - pinged_ >= rules_.options.ping_period) ping(env, silence_of_door);
  if (world_.loses) repeat(env);
  if (!registered_) register_copy(env);
  if (copier_.keeper() == core::no_peer) appoint(env);
  if (idle_.empty())
    for (auto& [peer, place] : places_) offer(peer, place);
  settle(env);
}

}  // namespace rhizome::agents::central
