#include "agents/central/central.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "agents/routing.hpp"
#include "agents/store/operation.hpp"

namespace rhizome::agents::central {

namespace {
constexpr std::uint32_t most_tries = 8;  // our choice, to tell a peer of the end
}

Central::Central(PeerId self, const Rules& rules, const World& world)
    : rules_(rules),
      world_(world),
      worker_(world.capacities[self.value], world.loses),
      follower_(rules, world, worker_),
      farewell_(std::max(rules.options.repeat, 4 * world.longest_delay), most_tries) {}

void Central::start(Env& env) {
  door_heard_ = env.now();
  const bool first = env.incarnation() == world_.first_life(env.self());
  if (env.self() == world_.source) {
    door_.emplace(rules_, world_);
    if (!first) {
      give_up(env, "the door died, and its count of results is lost");
      return;
    }
  } else {
    const bool present = first && !world_.late.contains(env.self());
    follower_.begin(env, present);
    if (present && env.self() == rules_.first_head) {
      Copy nothing;
      lead(env, 1, nothing, true);
    }
  }
  arm(env);
}

// Without faults only the head needs a timer; with them every peer checks the others.
void Central::arm(Env& env) {
  env.cancel(tick_);
  tick_ = {};
  const Options& options = rules_.options;
  if (wary() || (door_ && door_->asks_again()))
    tick_ = env.after(std::min(options.repeat, options.ping_period), TickDue{});
  else if (head_)
    tick_ = env.after(options.ping_period, TickDue{});
}

void Central::lead(Env& env, Epoch epoch, const Copy& copy, bool present) {
  follower_.take_office(env.self(), epoch);
  worker_.stop(env);
  head_.emplace(rules_, world_, epoch);
  head_->begin(env, copy, present);
  if (rules_.options.stores()) snapshot_ = env.after(rules_.options.snapshot, SnapshotDue{});
}

void Central::on(Env& env, const Submitted& job) {
  if (door_ && !ended_) door_->on(env, job);
}

void Central::on(Env& env, const Drained&) {
  if (!door_ || ended_) return;
  tell_end(env, false);
  end(env, false);
}

// Only workers are drained.
void Central::on(Env& env, const provision::Draining&) {
  if (!door_ && !head_ && !ended_) follower_.retire(env);
}

void Central::on(Env& env, const TickDue&) {
  if (ended_) return;
  arm(env);
  if (door_) {
    door_->tick(env);
    const std::string storeless = door_->without_store(env.now());
    if (!storeless.empty())
      give_up(env, storeless);
    else if (door_->abandoned(env.now()))
      give_up(env, "the head is dead, and no peer has claimed its office");
    return;
  }
  if (head_)
    head_->tick(env, silence_of_door(env.now()));
  else
    follower_.tick(env);
  if (head_ || worker_.busy()) worker_.repeat(env, follower_.head());
  if (world_.loses && silence_of_door(env.now()) > rules_.options.give_up())
    fail(env, "the door is dead");
  tell_state(env);
}

void Central::on(Env& env, const SnapshotDue&) {
  if (ended_ || !head_) return;
  head_->snapshot(env);
  snapshot_ = env.after(rules_.options.snapshot, SnapshotDue{});
}

void Central::on(Env& env, const core::WorkDone& done) {
  if (door_)
    door_->on(env, done);
  else
    worker_.on(env, done);
  tell_state(env);
}

template <core::one_of<Messages> M>
void Central::on(Env& env, PeerId from, const M& message) {
  if constexpr (std::is_same_v<M, Over>) {
    if (world_.loses) env.send(from, OverToo{});
    if (!message.failed || !ended_) end(env, message.failed);
  } else if constexpr (std::is_same_v<M, OverToo>) {
    farewell_.on(env, from, message);
    if (door_ && ended_ && farewell_.complete()) env.finish();
  } else {
    if (from == world_.source) door_heard_ = env.now();
    if (failed_ && !door_ && from == world_.source) come_back(env);
    if (ended_) {
      if (door_) env.send(from, Over{failed_});
      return;
    }
    to_living(env, from, message);
    tell_state(env);
  }
}

template <class M>
void Central::to_living(Env& env, PeerId from, const M& message) {
  const auto hand = [&](auto& part) { part.on(env, from, message); };
  static_assert(takers<M, Door, Head, Worker, Follower> != 0, "no role lists this message");
  if (door_) {
    offer(message, hand, &*door_);
    return;
  }
  if constexpr (std::is_same_v<M, Ping>)
    door_heard_ = std::max(door_heard_, env.now() - message.silence);
  if constexpr (core::one_of<M, core::OneOf<Ping, Leader, Relay>>)
    if (head_ && message.epoch > head_->epoch()) step_down(env);
  if constexpr (core::one_of<M, core::OneOf<Assign, Preempt>>) {
    if (head_ && message.epoch > head_->epoch()) step_down(env);
    if (!follower_.obeys(env, from, message.epoch)) return;
  }
  if constexpr (core::one_of<M, Head::Messages>) {
    if (head_) head_->on(env, from, message);
  } else if constexpr (core::one_of<M, Worker::Messages>) {
    worker_.on(env, from, message);
  } else if constexpr (core::one_of<M, Follower::Messages>) {
    if (!head_) follower_.on(env, from, message);
    if (follower_.retired()) env.raise(provision::Vacated{});
    if (const auto office = follower_.office(); office && !head_)
      lead(env, office->epoch, office->copy, false);
  }
}

// Another peer has been granted the office.
void Central::step_down(Env& env) {
  env.cancel(snapshot_);
  head_.reset();
}

void Central::tell_state(Env& env) {
  tell_waiting(env);
  if (world_.provisioned) tell_rest(env);
}

void Central::tell_rest(Env& env) {
  const bool rests = !door_ && !head_ && !ended_ && follower_.joined() && !worker_.busy();
  if (std::exchange(rests_, rests) != rests) env.raise(provision::Resting{rests});
}

void Central::tell_waiting(Env& env) const {
  std::size_t tasks = worker_.waiting();
  if (head_) tasks += head_->waiting();
  if (door_) tasks += door_->waiting();
  env.waiting(ended_ ? 0 : tasks);
}

void Central::fail(Env& env, std::string_view reason) {
  env.note(RunFailed{world_.source, std::string(reason)});
  end(env, true);
}

// The door ends the run for all peers.
void Central::give_up(Env& env, std::string_view reason) {
  tell_end(env, true);
  fail(env, reason);
}

void Central::tell_end(Env& env, bool failed) {
  for (const PeerId peer : world_.others(env.self()))
    farewell_.tell(env, peer, world_.loses, {.failed = failed});
  farewell_.wait(env);
}

void Central::on(Env& env, const OverDue& due) {
  farewell_.on(env, due);
  if (farewell_.complete()) env.finish();
}

// The door, which was taken for dead, is alive.
void Central::come_back(Env& env) {
  ended_ = failed_ = false;
  env.resume();
  arm(env);
}

// No timer and no work remains; from now on the peer only answers.
void Central::end(Env& env, bool failed) {
  if (std::exchange(ended_, true)) {
    if (!failed && failed_) env.finish();
    return;
  }
  failed_ = failed;
  if (door_) door_->stop(env);
  worker_.stop(env);
  env.cancel(tick_);
  env.cancel(snapshot_);
  if (world_.provisioned) tell_rest(env);
  if (!door_ && (failed || world_.loses))
    env.rest();  // it still acknowledges
  else if (farewell_.complete())
    env.finish();
}

namespace {

// A file of snapshots of this run alone, removed at its end.
class OwnFile {
 public:
  explicit OwnFile(std::string name) : file_(store::own_file(name)) {}
  ~OwnFile() {
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
  }
  OwnFile(const OwnFile&) = delete;
  OwnFile& operator=(const OwnFile&) = delete;

 private:
  std::string file_;
};

std::shared_ptr<OwnFile> own_file_of(const Rules& rules) {
  const Options& options = rules.options;
  const bool own = rules.real_store && options.stores() && options.store == StoreKind::sqlite &&
                   options.store_file.empty();
  return own ? std::make_shared<OwnFile>(rules.store_name) : nullptr;
}

}  // namespace

Deployment deploy(Rules made, const World& world) {
  const auto rules = std::make_shared<const Rules>(std::move(made));
  const auto file = own_file_of(*rules);
  const Entries doors = enter_at(world.source);
  return {.equip =
              [rules, file, doors, &world](core::Peer& peer) {
                peer.add<Central>(peer.id(), *rules, world);
                if (doors.kept_by(peer.id())) peer.add<Client>(world.first_life(peer.id()));
              },
          .entries = doors};
}

}  // namespace rhizome::agents::central
