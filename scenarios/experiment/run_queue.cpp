#include "scenarios/experiment/run_queue.hpp"

#include <algorithm>

namespace rhizome::scenarios {

namespace {

constexpr int patience = 3;  // times the longest run

}  // namespace

std::optional<std::size_t> RunQueue::next(Who who, RealTime now) {
  std::optional<std::size_t> chosen;
  for (const std::size_t run : returned_)
    if (!chosen && may_have(who, run)) chosen = run;
  if (chosen)
    returned_.erase(*chosen);
  else if (next_ < runs_.size() && may_have(who, next_))
    chosen = next_++;
  else
    chosen = overdue(who, now);
  if (chosen) runs_[*chosen].holders.push_back({who, now});
  return chosen;
}

// The overdue run to hand out again: all runs awaited at the end are within the allowed lead.
std::optional<std::size_t> RunQueue::overdue(Who who, RealTime now) const {
  if (done_ == 0) return {};
  for (std::size_t i = awaited_; i < runs_.size() && may_have(who, i); ++i) {
    const Run& run = runs_[i];
    const bool late = std::ranges::all_of(run.holders, [&](const Holder& held) {
      return held.who != who && now - held.since > patience * longest_;
    });
    if (!run.done && !run.holders.empty() && late) return i;
  }
  return {};
}

bool RunQueue::done(std::size_t i, Who who, RealTime now) {
  Run& run = runs_[i];
  for (const Holder& holder : run.holders)
    if (holder.who == who) longest_ = std::max(longest_, now - holder.since);
  drop(i, who);
  returned_.erase(i);
  if (run.done) return false;
  run.done = true;
  ++done_;
  return true;
}

void RunQueue::failed(std::size_t i, Who who) {
  runs_[i].only_here = true;
  drop(i, who);
}

std::size_t RunQueue::lost(Who who) {
  std::size_t again = 0;
  for (std::size_t i = 0; i < next_; ++i) again += drop(i, who) ? 1 : 0;
  return again;
}

bool RunQueue::drop(std::size_t i, Who who) {
  Run& run = runs_[i];
  const auto gone =
      std::erase_if(run.holders, [&](const Holder& holder) { return holder.who == who; });
  const bool again = gone > 0 && run.holders.empty() && !run.done;
  if (again) returned_.insert(i);
  return again;
}

}  // namespace rhizome::scenarios
