#include "agents/organic_grid/tree/children.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace rhizome::agents::grid {

Child* Children::find(PeerId id) {
  for (Child& child : list_)
    if (child.id == id) return &child;
  return nullptr;
}

const Child* Children::find(PeerId id) const {
  const auto found =
      std::find_if(list_.begin(), list_.end(), [id](const Child& child) { return child.id == id; });
  return found == list_.end() ? nullptr : &*found;
}

bool Children::has(PeerId id) const { return find(id) != nullptr; }

std::size_t Children::worth(std::size_t backlog) const {
  const std::size_t least = options_.max_children;
  return std::clamp(backlog / options_.full_window(), least,
                    std::max<std::size_t>(options_.widest, least));
}

// A tree that follows the load takes on trial as many as it is worth, for newcomers come all at
// once.
bool Children::room(std::size_t backlog) const {
  const auto trial =
      std::count_if(list_.begin(), list_.end(), [](const Child& child) { return !child.active; });
  const std::size_t active = worth(backlog);
  const std::size_t potential = options_.widest == 0
                                    ? options_.max_potential
                                    : std::max<std::size_t>(options_.max_potential, active);
  return static_cast<std::size_t>(trial) < potential && list_.size() < active + potential;
}

Child& Children::add(PeerId id, Time now) {
  Child* child = find(id);
  if (child == nullptr) child = &list_.emplace_back();
  *child = Child{.id = id, .last_heard = now, .last_burst = now};
  return *child;
}

double Children::metric(const Child& child) {
  if (child.paces.empty()) return std::numeric_limits<double>::infinity();
  return std::accumulate(child.paces.begin(), child.paces.end(), 0.0) /
         static_cast<double>(child.paces.size());
}

// What one burst says of its sender, if anything.
std::optional<double> Children::pace_of(const Child& child, std::span<const Result> results,
                                        Time now) const {
  if (options_.metric == ChildMetric::bursts) {
    if (child.bursts == 0) return {};  // the first interval contains the join
    return core::seconds(now - child.last_burst) / static_cast<double>(results.size());
  }
  double sum = 0;
  std::size_t own = 0;
  for (const Result& result : results)
    if (result.executor == child.id) {
      sum += result.pace;
      ++own;
    }
  if (own == 0) return {};
  return sum / static_cast<double>(own);
}

void Children::count_burst(Child& child, std::span<const Result> results, Time now) {
  if (const auto pace = pace_of(child, results, now)) child.paces.push_back(*pace);
  if (child.paces.size() > options_.metric_window) child.paces.pop_front();
  ++child.bursts;
  child.last_burst = now;
  if (full(child)) child.active = true;
}

const Child* Children::best() const {
  const Child* found = nullptr;
  for (const Child& child : list_)
    if (full(child) && (found == nullptr || metric(child) < metric(*found))) found = &child;
  return found;
}

std::optional<PeerId> Children::surplus() const {
  const Child* slowest = nullptr;
  std::size_t active = 0;
  for (const Child& child : list_) {
    if (!child.active) continue;
    ++active;
    if (slowest == nullptr || metric(child) > metric(*slowest)) slowest = &child;
  }
  // No child is sent away because the backlog shrinks: that would only move work at the end.
  if (active <= std::max(options_.max_children, options_.widest)) return {};
  return slowest->id;
}

std::vector<PeerId> Children::others(PeerId id) const {
  std::vector<const Child*> ranked;
  for (const Child& child : list_)
    if (child.id != id) ranked.push_back(&child);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Child* a, const Child* b) { return metric(*a) > metric(*b); });
  std::vector<PeerId> ids;
  for (const Child* child : ranked) ids.push_back(child->id);
  return ids;
}

std::uint64_t Children::deficits() const {
  std::uint64_t total = 0;
  for (const Child& child : list_) total += child.deficit();
  return total;
}

void Children::make_former(PeerId id, Time now) {
  remove(id);
  std::erase_if(former_, [&](const Former& f) {
    return f.id == id || f.results <= results_ || f.until <= now;
  });
  if (options_.max_former == 0) return;
  const std::uint64_t results = std::uint64_t{options_.former_windows} * options_.full_window();
  former_.push_back({id, results_ + results, now + options_.former_windows * options_.timeout});
  if (former_.size() > options_.max_former) former_.pop_front();
}

bool Children::is_former(PeerId id, Time now) const {
  return std::any_of(former_.begin(), former_.end(), [&](const Former& f) {
    return f.id == id && f.results > results_ && f.until > now;
  });
}

std::vector<PeerId> Children::all() const {
  std::vector<PeerId> ids;
  for (const Child& child : list_) ids.push_back(child.id);
  for (const Former& former : former_) ids.push_back(former.id);
  return ids;
}

}  // namespace rhizome::agents::grid
