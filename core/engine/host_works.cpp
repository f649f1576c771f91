#include "core/engine/host_works.hpp"

#include <algorithm>
#include <cmath>

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

std::optional<WorkDone> HostWorks::end(Time now, const HostEvent& event, const Result* result) {
  const auto active = find(event.work());
  if (active == works_.end()) return {};
  if (result == nullptr && active->turn != event.id.generation) return {};
  const ActiveWork ended = *active;
  shared_anew_ = ended.shares();
  erase(active);
  return WorkDone{.id = ended.id,
                  .took = now - ended.started,
                  .served = ended.served + at_rate(now - ended.since, ended.speed()),
                  .result = result != nullptr
                                ? *result
                                : result_of(commons_.setup.kinds, ended.work, commons_.stop)};
}

void HostWorks::erase(std::vector<ActiveWork>::iterator active) {
  const std::int32_t pieces = active->crowds() ? -1 : 0;
  works_.erase(active);
  crowd(pieces);
  show();
}

void HostWorks::begin(Time now, WorkId id, Work work) {
  works_.push_back({.id = id, .work = std::move(work), .started = now});
  show();
  ActiveWork& active = works_.back();
  active.real = backend_.begin(id_, life_, id, active.work);
  if (active.real) {
    if (witness_ != nullptr) witness_->really();
    return;
  }
  const bool changed = commons_.crowd.has(id_) && join_crowd(1);
  active.share = share_of_processor();
  arm_end(active, now);
  if (changed) backend_.crowded(commons_.crowd.with(id_));
}

void HostWorks::stop(WorkId id) {
  const auto found = find(id);
  if (found == works_.end()) return;
  abandon(*found);
  shared_anew_ = shared_anew_ || found->shares();
  erase(found);
}

void HostWorks::abandon() {
  std::int32_t pieces = 0;
  for (const ActiveWork& active : works_) {
    abandon(active);
    pieces += active.crowds() ? 1 : 0;
  }
  works_.clear();
  crowd(-pieces);
  show();
}

void HostWorks::abandon(const ActiveWork& active) {
  if (active.real) backend_.abandon(id_, life_, active.id);
}

void HostWorks::show() { vitals_.running.set(static_cast<std::uint32_t>(works_.size())); }

bool HostWorks::awaits(const HostEvent& event) const {
  return std::any_of(works_.begin(), works_.end(), [&event](const ActiveWork& active) {
    return active.id == event.work() && active.turn == event.id.generation;
  });
}

// The end armed for the former rate still comes, and is ignored. Of works that share a processor
// only one can end next; the others are paced anew before they end.
void HostWorks::pace(Time now, WorkId id, double rate) {
  const auto active = find(id);
  if (active == works_.end() || active->rate == rate) return;
  account(*active, now);
  const bool crowded = active->crowds();
  active->rate = rate;
  ++active->turn;
  if (active->real)
    backend_.pace(id_, life_, id, rate);
  else if (rate == 1)
    arm_end(*active, now);
  shared_anew_ = shared_anew_ || active->shares();
  crowd((active->crowds() ? 1 : 0) - (crowded ? 1 : 0));
}

void HostWorks::account(ActiveWork& active, Time now) {
  active.served += at_rate(now - std::exchange(active.since, now), active.speed());
}

// Changes the number of pieces of work that want shared processors.
void HostWorks::crowd(std::int32_t pieces) {
  if (pieces == 0 || !commons_.crowd.has(id_)) return;
  if (join_crowd(pieces)) backend_.crowded(commons_.crowd.with(id_));
}

bool HostWorks::join_crowd(std::int32_t pieces) {
  const bool changed = commons_.crowd.add(id_, pieces);
  return witness_ == nullptr ? changed : witness_->sees_change(changed);
}

double HostWorks::share_of_processor() {
  const double share = commons_.crowd.share(id_);
  return witness_ == nullptr || !commons_.crowd.has(id_) ? share : witness_->sees_share(share);
}

void HostWorks::adapt(Time now) {
  const double share = share_of_processor();
  for (ActiveWork& active : works_) {
    if (active.real || active.share == share) continue;
    account(active, now);
    active.share = share;
    ++active.turn;
    if (active.rate == 1) arm_end(active, now);
    shared_anew_ = shared_anew_ || active.shares();
  }
  settle(now);
}

auto HostWorks::find(WorkId id) -> std::vector<ActiveWork>::iterator {
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

// Arms the first end of all works that share. Arming each of them would be in vain, since all but
// the first are paced anew.
void HostWorks::arm_first_end(Time now) {
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

void HostWorks::arm_end(const ActiveWork& active, Time now) {
  const Duration left = active.work.duration - active.served;
  backend_.arm(id_, now + until_served(left, active.speed()),
               HostEvent::end_of(life_, active.id, active.turn));
}

}  // namespace rhizome::core
