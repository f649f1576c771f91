#include "agents/central/door.hpp"

#include <algorithm>

namespace rhizome::agents::central {

Door::Door(const Rules& rules, const World& world)
    : rules_(rules), world_(world), head_(rules.first_head), standby_(rules.first_standby) {
  if (head_ == core::no_peer) epoch_ = 0;
  store_.copy().begin_empty();
  if (rules.stores_elsewhere()) vault_.emplace(rules, rules.real_store);
}

void Door::on(Env& env, const Submitted& job) {
  known_tasks_.add(job.tasks);
  for (std::size_t from = 0; from < job.tasks.size(); from += most_tasks) {
    const std::size_t to = std::min(from + most_tasks, job.tasks.size());
    Hand hand{++handed_,
              {job.tasks.begin() + static_cast<std::ptrdiff_t>(from),
               job.tasks.begin() + static_cast<std::ptrdiff_t>(to)}};
    hands_.emplace(handed_, Handed{std::move(hand)});
  }
  hand(env, Duration::max());
}

std::size_t Door::waiting() const {
  if (head_ != core::no_peer) return 0;
  std::size_t tasks = 0;
  for (const auto& [number, hand] : hands_) tasks += hand.hand.tasks.size();
  return tasks;
}

bool Door::leads(Env& env, PeerId from, Epoch epoch) const {
  if (from == head_ && epoch == epoch_) return true;
  env.send(from, Leader{epoch_, head_});
  return false;
}

void Door::on(Env&, PeerId from, const Taken& message) {
  const auto handed = hands_.find(message.number);
  if (from != head_ || handed == hands_.end()) return;
  entrusted_ = entrusted_ || message.kept;
  if (message.kept)
    hands_.erase(handed);
  else
    handed->second.received = true;
}

// Each result counts once. Results of a former head do not count, because its successor has these
// tasks executed again.
void Door::on(Env& env, PeerId from, const Report& message) {
  if (!leads(env, from, message.epoch)) return;
  heard_ = env.now();
  for (const Result& result : message.results) {
    if (!known_tasks_.knows(result.task) || known_tasks_.done(result.task)) continue;
    known_tasks_.finish(result.task);
    env.raise(Finished{result.task, result.executor});
  }
  env.send(from, Counted{epoch_, message.number});
}

void Door::on(Env& env, PeerId from, const Relay& message) {
  if (!rules_.options.stores() || message.whole || !leads(env, from, message.epoch)) return;
  if (vault_ && !store_.has(message))
    vault_->keep(env, from, message);
  else
    store_.on(env, from, message);
}

// A stored part is acknowledged; a loaded copy goes to the new head.
void Door::on(Env& env, const core::WorkDone& done) {
  if (!vault_ || !vault_->owns(done)) return;
  const Vault::News news = vault_->on(env, done);
  if (const auto* kept = std::get_if<Vault::Kept>(&news)) store_.on(env, kept->from, kept->part);
  if (const auto* copy = std::get_if<Copy>(&news); copy != nullptr && !in_office_) lend(env, *copy);
}

void Door::stop(Env& env) {
  if (vault_) vault_->stop(env);
}

void Door::on(Env& env, PeerId from, const Relayed& message) {
  loan_.acknowledged(from, message);
  if (loan_.keeper() == from && loan_.settled()) heard_ = std::max(heard_, env.now());
}

// The first sign of life puts a new head in office. It gets all hands that are not taken.
void Door::on(Env& env, PeerId from, const Ping& message) {
  if (!leads(env, from, message.epoch)) return;
  heard_ = env.now();
  env.send(from, Pong{epoch_});
  if (in_office_) return;
  in_office_ = true;
  for (auto& [number, handed] : hands_) handed = {std::move(handed.hand)};
  hand(env, Duration::max());
}

void Door::look_at(PeerId peer, std::uint32_t life) {
  if (peer == head_ && life > life_) lost_ = true;
}

void Door::answer(Env& env, PeerId peer) const {
  env.send(peer, Leader{epoch_, lost_ ? core::no_peer : head_});
}

void Door::on(Env& env, PeerId from, const Who& message) {
  look_at(from, message.life);
  if (open_to_all(env.now()))
    grant(env, from, message.life);
  else
    answer(env, from);
}

bool Door::open_to_all(Time now) const {
  if (head_ == core::no_peer) return true;
  if (entrusted_ || rules_.options.stores()) return false;
  return lost_ || now - heard_ > rules_.options.detection();
}

// A later registration is of a later copy.
void Door::on(Env& env, PeerId from, const Register& message) {
  if (!leads(env, from, message.epoch)) return;
  if (message.copy >= copy_) {
    copy_ = message.copy;
    standby_ = message.standby;
  }
  env.send(from, Registered{epoch_, standby_, copy_});
}

// The door allows no succession while it hears the head, even if other peers do not.
bool Door::may_succeed(Time now, PeerId peer, Epoch epoch) const {
  if (epoch != epoch_ || (peer == head_ && !lost_)) return false;
  if (!lost_ && now - heard_ <= rules_.options.detection()) return false;
  return rules_.options.stores() || peer == standby_;
}

void Door::on(Env& env, PeerId from, const Claim& message) {
  look_at(from, message.life);
  if (may_succeed(env.now(), from, message.epoch)) {
    grant(env, from, message.life);
  } else if (from == head_ && message.epoch + 1 == epoch_ && !in_office_) {
    env.send(from, Grant{epoch_}, Cause::recovery);
    loan_.repeat(env);
  } else {
    answer(env, from);
  }
}

// The successor does not get tasks that the door has counted since the snapshot.
void Door::grant(Env& env, PeerId to, std::uint32_t life) {
  head_ = to;
  life_ = life;
  standby_ = core::no_peer;
  copy_ = 0;
  ++epoch_;
  lost_ = in_office_ = false;
  heard_ = env.now();
  env.send(to, Grant{epoch_});
  if (!rules_.options.stores()) return;
  loan_ = Copier(epoch_);
  if (vault_)
    vault_->load(env);
  else
    lend(env, store_.copy());
}

void Door::lend(Env& env, const Copy& copy) {
  std::vector<Task> undone = copy.undone();
  std::erase_if(undone, [this](const Task& task) { return known_tasks_.done(task.id); });
  loan_ = Copier(epoch_);
  loan_.copy_to(env, head_, in_parts(epoch_, undone, copy.hands(), copy.measured()));
}

// Sends hands that were not sent to this head, or not acknowledged within `patience`.
void Door::hand(Env& env, Duration patience) {
  if (head_ == core::no_peer || !in_office_) return;
  for (auto& [number, handed] : hands_) {
    if (handed.received) continue;
    if (handed.sent && env.now() - *handed.sent < patience) continue;
    env.send(head_, handed.hand, handed.sent ? Cause::recovery : Hand::info.cause);
    handed.sent = env.now();
  }
}

void Door::tick(Env& env) {
  if (vault_) vault_->tick(env);
  if (head_ == core::no_peer) return;
  if (in_office_ && world_.loses)
    hand(env, rules_.options.repeat);
  else if (!in_office_)
    loan_.repeat(env);
}

bool Door::abandoned(Time now) const { return now - heard_ > rules_.options.headless(); }

}  // namespace rhizome::agents::central
