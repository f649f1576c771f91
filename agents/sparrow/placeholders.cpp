#include "agents/sparrow/placeholders.hpp"

#include <algorithm>

#include "core/peer/spare.hpp"

namespace rhizome::agents::sparrow {

bool Placeholders::deposited(Spot spot, const Outstanding& outstanding) {
  // The worker's question may have come first.
  if (const auto found = answers_.find(spot); found != answers_.end())
    return !std::exchange(found->second.told, true);
  if (!all_.emplace(spot, outstanding).second) return false;
  ++standing_[group(outstanding.task)];
  if (spot.first != self_) detector_.watch(spot.first, life_of(spot.second));
  return true;
}

const Placeholders::Outstanding* Placeholders::find(Spot spot) const {
  const auto found = all_.find(spot);
  return found == all_.end() ? nullptr : &found->second;
}

const Placeholders::Answer* Placeholders::answer(Spot spot) const {
  const auto found = answers_.find(spot);
  return found == answers_.end() ? nullptr : &found->second;
}

// The placeholder has left its queue.
void Placeholders::answered(Spot spot, std::optional<TaskId> task, core::Time now) {
  const auto found = all_.find(spot);
  answers_[spot] = {task, now, found != all_.end()};
  if (found == all_.end()) return;
  erase(found);
  core::release_spare(all_);
}

void Placeholders::forget(Spot spot) {
  if (const auto found = all_.find(spot); found != all_.end()) erase(found);
}

auto Placeholders::erase(All::iterator found) -> All::iterator {
  const auto count = standing_.find(group(found->second.task));
  if (--count->second == 0) standing_.erase(count);
  detector_.unwatch(found->first.first);
  return all_.erase(found);
}

void Placeholders::forget_answers_before(core::Time time) {
  std::erase_if(answers_, [time](const auto& item) { return item.second.at < time; });
}

void Placeholders::bury(PeerId executor) {
  auto item = all_.lower_bound({executor, 0});
  while (item != all_.end() && item->first.first == executor) item = erase(item);
}

std::size_t Placeholders::standing(std::uint32_t group) const {
  const auto found = standing_.find(group);
  return found == standing_.end() ? 0 : found->second;
}

bool Placeholders::fits(std::uint32_t group, const Resources& needs) const {
  return std::any_of(all_.begin(), all_.end(), [&](const auto& item) {
    return this->group(item.second.task) == group && needs.within(item.second.needs);
  });
}

std::vector<Spot> Placeholders::of(std::uint32_t group) const {
  std::vector<Spot> found;
  for (const auto& [spot, outstanding] : all_)
    if (this->group(outstanding.task) == group) found.push_back(spot);
  return found;
}

}  // namespace rhizome::agents::sparrow
