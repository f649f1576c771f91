#include "core/engine/allotment.hpp"

#include <sched.h>

#include <numeric>

namespace rhizome::core {

namespace {

std::vector<int> processors_of_this_process() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return {};
  std::vector<int> list;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &set)) list.push_back(i);
  return list;
}

}  // namespace

Allotment::Allotment(const std::vector<ProcessorGroup>& groups)
    : Allotment(groups, groups.empty() ? std::vector<int>{} : processors_of_this_process()) {}

Allotment::Allotment(const std::vector<ProcessorGroup>& groups,
                     const std::vector<int>& processors) {
  const std::size_t wanted =
      std::accumulate(groups.begin(), groups.end(), std::size_t{0},
                      [](std::size_t sum, const ProcessorGroup& each) { return sum + each.cores; });
  if (groups.empty() || wanted > processors.size()) return;
  auto next = processors.begin();
  for (const ProcessorGroup& group : groups) {
    for (const PeerId peer : group.peers) groups_[peer] = own_.size();
    own_.emplace_back(next, next + group.cores);
    next += group.cores;
  }
  rest_.assign(next, processors.end());
  if (rest_.empty()) rest_ = processors;
}

std::optional<std::size_t> Allotment::group_of(PeerId peer) const {
  const auto found = groups_.find(peer);
  if (found == groups_.end()) return {};
  return found->second;
}

// A system that refuses leaves the thread where it was: slower at worst.
void Allotment::bind_to(PeerId peer) const {
  if (groups_.empty()) return;
  const auto group = group_of(peer);
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : group ? own_[*group] : rest_) CPU_SET(processor, &set);
  sched_setaffinity(0, sizeof set, &set);
}

}  // namespace rhizome::core
