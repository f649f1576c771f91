#include "agents/server.hpp"

#include <algorithm>

namespace rhizome::agents {

Resources Server::free() const {
  Resources used{0, 0};
  for (const ResidentTask* resident : served_) used = used + resources_of(resident->task);
  for (const auto& [key, place] : reserved_) used = used + place.needs;
  return {used.cpus < capacity_.slots ? capacity_.slots - used.cpus : 0,
          capacity_.memory - used.memory, capacity_.named - used.named};
}

bool Server::would_serve(const Task& task, core::Time now, std::size_t most) const {
  const core::Duration own = rank(task);
  if (!waiting_.empty() && waiting_.begin()->first.first <= own) return false;
  if (divides() && held_.size() >= most) return false;
  const bool yields = discipline_->rule == Rule::interrupts;
  Resources needed = resources_of(task);
  bool alone = true;
  const auto stays = [&](core::Duration other, const Resources& needs) {
    if (yields && other > own) return;
    needed = needed + needs;
    alone = false;
  };
  for (const ResidentTask* resident : served_)
    stays(rank_of_served(*resident, now), resources_of(resident->task));
  for (const auto& [key, place] : reserved_) stays(place.rank, place.needs);
  return alone || has_room_for(needed);
}

core::Duration Server::attained(const ResidentTask& resident, core::Time now) const {
  return service_time(resident.task, capacity_.speed) - resident.left +
         core::Duration(std::llround(nanoseconds(now - resident.since) * resident.rate));
}

core::Duration Server::unfinished(core::Time now) const {
  double work = waiting_work_ + rounded_;
  for (const ResidentTask* resident : served_)
    if (const double rest = rest_of(*resident, now); rest > 0 || is_rounding(rest))
      work += rest * resident->task.cpus;
  const double most = nanoseconds(longest_time);
  return core::Duration(std::llround(std::clamp(work / capacity_.slots, 0.0, most)));
}

void Server::wait(ResidentTask& resident) {
  waiting_.emplace(Place{discipline_->rank(resident), resident.number}, &resident);
  waiting_work_ += work_of_waiting(resident);
}

ResidentTask* Server::take(Place place) {
  ResidentTask* resident = waiting_.extract(place).mapped();
  waiting_work_ = waiting_.empty() ? 0 : waiting_work_ - work_of_waiting(*resident);
  return resident;
}

bool Server::has_room_for(const Resources& needs) const {
  return (divides() ? needs.without_cpus() : needs).within(capacity_.room());
}

core::Duration Server::rank_of_served(const ResidentTask& resident, core::Time now) const {
  if (discipline_->rule != Rule::interrupts) return {};
  return discipline_->rank(
      {.task = {.level = resident.task.level}, .expected = rest_of(resident, now)});
}

bool Server::fits_beside(const ResidentTask& resident,
                         std::span<ResidentTask* const> others) const {
  if (others.empty()) return true;
  Resources needed = resources_of(resident.task);
  for (const ResidentTask* other : others) needed = needed + resources_of(other->task);
  return has_room_for(needed);
}

// The tasks that come last by rank are interrupted first.
std::vector<ResidentTask*> Server::in_its_way(core::Time now) {
  if (discipline_->rule != Rule::interrupts) return {};
  const auto [place, next] = *waiting_.begin();
  for (ResidentTask* resident : served_) account(*resident, now);
  std::vector<ResidentTask*> others = served_;
  std::stable_sort(others.begin(), others.end(),
                   [&](auto* a, auto* b) { return discipline_->rank(*a) < discipline_->rank(*b); });
  std::vector<ResidentTask*> interrupted;
  while (!fits_beside(*next, others)) {
    if (discipline_->rank(*others.back()) <= place.first) return {};
    interrupted.push_back(others.back());
    others.pop_back();
  }
  return interrupted;
}

void Server::account(ResidentTask& resident, core::Time now) {
  const auto passed = nanoseconds(now - std::exchange(resident.since, now));
  resident.left -= core::Duration(std::llround(passed * resident.rate));
  resident.expected -= passed * resident.rate;
}

double Server::work_of_waiting(const ResidentTask& resident) {
  return nanoseconds(resident.need()) * resident.task.cpus;
}

}  // namespace rhizome::agents
