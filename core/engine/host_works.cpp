// The works of a host: how they begin, are paced and stopped, and when the next of them ends.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/engine/host.hpp"

namespace rhizome::core {

namespace {

// The service that a time is worth at a rate.
Duration at_rate(Duration time, double rate) {
  return rate == 1 ? time : Duration(std::llround(static_cast<double>(time.count()) * rate));
}

// The time that a service takes at a rate.
Duration until_served(Duration service, double rate) {
  return rate == 1 ? service : Duration(std::llround(static_cast<double>(service.count()) / rate));
}

}  // namespace

void Host::conclude(Time now, std::vector<ActiveWork>::iterator active, Result result) {
  const ActiveWork ended = std::move(*active);
  shared_anew_ = ended.shares();
  works_.erase(active);
  crowd(ended.crowds() ? -1 : 0);
  show_works();
  vitals().events.add(1);
  effects_.clear();
  peer_->complete(now,
                  {.id = ended.id,
                   .took = now - ended.started,
                   .served = ended.served + at_rate(now - ended.since, ended.speed()),
                   .result = std::move(result)},
                  effects_);
  perform(now);
}

void Host::perform(Time now, const StartWork& start) {
  works_.push_back({.id = start.id, .work = effects_.work(start), .started = now});
  show_works();
  ActiveWork& active = works_.back();
  active.real = backend_.begin(id_, life_, start.id, active.work);
  if (active.real) {
    if (witness_ != nullptr) witness_->really();
    return;
  }
  const bool changed = commons_.crowd.has(id_) && join_crowd(1);
  active.share = share_of_processor();
  arm_end(active, now);
  if (changed) backend_.crowded(commons_.crowd.with(id_));
}

void Host::perform(Time, const StopWork& stop) {
  const auto found = find(stop.id);
  if (found == works_.end()) return;
  abandon(*found);
  const std::int32_t pieces = found->crowds() ? -1 : 0;
  shared_anew_ = shared_anew_ || found->shares();
  works_.erase(found);
  crowd(pieces);
  show_works();
}

// The end that was foreseen at the former rate comes and finds another turn. Of works that share a
// processor only one can end next; the others will have been paced anew by then.
void Host::perform(Time now, const PaceWork& pace) {
  const auto active = find(pace.id);
  if (active == works_.end() || active->rate == pace.rate) return;
  account(*active, now);
  const bool crowded = active->crowds();
  active->rate = pace.rate;
  ++active->turn;
  if (active->real)
    backend_.pace(id_, life_, pace.id, pace.rate);
  else if (pace.rate == 1)
    arm_end(*active, now);
  shared_anew_ = shared_anew_ || active->shares();
  crowd((active->crowds() ? 1 : 0) - (crowded ? 1 : 0));
}

void Host::account(ActiveWork& active, Time now) {
  active.served += at_rate(now - std::exchange(active.since, now), active.speed());
}

// So many pieces of work more, or fewer, want processors that others want too.
void Host::crowd(std::int32_t pieces) {
  if (pieces == 0 || !commons_.crowd.has(id_)) return;
  if (join_crowd(pieces)) backend_.crowded(commons_.crowd.with(id_));
}

bool Host::join_crowd(std::int32_t pieces) {
  const bool changed = commons_.crowd.add(id_, pieces);
  return witness_ == nullptr ? changed : witness_->sees_change(changed);
}

double Host::share_of_processor() {
  const double share = commons_.crowd.share(id_);
  return witness_ == nullptr || !commons_.crowd.has(id_) ? share : witness_->sees_share(share);
}

void Host::adapt(Time now) {
  const double share = share_of_processor();
  for (ActiveWork& active : works_) {
    if (active.real || active.share == share) continue;
    account(active, now);
    active.share = share;
    ++active.turn;
    if (active.rate == 1) arm_end(active, now);
    shared_anew_ = shared_anew_ || active.shares();
  }
  if (std::exchange(shared_anew_, false)) arm_first_end(now);
}

auto Host::find(WorkId id) -> std::vector<ActiveWork>::iterator {
  const auto hinted = works_.begin() + static_cast<std::ptrdiff_t>(std::min(hint_, works_.size()));
  const auto is_it = [id](const ActiveWork& active) { return active.id == id; };
  auto found = std::find_if(hinted, works_.end(), is_it);
  if (found == works_.end()) {
    found = std::find_if(works_.begin(), hinted, is_it);
    if (found == hinted) return works_.end();
  }
  hint_ = static_cast<std::size_t>(found - works_.begin()) + 1;
  return found;
}

// Once for all works that share: of the many that were paced together, each would be armed in vain
// but one.
void Host::arm_first_end(Time now) {
  const ActiveWork* first = nullptr;
  Duration least = Duration::max();
  for (const ActiveWork& active : works_) {
    if (!active.shares()) continue;
    const Duration passed = now - active.since;
    const Duration end =
        until_served(active.work.duration - active.served, active.speed()) - passed;
    if (end >= least) continue;
    least = end;
    first = &active;
  }
  if (first != nullptr)
    backend_.arm(id_, now + least, HostEvent::end_of(life_, first->id, first->turn));
}

void Host::arm_end(const ActiveWork& active, Time now) {
  const Duration left = active.work.duration - active.served;
  backend_.arm(id_, now + until_served(left, active.speed()),
               HostEvent::end_of(life_, active.id, active.turn));
}

}  // namespace rhizome::core
