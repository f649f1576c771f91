#include "agents/organic_grid/tree/downstream.hpp"

#include <algorithm>
#include <utility>

#include "agents/pieces.hpp"

namespace rhizome::agents::grid {

// The child in that stay. The first message of a child on trial tells its stay, unless that stay
// has an account: a stay is never counted twice.
Child* Downstream::child_of(PeerId from, std::uint64_t epoch) {
  Child* child = children_.find(from);
  if (child == nullptr || departures_.find(from, epoch) != nullptr) return nullptr;
  if (child->epoch == 0 && epoch > child->after) child->epoch = epoch;
  return child->epoch == epoch ? child : nullptr;
}

// A child that was sent away is still accepted, and reminded, until it has left. Any other peer is
// a stranger, and is told so.
Child* Downstream::recognise(Env& env, PeerId from, std::uint64_t epoch) {
  if (Child* child = child_of(from, epoch)) {
    child->last_heard = env.now();
    return child;
  }
  Departures::Account* account = departures_.find(from, epoch);
  if (account == nullptr) {
    const Child* child = children_.find(from);
    const bool ended = child != nullptr && (epoch < child->epoch || child->epoch == 0);
    if (!ended) env.send(from, Stranger{lineage_.root(), epoch});
    return nullptr;
  }
  if (!account->open) return nullptr;
  remind(env, *account);
  return &account->child;
}

void Downstream::remind(Env& env, Departures::Account& account) const {
  account.since = env.now();
  if (env.now() - account.reminded <= home_.options.heartbeat()) return;
  account.reminded = env.now();
  const PeerId to = account.child.id;
  env.send(to, Evict{lineage_.root(), places_for(to)}, core::Cause::recovery);
}

// Supplies that the child would have confirmed by now are lost. No packet is under way for longer
// than a quarter of the time-out, so a child that reports after half of it has received what was
// sent before.
Child* Downstream::heard(Env& env, PeerId from, const Report& report) {
  Child* child = recognise(env, from, report.epoch);
  if (child == nullptr) return nullptr;
  child->demanded = std::max(child->demanded, report.demanded);
  child->supplies.acknowledge(report.received);
  if (child->supplies.waits_since(env.now() - home_.options.timeout / 2)) {
    Supply message = supply_to(env, *child);
    const std::uint64_t first = child->supplies.first();
    in_pieces(child->supplies.again(env.now()), [&](std::size_t index, std::vector<Task> tasks) {
      message.first = first + index;
      message.tasks = std::move(tasks);
      env.send(from, message, core::Cause::recovery);
    });
  }
  return child;
}

void Downstream::on(Env& env, PeerId from, const Demand& message) {
  heard(env, from, report_of(message));
}

void Downstream::on(Env& env, PeerId from, const Alive& message) {
  Child* child = heard(env, from, report_of(message));
  if (child == nullptr) return;
  // All its earlier demands have arrived, so this one may be less. Its next demand may arrive
  // before this one: then the child repeats it with the next sign of life.
  child->demanded = message.demanded;
  env.send(from, sign_of_life(env, *child));
}

AliveToo Downstream::sign_of_life(Env& env, const Child& child) const {
  return {lineage_.root(), child.epoch, child.results.next(), lineage_.age(env.now()),
          lineage_.for_child(env.self())};
}

void Downstream::tell_ancestors(Env& env) const {
  for (const Child& child : children_.list())
    if (child.epoch > 0) env.send(child.id, sign_of_life(env, child), core::Cause::maintenance);
}

void Downstream::serve(Env& env) {
  if (home_.draining) {
    release(env);
    return;
  }
  for (Child& child : children_.list())
    while (child.deficit() > 0 && !stock_.empty())
      supply(env, child, std::min({child.deficit(), stock_.size(), most_in_message}));
}

// A node that leaves hands out nothing more, and sends away each child that has brought back all
// its tasks: so no task is under way by a node that is gone.
void Downstream::release(Env& env) {
  std::vector<PeerId> free;
  for (const Child& child : children_.list())
    if (child.epoch > 0 && !stock_.lends({child.id, child.epoch})) free.push_back(child.id);
  for (const PeerId child : free) send_away(env, child);
}

// Hosts for a child that is sent away: its siblings, or the ancestors of a node that leaves.
std::vector<PeerId> Downstream::places_for(PeerId child) const {
  std::vector<PeerId> places = children_.others(child);
  if (home_.draining && !lineage_.ancestors().empty())
    places.insert(places.begin(), lineage_.ancestors().front());
  return places;
}

// The next supply, without the tasks.
Supply Downstream::supply_to(Env& env, const Child& child) const {
  return {lineage_.root(),
          child.epoch,
          child.supplies.next(),
          child.results.next(),
          lineage_.age(env.now()),
          lineage_.for_child(env.self()),
          {}};
}

void Downstream::supply(Env& env, Child& child, std::size_t tasks) {
  Supply message = supply_to(env, child);
  for (std::size_t i = 0; i < tasks; ++i) {
    Task task = stock_.lend({child.id, child.epoch}, env.now());
    child.supplies.push(task, env.now());
    note_handed(env, task.id, child.id);
    message.tasks.push_back(std::move(task));
  }
  env.send(child.id, message);
}

// A peer that asks is new, or has lost its node. A request that it sent before it came, and that
// arrives late, is ignored; and it may ask twice before it can have answered.
bool Downstream::asks_late(Env& env, PeerId from, std::uint64_t epoch) {
  if (departures_.holds_later(from, epoch)) return true;
  for (const Child& gone : departures_.forget(from)) lose(env, gone, "restart");
  Child* child = children_.find(from);
  if (child == nullptr) return false;
  if (child->epoch > epoch) return true;
  if (child->epoch == 0 && child->after != Child::adoption) {
    child->after = std::max(child->after, epoch);
    invite(env, from);
    return true;
  }
  lose(env, *child, "restart");
  children_.remove(from);
  return false;
}

void Downstream::take_on(Env& env, PeerId newcomer, std::uint64_t epoch) {
  children_.add(newcomer, env.now()).after = epoch;
  invite(env, newcomer);
}

void Downstream::invite(Env& env, PeerId newcomer) const {
  env.send(newcomer,
           Clone{lineage_.root(), lineage_.age(env.now()), lineage_.for_child(env.self())});
}

bool Downstream::carries(Books::Borrower to, TaskId id) const {
  const Child* child = children_.find(to.peer);
  if (child == nullptr || child->epoch != to.epoch) {
    const Departures::Account* account = departures_.find(to.peer, to.epoch);
    child = account == nullptr ? nullptr : &account->child;
  }
  if (child == nullptr) return false;
  const auto& tasks = child->supplies.items();
  return std::any_of(tasks.begin(), tasks.end(), [id](const Task& task) { return task.id == id; });
}

// A stay that it has not left yet is settled when it does.
void Downstream::admit(Env& env, PeerId mover, std::uint64_t epoch) {
  const Child* known = children_.find(mover);
  if (known != nullptr && known->epoch > epoch) return;  // late, and of no use any more
  if (known == nullptr || known->epoch != epoch) {
    if (known != nullptr && known->epoch > 0) departures_.keep(*known, true, env.now());
    children_.add(mover, env.now()).epoch = epoch;
  }
  env.send(mover,
           Accept{lineage_.root(), epoch, lineage_.age(env.now()), lineage_.for_child(env.self())});
}

void Downstream::send_away(Env& env, PeerId child) {
  env.send(child, Evict{lineage_.root(), places_for(child)});
  departures_.keep(*children_.find(child), true, env.now());
  children_.make_former(child, env.now());
}

void Downstream::on(Env& env, PeerId from, const Decline& message) {
  const Child* child = children_.find(from);
  if (child == nullptr || child->epoch != message.epoch) return;
  const Child gone = *child;
  children_.remove(from);
  lose(env, gone, "restart");
}

// The child has moved with its subtree, so its results will come another way. Tasks that it never
// received return to the stock.
void Downstream::on(Env& env, PeerId from, const Leave& message) {
  std::uint64_t received = 0;
  if (const Child* child = child_of(from, message.epoch)) part(env, *child);
  if (Departures::Account* account = departures_.find(from, message.epoch)) {
    if (std::exchange(account->open, false)) close(account->child, message.received);
    account->since = env.now();
    received = account->child.results.next();
  }
  env.send(from, Settled{lineage_.root(), message.epoch, received});
}

void Downstream::part(Env& env, const Child& child) {
  const Child gone = child;
  children_.remove(gone.id);
  if (gone.promoted) children_.make_former(gone.id, env.now());
  departures_.keep(gone, true, env.now());
}

void Downstream::close(const Child& child, std::uint64_t received) {
  Outbox<Task> under_way = child.supplies;
  under_way.acknowledge(received);
  for (auto task = under_way.items().rbegin(); task != under_way.items().rend(); ++task)
    stock_.put_back(*task);
  stock_.part_with({child.id, child.epoch});
}

void Downstream::check(Env& env) {
  std::vector<Child> dead;
  for (const Child& child : children_.list())
    if (env.now() - child.last_heard > home_.options.timeout) dead.push_back(child);
  for (const Child& child : dead) {
    children_.remove(child.id);
    lose(env, child, "dead child");
  }
  for (const Child& child : departures_.expire(env.now(), home_.options.timeout))
    lose(env, child, "dead child");
}

// Tasks of the child, and tasks under way to it, are handed out again.
void Downstream::lose(Env& env, const Child& child, std::string_view reason) {
  stock_.recall(env, {child.id, child.epoch}, reason);
  const bool came = child.epoch > 0 || child.after != Child::adoption;  // or did not answer a Clone
  if (came && reason == "dead child") missing_.add(child.id);
}

void Downstream::dissolve(Env& env) const {
  for (const Child& child : children_.list())
    if (child.epoch > 0) env.send(child.id, Stranger{lineage_.root(), child.epoch});
}

}  // namespace rhizome::agents::grid
