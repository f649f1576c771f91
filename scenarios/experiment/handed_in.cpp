#include "scenarios/experiment/handed_in.hpp"

#include <algorithm>
#include <utility>

namespace rhizome::scenarios {

using agents::Job;
using core::PeerId;
using core::Time;

HandedIn::HandedIn(std::unique_ptr<agents::Arrivals> arrivals, agents::Entries entries,
                   const std::vector<core::Fault>& faults, bool open,
                   std::function<void(const Job&)> taken)
    : arrivals_(std::move(arrivals)),
      entries_(std::move(entries)),
      live_(arrivals_->awaits()),
      told_(std::move(taken)),
      closed_(open) {
  for (const core::Fault& fault : faults)
    if (fault.kind == core::Fault::Kind::join) joins_.emplace(fault.peer, fault.at);
  take({});
}

void HandedIn::take(Time now) {
  coming_ = arrivals_->next();
  if (!coming_ || !live_) return;
  coming_->arrival = std::max(now, last_);
  if (told_) told_(*coming_);
}

// Inputs put off until a peer joins wait in `ready_` while later jobs are read.
std::optional<core::Input> HandedIn::next(Time now) {
  if (!coming_ && arrivals_->awaits()) take(now);
  while (coming_ && (ready_.empty() || coming_->arrival <= ready_.begin()->first)) {
    last_ = std::max(last_, coming_->arrival);
    hand_in(*coming_);
    take(now);
  }
  if (!coming_ && !arrivals_->awaits() && !std::exchange(closed_, true))
    close(live_ ? std::max(now, last_) : last_);
  if (ready_.empty()) return {};
  return std::move(ready_.extract(ready_.begin()).mapped());
}

Time HandedIn::taken(PeerId peer, Time at) const {
  const auto join = joins_.find(peer);
  return join == joins_.end() ? at : std::max(at, join->second);
}

namespace {

// Whether the tasks of the job arrive at different times.
bool trickles(const Job& job) {
  return std::ranges::any_of(
      job.portions, [](const agents::Task& task) { return task.after > core::Duration::zero(); });
}

}  // namespace

void HandedIn::hand_in(const Job& job) {
  if ((entries_.by_task || trickles(job)) && !job.portions.empty()) {
    hand_in_parts(job);
  } else {
    hand_in(entries_.of({job.id, 0}), job, true);
  }
}

// Splits a job into the parts that one peer gets at one time. A task is handed in when it arrives,
// but not before a plan releases it.
void HandedIn::hand_in_parts(const Job& job) {
  std::map<std::pair<Time, PeerId>, std::pair<agents::Entry, Job>> parts;
  const agents::TaskId first{job.id, 0};
  for (const agents::Task& task : job.portions) {
    const agents::Entry entry = entries_.of(entries_.by_task ? task.id : first);
    const Time at = std::max(job.arrival + task.after, entry.from);
    auto& [to, part] =
        parts.try_emplace({at, entry.at}, entry, Job{.id = job.id, .arrival = at, .portions = {}})
            .first->second;
    part.portions.push_back(task);
    last_ = std::max(last_, at);
  }
  for (const auto& [place, part] : parts) hand_in(part.first, part.second, parts.size() == 1);
}

// A job that is handed in at a peer before that peer joins is lost; its keeper is told of it all
// the same and answers for it.
void HandedIn::hand_in(const agents::Entry& entry, Job part, bool whole) {
  const Time at = taken(entry.keeper, part.arrival);
  if (entry.at != entry.keeper) add(at, entry.keeper, agents::JobAnnounced{part, entry.at});
  if (taken(entry.at, at) == at)
    add(at, entry.at, agents::JobArrives{std::move(part), whole, entry.keeper});
}

void HandedIn::close(Time last) {
  for (const PeerId keeper : entries_.keepers)
    add(taken(keeper, last), keeper, agents::NoMoreJobs{});
}

}  // namespace rhizome::scenarios
