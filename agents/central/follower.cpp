#include "agents/central/follower.hpp"

#include <algorithm>

namespace rhizome::agents::central {

void Follower::begin(Env& env, bool present) {
  drops_ = std::uint64_t{env.incarnation().value} << 32U;
  heard_ = env.now();
  if (present && rules_.first_head != core::no_peer) {
    head_ = rules_.first_head;
    epoch_ = 1;
    joined_ = true;
    if (env.self() == rules_.first_standby) copy_.copy().begin_empty();
  } else {
    ask(env);
  }
}

void Follower::take_office(PeerId self, Epoch epoch) {
  head_ = self;
  epoch_ = epoch;
}

// The new head has all tasks executed again that the former one had assigned.
void Follower::follow(Env& env, PeerId head, Epoch epoch) {
  drop(env);
  head_ = head;
  epoch_ = epoch;
  heard_ = env.now();
  candidate_.reset();
  yields_ = false;
  join(env);
}

void Follower::drop(Env& env) {
  worker_.stop(env);
  ++drops_;
  joined_ = false;
}

void Follower::join(Env& env) const { env.send(head_, Join{epoch_, drops_}); }

void Follower::ask(Env& env) const { env.send(world_.source, Who{env.incarnation().value}); }

bool Follower::obeys(Env& env, PeerId from, Epoch epoch) {
  if (epoch < epoch_ || (epoch == epoch_ && head_ != core::no_peer && head_ != from)) return false;
  if (from != head_ || epoch > epoch_) {
    follow(env, from, epoch);
  } else {
    heard_ = env.now();
    candidate_.reset();
  }
  return true;
}

void Follower::on(Env& env, PeerId from, const Ping& message) {
  if (!obeys(env, from, message.epoch)) return;
  joined_ = message.joined == drops_;
  if (!joined_) join(env);
  env.send(from, Pong{epoch_});
  if (joined_ && retires_) env.send(from, Retire{epoch_});
}

// Waits until it has joined: a Join must not arrive after the Retire.
void Follower::retire(Env& env) {
  retires_ = true;
  if (joined_) env.send(head_, Retire{epoch_});
}

void Follower::on(Env&, PeerId from, const Retired& message) {
  retired_ = retired_ || (retires_ && from == head_ && message.epoch == epoch_);
}

// The door may name the head that this peer has not heard for long: then the peer was cut off, and
// joins again.
void Follower::on(Env& env, PeerId, const Leader& message) {
  if (message.epoch < epoch_ || message.head == env.self()) return;
  if (message.head == core::no_peer) {
    // The head of that epoch has lost its books. Who still follows an earlier one never heard of
    // it, and may succeed it, too.
    const bool later = message.epoch > epoch_;
    if (head_ != core::no_peer && later) drop(env);
    if (head_ == core::no_peer || later) {
      head_ = core::no_peer;
      epoch_ = message.epoch;
    }
  } else if (message.epoch > epoch_ || head_ != message.head) {
    follow(env, message.head, message.epoch);
  } else if (!joined_) {
    join(env);
  }
}

// The head sends parts to its standby; the door sends parts to the successor.
void Follower::on(Env& env, PeerId from, const Relay& message) {
  if (from == world_.source) {
    if (message.epoch == granted_) stored_.on(env, from, message);
  } else if (obeys(env, from, message.epoch)) {
    copy_.on(env, from, message);
  }
}

void Follower::on(Env&, PeerId, const Grant& message) {
  if (message.epoch > epoch_) granted_ = std::max(granted_, message.epoch);
}

std::optional<Follower::Office> Follower::office() const {
  if (granted_ <= epoch_) return {};
  if (!rules_.options.stores()) {
    // Without a copy there was no head before, or the door lets any peer lead.
    return Office{granted_, copy_.copy()};
  }
  if (stored_.epoch() != granted_ || !stored_.copy().valid()) return {};
  return Office{granted_, stored_.copy()};
}

void Follower::tick(Env& env) {
  const bool silent = env.now() - heard_ > rules_.options.detection();
  if (head_ != core::no_peer && !silent) {
    if (!joined_) join(env);
    return;
  }
  if (head_ != core::no_peer && (joined_ || worker_.busy())) {
    env.note(overlay::PeerDead{head_});
    drop(env);
  }
  ask(env);
  succeed(env);
}

void Follower::succeed(Env& env) {
  switch (rules_.options.succession) {
    case Succession::standby:
      if (copy_.copy().valid()) claim(env);
      return;
    case Succession::lease:
      claim(env);
      return;
    case Succession::bully:
      elect(env);
  }
}

void Follower::claim(Env& env) const {
  env.send(world_.source, Claim{epoch_, env.incarnation().value});
}

// A peer that no higher address answers has won, and claims the office. Otherwise it waits for the
// higher address to win, and calls another election if none has won.
void Follower::elect(Env& env) {
  const Duration patience = rules_.options.repeat;
  if (candidate_ && env.now() - *candidate_ >= patience && !yields_) {
    claim(env);
    return;
  }
  if (candidate_ && env.now() - *candidate_ < 4 * patience) return;
  candidate_ = env.now();
  yields_ = false;
  for (std::uint32_t i = env.self().value + 1; i < world_.peers(); ++i)
    if (PeerId{i} != world_.source && PeerId{i} != head_) env.send(PeerId{i}, Elect{epoch_});
}

void Follower::on(Env& env, PeerId from, const Elect& message) {
  if (from < env.self()) env.send(from, Yield{message.epoch});
}

void Follower::on(Env& env, PeerId from, const Yield& message) {
  if (message.epoch == epoch_ && from > env.self()) yields_ = true;
}

}  // namespace rhizome::agents::central
