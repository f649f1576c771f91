#include "agents/central/books.hpp"

#include <algorithm>

namespace rhizome::agents::central {

std::size_t ModelQueue::waiting() const {
  std::size_t tasks = fresh_.size();
  for (const Batch& batch : returned_) tasks += batch.tasks.size();
  return tasks;
}

Batch ModelQueue::next() {
  Batch batch;
  if (!returned_.empty()) {
    batch = std::move(returned_.front());
    returned_.pop_front();
    batch.recalled = batch.got = false;
    return batch;
  }
  const std::uint32_t job = fresh_.front().id.job;
  while (!fresh_.empty() && fresh_.front().id.job == job && batch.tasks.size() < model_.batch) {
    batch.tasks.push_back(std::move(fresh_.front()));
    fresh_.pop_front();
  }
  return batch;
}

void ModelQueue::list(std::vector<Task>& into) const {
  for (const Batch& batch : returned_)
    into.insert(into.end(), batch.tasks.begin(), batch.tasks.end());
  into.insert(into.end(), fresh_.begin(), fresh_.end());
}

double ModelQueue::rate(double speed) const {
  const double expected =
      (core::seconds(model_.load) + model_.batch * core::seconds(model_.query)) / speed;
  const double mean = measured_.batches == 0
                          ? expected
                          : core::seconds(measured_.total) / static_cast<double>(measured_.batches);
  constexpr double least = 1e-9;
  return model_.batch / std::max(mean, least);
}

void Copy::apply(const Relay& part) {
  if (!part.whole) {
    change(now_, part);
    return;
  }
  change(coming_, part);
  if (!part.last) return;
  now_ = std::move(coming_);
  coming_ = {};
  valid_ = true;
}

void Copy::change(State& state, const Relay& part) {
  state.hands.insert(part.hands.begin(), part.hands.end());
  for (const Task& task : part.added) {
    if (!state.order.emplace(task.id, state.count).second) continue;
    state.tasks.emplace(state.count++, task);
  }
  for (const TaskId task : part.done)
    if (auto place = state.order.extract(task)) state.tasks.erase(place.mapped());
  if (!part.measured.empty()) state.measured = part.measured;
}

std::vector<Task> Copy::undone() const {
  std::vector<Task> list;
  list.reserve(now_.tasks.size());
  for (const auto& [order, task] : now_.tasks) list.push_back(task);
  return list;
}

std::vector<Relay> in_parts(Epoch epoch, const std::vector<Task>& undone,
                            const std::set<std::uint32_t>& hands,
                            const std::vector<Measure>& measured) {
  std::vector<Relay> parts;
  std::size_t sent = 0;
  do {
    Relay part{};
    part.epoch = epoch;
    part.number = static_cast<std::uint32_t>(parts.size() + 1);
    part.whole = true;
    const std::size_t end = std::min(undone.size(), sent + most_tasks);
    part.added.assign(undone.begin() + static_cast<std::ptrdiff_t>(sent),
                      undone.begin() + static_cast<std::ptrdiff_t>(end));
    sent = end;
    parts.push_back(std::move(part));
  } while (sent < undone.size());
  parts.front().hands.assign(hands.begin(), hands.end());
  parts.front().measured = measured;
  parts.back().last = true;
  return parts;
}

}  // namespace rhizome::agents::central
