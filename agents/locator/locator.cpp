#include "agents/locator/locator.hpp"

#include <algorithm>
#include <iterator>

#include "agents/backoff.hpp"

namespace rhizome::agents::locator {

namespace {

// A peer that never answers is gone. In so many rounds a message is repeated twenty times.
constexpr std::uint32_t most_removals = 136;

// For a caller that knows no epoch: later than all other epochs.
constexpr Epoch last_epoch = ~Epoch{0};
constexpr TaskId last_task{~std::uint32_t{0}, ~std::uint32_t{0}};

}  // namespace

Locator::Locator(PeerId self, const Options& options, std::uint32_t peers, PeerId home)
    : self_(self), options_(options), peers_(peers), finder_(make_finder(options, peers, home)) {}

void Locator::place(Mobile mobile, LocatorEffects& out) {
  for (const Neighbour& each : mobile.successors)
    out.notes.emplace_back(
        DatumPromised{each.task, mobile.task.id, each.at.peer, each.at.version, each.bytes});
  for (const Neighbour& each : mobile.met)
    out.notes.emplace_back(DatumTakenAlong{mobile.task.id, each.task, mobile.epoch});
  install(std::move(mobile), out);
  settle(out);
}

bool Locator::move(TaskId task, PeerId to, LocatorEffects& out) {
  const auto found = places_.find(task);
  if (found == places_.end() || to == self_) return false;
  auto* resident = std::get_if<Resident>(&found->second);
  if (resident == nullptr || resident->started) return false;
  Leaving leaving{.mobile = resident->mobile, .to = to};
  ++leaving.mobile.epoch;
  std::erase(leaving.mobile.visited, self_);
  leaving.mobile.visited.push_back(self_);
  out.sends.push_back({to, Move{leaving.mobile}});
  put(task, std::move(leaving), out);
  return true;
}

void Locator::call_off(TaskId task, LocatorEffects& out) {
  const auto found = places_.find(task);
  auto* leaving = found == places_.end() ? nullptr : std::get_if<Leaving>(&found->second);
  if (leaving == nullptr || leaving->uncertain) return;
  leaving->called_off = true;
  out.sends.push_back({leaving->to, MoveCancel{task, leaving->mobile.epoch}});
}

void Locator::take_back(TaskId task, Epoch epoch, LocatorEffects& out) {
  const Leaving* leaving = find<Leaving>(task);
  if (leaving == nullptr || epoch <= leaving->mobile.epoch) return;
  Mobile mobile = leaving->mobile;
  mobile.epoch = epoch;
  place(std::move(mobile), out);
}

void Locator::start(TaskId task, LocatorEffects& out) {
  const auto found = places_.find(task);
  auto* resident = found == places_.end() ? nullptr : std::get_if<Resident>(&found->second);
  if (resident == nullptr || !resident->mobile.unmet.empty()) return;
  resident->started = true;
  if (sweeps()) sweep(task, resident->mobile.epoch, visited(resident->mobile), out);
}

void Locator::finish(TaskId task, LocatorEffects& out) {
  const Resident* resident = find<Resident>(task);
  if (resident == nullptr || !resident->started) return;
  const std::vector<Neighbour> successors = resident->mobile.successors;
  put(task, Mark{resident->mobile.epoch, true}, out);
  give(task, successors, out);
}

void Locator::give(TaskId from, const std::vector<Neighbour>& successors, LocatorEffects& out) {
  for (const Neighbour& successor : successors) {
    const Errand errand{successor.task, from};
    const auto [item, fresh] =
        errands_.try_emplace(errand, Sought{.at = successor.at, .bytes = successor.bytes});
    if (fresh) seek(errand, item->second, out);
  }
  settle(out);
}

void Locator::over(TaskId task, LocatorEffects& out) {
  if (find<Resident>(task) != nullptr) return;
  put(task, Mark{last_epoch, true}, out);
  errands_.erase(errands_.lower_bound({task, {}}), errands_.upper_bound({task, last_task}));
  release(task, out);
  if (sweeps()) sweep(task, last_epoch, all_peers(), out);
  settle(out);
}

void Locator::conclude(TaskId task, LocatorEffects& out) {
  const auto found = places_.find(task);
  Place* place = found == places_.end() ? nullptr : &found->second;
  if (place != nullptr && std::holds_alternative<Resident>(*place)) return;
  if (place != nullptr && std::holds_alternative<Leaving>(*place)) return;
  errands_.erase(errands_.lower_bound({task, {}}), errands_.upper_bound({task, last_task}));
  if (place != nullptr && std::holds_alternative<Forward>(*place)) {
    std::get<Forward>(*place).over = true;
    return;
  }
  put(task, Mark{known_epoch(task), true}, out);
  release(task, out);
  settle(out);
}

void Locator::drop(TaskId task, LocatorEffects& out) {
  if (const Resident* resident = find<Resident>(task))
    put(task, Mark{resident->mobile.epoch, true}, out);
}

void Locator::close(LocatorEffects& out) {
  errands_.clear();
  removals_.clear();
  for (const auto& [task, waiting] : std::exchange(parked_, {}))
    for (const Parked& each : waiting) note_released(each.what, out);
  for (const auto& [task, place] : places_) {
    const bool under_way = std::holds_alternative<Leaving>(place);
    if (under_way || (std::holds_alternative<Forward>(place) && sweeps()))
      put(task, Mark{known_epoch(task), true}, out);
  }
}

bool Locator::sweeps() const {
  return forwards() && (options_.cleanup == Cleanup::at_start || options_.cleanup == Cleanup::both);
}

void Locator::sweep(TaskId task, Epoch epoch, const std::vector<PeerId>& peers,
                    LocatorEffects& out) {
  Removal removal{.epoch = epoch, .peers = {peers.begin(), peers.end()}};
  removal.peers.erase(self_);
  if (removal.peers.empty()) return;
  for (const PeerId peer : removal.peers) out.sends.push_back({peer, Remove{task, epoch}});
  removals_[task] = std::move(removal);
}

void Locator::repeat(LocatorEffects& out, bool also_fresh) {
  for (const TaskId task : leaving_) {
    auto& leaving = std::get<Leaving>(places_.at(task));
    if (!std::exchange(leaving.fresh, false) || also_fresh) repeat(task, leaving, out);
  }
  for (auto& [errand, sought] : errands_) {
    if (std::exchange(sought.fresh, false) && !also_fresh) continue;
    if (repeats_in_round(++sought.tries)) seek(errand, sought, out);
  }
  repeat_removals(out, also_fresh);
  age_parked(out);
  settle(out);
}

// If the receiver had passed the task on before it crashed, the peer that has it now will say so.
void Locator::repeat(TaskId task, Leaving& leaving, LocatorEffects& out) const {
  if (!repeats_in_round(++leaving.tries)) return;
  if (leaving.uncertain) {
    for (const PeerId peer : all_peers())
      if (peer != self_) out.sends.push_back({peer, Find{{task, task, self_}, true}, true});
  } else if (leaving.called_off) {
    out.sends.push_back({leaving.to, MoveCancel{task, leaving.mobile.epoch}, true});
  } else {
    out.sends.push_back({leaving.to, Move{leaving.mobile}, true});
  }
}

void Locator::repeat_removals(LocatorEffects& out, bool also_fresh) {
  for (auto item = removals_.begin(); item != removals_.end();) {
    auto& [task, removal] = *item;
    if (std::exchange(removal.fresh, false) && !also_fresh) {
      ++item;
      continue;
    }
    if (repeats_in_round(++removal.tries))
      for (const PeerId peer : removal.peers)
        out.sends.push_back({peer, Remove{task, removal.epoch}, true});
    item = removal.tries >= most_removals ? removals_.erase(item) : std::next(item);
  }
}

void Locator::age_parked(LocatorEffects& out) {
  for (auto item = parked_.begin(); item != parked_.end();) {
    auto& [task, waiting] = *item;
    const auto given_up = [&](Parked& each) {
      if (++each.age < options_.park_for) return false;
      note_released(each.what, out);
      return true;
    };
    if (std::erase_if(waiting, given_up) > 0) out.alarms.push_back(task);
    item = waiting.empty() ? parked_.erase(item) : std::next(item);
  }
}

std::vector<PeerId> Locator::all_peers() const {
  std::vector<PeerId> all;
  for (std::uint32_t i = 0; i < peers_; ++i) all.push_back(PeerId{i});
  return all;
}

// Former addresses of a task; none for a lost task, whose way is not known.
std::vector<PeerId> Locator::visited(const Mobile& mobile) const {
  return mobile.epoch >= generation ? all_peers() : mobile.visited;
}

void Locator::lost(PeerId peer) {
  for (auto& [task, place] : places_)
    if (auto* leaving = std::get_if<Leaving>(&place); leaving != nullptr && leaving->to == peer)
      leaving->uncertain = true;
  for (auto& [errand, sought] : errands_)
    if (sought.at.peer == peer) sought.tries = std::max(sought.tries, options_.search_after);
  for (auto item = removals_.begin(); item != removals_.end();) {
    item->second.peers.erase(peer);
    item = item->second.peers.empty() ? removals_.erase(item) : std::next(item);
  }
}

void Locator::on(PeerId from, const Messages& message, LocatorEffects& out) {
  std::visit([&](const auto& said) { handle(from, said, out); }, message);
  settle(out);
}

std::size_t Locator::parked() const {
  std::size_t all = 0;
  for (const auto& [task, waiting] : parked_) all += waiting.size();
  return all;
}

std::size_t Locator::buffered() const {
  std::size_t all = 0;
  for (const auto& [task, place] : places_)
    if (const auto* leaving = std::get_if<Leaving>(&place)) all += leaving->buffer.size();
  return all;
}

bool Locator::quiet() const {
  return errands_.empty() && parked_.empty() && removals_.empty() && leaving_.empty();
}

void Locator::put(TaskId task, Place place, LocatorEffects& out) {
  const auto [item, fresh] = places_.try_emplace(task);
  if (!fresh) end(task, item->second, out);
  item->second = std::move(place);
  begin(task, item->second, out);
}

void Locator::begin(TaskId task, const Place& place, LocatorEffects& out) {
  if (const auto* resident = std::get_if<Resident>(&place)) {
    const auto awaits = static_cast<std::uint32_t>(resident->mobile.unmet.size());
    out.notes.emplace_back(TaskSettled{task, resident->mobile.epoch, awaits});
    index(resident->mobile);
  } else if (const auto* leaving = std::get_if<Leaving>(&place)) {
    out.notes.emplace_back(TaskLeft{task, leaving->to, leaving->mobile.epoch});
    leaving_.insert(task);
  } else if (const auto* forward = std::get_if<Forward>(&place)) {
    out.notes.emplace_back(ForwarderLeft{task, forward->next.peer, forward->next.version});
  }
}

void Locator::end(TaskId task, const Place& place, LocatorEffects& out) {
  if (const auto* resident = std::get_if<Resident>(&place)) {
    forget(resident->mobile);
  } else if (const auto* leaving = std::get_if<Leaving>(&place)) {
    leaving_.erase(task);
    out.notes.emplace_back(MoveEnded{task});
    for (const Looking& looking : leaving->buffer) note_released(looking, out);
  } else if (std::holds_alternative<Forward>(place)) {
    out.notes.emplace_back(ForwarderGone{task});
  }
}

void Locator::index(const Mobile& mobile) {
  for (const auto* list : {&mobile.unmet, &mobile.met, &mobile.successors})
    for (const Neighbour& each : *list) mentioned_.emplace(each.task, mobile.task.id);
}

void Locator::forget(const Mobile& mobile) {
  for (const auto* list : {&mobile.unmet, &mobile.met, &mobile.successors})
    for (const Neighbour& each : *list) mentioned_.erase({each.task, mobile.task.id});
}

void Locator::settle(LocatorEffects& out) {
  for (std::size_t i = 0; i < out.sends.size();) {
    if (out.sends[i].to != self_) {
      ++i;
      continue;
    }
    const Messages message = std::move(out.sends[i].message);
    out.sends.erase(out.sends.begin() + static_cast<std::ptrdiff_t>(i));
    std::visit([&](const auto& said) { handle(self_, said, out); }, message);
  }
}

// The latest epoch known of a task that is or was here; 0 without a record of it.
Epoch Locator::known_epoch(TaskId task) const {
  if (const auto* resident = find<Resident>(task)) return resident->mobile.epoch;
  if (const auto* leaving = find<Leaving>(task)) return leaving->mobile.epoch;
  if (const auto* forward = find<Forward>(task)) return forward->next.version;
  if (const auto* mark = find<Mark>(task)) return mark->epoch;
  return 0;
}

// A task that comes again has been taken: only one peer is sent it in an epoch.
void Locator::handle(PeerId from, const Move& move, LocatorEffects& out) {
  const TaskId task = move.mobile.task.id;
  const Epoch epoch = move.mobile.epoch;
  const bool taken = places_.contains(task) && epoch <= known_epoch(task);
  const auto refused = refused_.find(task);
  if (!taken && refused != refused_.end() && epoch <= refused->second) {
    out.sends.push_back({from, Moved{task, epoch, false}, true});
    return;
  }
  out.sends.push_back({from, Moved{task, epoch, true}});
  if (!taken) install(move.mobile, out);
}

void Locator::install(Mobile mobile, LocatorEffects& out) {
  const TaskId task = mobile.task.id;
  std::vector<Looking> buffer;
  if (const auto* leaving = find<Leaving>(task)) buffer = leaving->buffer;
  const Address here{self_, mobile.epoch};
  refused_.erase(task);
  out.arrived.push_back(task);
  if (mobile.unmet.empty()) out.ready.push_back(task);
  for (const PeerId peer : finder_->to_tell(mobile))
    out.sends.push_back({peer, Location{task, here}});
  put(task, Resident{std::move(mobile)}, out);
  for (const Looking& looking : buffer) look(looking, out);
  release(task, out);
}

void Locator::handle(PeerId from, const Moved& moved, LocatorEffects& out) {
  const Leaving* leaving = find<Leaving>(moved.task);
  if (leaving == nullptr || leaving->to != from || leaving->mobile.epoch != moved.epoch) return;
  if (moved.taken)
    leave(moved.task, {from, moved.epoch}, out);
  else
    install(Mobile(leaving->mobile), out);
}

void Locator::handle(PeerId from, const MoveCancel& cancel, LocatorEffects& out) {
  const bool taken = places_.contains(cancel.task) && known_epoch(cancel.task) >= cancel.epoch;
  if (!taken) {
    Epoch& refused = refused_[cancel.task];
    refused = std::max(refused, cancel.epoch);
  }
  out.sends.push_back({from, Moved{cancel.task, cancel.epoch, taken}});
}

}  // namespace rhizome::agents::locator
