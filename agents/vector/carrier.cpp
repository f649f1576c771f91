#include "agents/vector/carrier.hpp"

#include <algorithm>
#include <utility>

namespace rhizome::agents::vectors {

namespace {

// A packet goes when the files of all its tasks are here.
bool needs_files(const Task& task) {
  const core::Cargo* cargo = task.recipe.cargo();
  return cargo != nullptr && !cargo->inputs.empty();
}

}  // namespace

// The file stager says when a packet that waited for files has gone.
void Carrier::arm(Env& env, std::uint64_t number, Parcel& parcel) const {
  if (std::none_of(parcel.tasks.begin(), parcel.tasks.end(), needs_files))
    parcel.repeat = env.after(backoff_.wait(parcel.tries - 1), RepeatDue{number});
}

void Carrier::gone(Env& env, const files::CargoGone& cargo) {
  const auto is_meant = [&cargo](const Task& task) {
    return needs_files(task) && task.recipe.cargo()->subject == cargo.subject;
  };
  for (auto& [number, parcel] : parcels_) {
    if (parcel.to != cargo.to || std::none_of(parcel.tasks.begin(), parcel.tasks.end(), is_meant))
      continue;
    env.cancel(parcel.repeat);
    if (parcel.tries == 1) parcel.gone = env.now();
    parcel.repeat = env.after(backoff_.wait(parcel.tries - 1), RepeatDue{number});
  }
}

Transfer Carrier::transfer(Env& env, std::uint64_t number, const std::vector<Task>& tasks) const {
  return {.life = env.incarnation().value,
          .number = number,
          .oldest = parcels_.empty() ? number : std::min(number, parcels_.begin()->first),
          .tasks = tasks};
}

std::uint64_t Carrier::send(Env& env, PeerId to, std::vector<Task> tasks) {
  const std::uint64_t number = ++last_;
  for (const Task& task : tasks) note_handed(env, task.id, to);
  env.send(to, transfer(env, number, tasks));
  if (!recovers_) return number;
  Parcel& parcel =
      parcels_.emplace(number, Parcel{.to = to, .tasks = std::move(tasks), .gone = env.now()})
          .first->second;
  arm(env, number, parcel);
  return number;
}

// A transfer that its sender gave up may come late, and is refused once that is known.
bool Carrier::receive(Env& env, PeerId from, const Transfer& transfer) {
  if (!recovers_) return true;
  Inbox& inbox = inboxes_[from];
  if (transfer.life < inbox.life) return false;
  if (transfer.life > inbox.life) inbox = {.life = transfer.life};
  env.send(from, Taken{transfer.number});
  if (transfer.oldest > inbox.oldest) {
    inbox.oldest = transfer.oldest;
    inbox.numbers.erase(inbox.numbers.begin(), inbox.numbers.lower_bound(inbox.oldest));
  }
  return transfer.number >= inbox.oldest && inbox.numbers.insert(transfer.number).second;
}

void Carrier::on(Env& env, PeerId from, const Taken& taken) {
  const auto parcel = parcels_.find(taken.number);
  if (parcel == parcels_.end() || parcel->second.to != from) return;
  if (parcel->second.tries == 1) backoff_.answered(env.now() - parcel->second.gone);
  env.cancel(parcel->second.repeat);
  parcels_.erase(parcel);
}

std::optional<Carrier::Undelivered> Carrier::on(Env& env, const RepeatDue& due) {
  const auto found = parcels_.find(due.number);
  if (found == parcels_.end()) return {};
  Parcel& parcel = found->second;
  if (parcel.tries++ < most_tries) {
    env.send(parcel.to, transfer(env, due.number, parcel.tasks), Cause::recovery);
    arm(env, due.number, parcel);
    return {};
  }
  Undelivered undelivered{parcel.to, std::move(parcel.tasks)};
  parcels_.erase(found);
  return undelivered;
}

void Carrier::stop(Env& env) {
  for (const auto& [number, parcel] : parcels_) env.cancel(parcel.repeat);
  parcels_.clear();
}

}  // namespace rhizome::agents::vectors
