#include "agents/locator/locator.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "agents/backoff.hpp"

namespace rhizome::agents::locator {

namespace {

// A peer that never answers is gone for good. In that many rounds it is told twenty times.
constexpr std::uint32_t most_removals = 136;

// For a caller that knows no epoch: all other epochs are past.
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
  if (sweeps()) sweep(task, last_epoch, everybody(), out);
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
    for (const PeerId peer : everybody())
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

std::vector<PeerId> Locator::everybody() const {
  std::vector<PeerId> all;
  for (std::uint32_t i = 0; i < peers_; ++i) all.push_back(PeerId{i});
  return all;
}

// It is not known where a task that was lost had been.
std::vector<PeerId> Locator::visited(const Mobile& mobile) const {
  return mobile.epoch >= generation ? everybody() : mobile.visited;
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

// How data find a task: along the addresses that it left behind, or by asking.

namespace {

bool asks_everybody(const Looking& looking) {
  const Find* find = std::get_if<Find>(&looking);
  return find != nullptr && find->everybody;
}

// The same message on behalf of the same task, whichever way it came.
bool same(const Looking& a, const Looking& b) {
  return a.index() == b.index() && route_of(a).to == route_of(b).to &&
         route_of(a).from == route_of(b).from && route_of(a).origin == route_of(b).origin;
}

auto named(TaskId task) {
  return [task](const Neighbour& neighbour) { return neighbour.task == task; };
}

bool has(const std::vector<Neighbour>& list, TaskId task) {
  return std::any_of(list.begin(), list.end(), named(task));
}

// A task that is over needs no data from the task that asks or from any other. Its own id among the
// delivered says so.
std::vector<TaskId> nobody_needed(const Route& route) {
  if (route.from == route.to) return {route.to};
  return {route.from, route.to};
}

}  // namespace

bool Locator::counts() const {
  return options_.cleanup == Cleanup::by_count || options_.cleanup == Cleanup::both;
}

void Locator::leave(TaskId task, const Address& next, LocatorEffects& out) {
  const Leaving& leaving = std::get<Leaving>(places_.at(task));
  std::vector<Looking> buffer = leaving.buffer;
  Forward forward{.next = next};
  for (const Neighbour& predecessor : leaving.mobile.unmet)
    forward.awaited.push_back(predecessor.task);
  const bool needed = forwards() && !(counts() && forward.awaited.empty());
  put(task, needed ? Place(std::move(forward)) : Place(Mark{next.version}), out);
  for (Looking& looking : buffer) pass(std::move(looking), next, out);
}

void Locator::handle(PeerId, const Data& data, LocatorEffects& out) { look(data, out); }
void Locator::handle(PeerId, const Find& find, LocatorEffects& out) { look(find, out); }

void Locator::look(const Looking& looking, LocatorEffects& out) {
  const Route& route = route_of(looking);
  const auto found = places_.find(route.to);
  Place* place = found == places_.end() ? nullptr : &found->second;
  const Mark* mark = place == nullptr ? nullptr : std::get_if<Mark>(place);
  if (place != nullptr && std::holds_alternative<Resident>(*place)) {
    meet(std::get<Resident>(*place), looking, out);
  } else if (place != nullptr && std::holds_alternative<Leaving>(*place)) {
    auto& buffer = std::get<Leaving>(*place).buffer;
    const auto known = [&](const Looking& other) { return same(other, looking); };
    if (route.from != route.to && std::none_of(buffer.begin(), buffer.end(), known)) {
      buffer.push_back(looking);
      note_held(looking, out);
    }
  } else if (mark != nullptr && mark->over) {
    answer(route, {self_, mark->epoch}, nobody_needed(route), out);
  } else if (asks_everybody(looking)) {
    const Forward* forward = find<Forward>(route.to);
    if (forward != nullptr && forward->over) answer(route, {self_, 0}, nobody_needed(route), out);
  } else if (place != nullptr && std::holds_alternative<Forward>(*place)) {
    pass(std::get<Forward>(*place), looking, out);
  } else if (const auto known = finder_->known(route.to);
             known && std::holds_alternative<Find>(looking)) {
    answer(route, *known, {}, out);
  } else {
    park(looking, out);
  }
}

// Data that a task has already are confirmed once more; data that it does not need are ignored.
void Locator::meet(Resident& resident, const Looking& looking, LocatorEffects& out) {
  Mobile& mobile = resident.mobile;
  const Route& route = route_of(looking);
  const auto needed = std::find_if(mobile.unmet.begin(), mobile.unmet.end(), named(route.from));
  if (std::holds_alternative<Data>(looking) && needed != mobile.unmet.end()) {
    locator::take_along(mobile, *needed);
    mobile.unmet.erase(needed);
    const auto hops = static_cast<std::uint32_t>(route.path.size() + 1);
    out.deliveries.push_back({route.to, route.from, hops});
    out.notes.emplace_back(DatumGiven{route.to, route.from, hops});
    if (mobile.unmet.empty()) out.ready.push_back(route.to);
  }
  std::vector<TaskId> delivered;
  if (has(mobile.met, route.from)) delivered.push_back(route.from);
  answer(route, {self_, mobile.epoch}, std::move(delivered), out);
}

// Answers the origin, and the peers that passed the message on, so that chains of forwarders grow
// shorter.
void Locator::answer(const Route& route, const Address& at, std::vector<TaskId> delivered,
                     LocatorEffects& out) const {
  const Location location{route.to, at, std::move(delivered)};
  out.sends.push_back({route.origin, location});
  if (!options_.compression) return;
  for (const PeerId peer : route.path)
    if (peer != route.origin && peer != self_) out.sends.push_back({peer, location});
}

void Locator::pass(Looking looking, const Address& next, LocatorEffects& out) {
  Route& route = route_of(looking);
  route.version = next.version;
  route.path.push_back(self_);
  if (std::holds_alternative<Data>(looking)) passed(route.to, {route.from}, out);
  out.notes.emplace_back(SearchPassed{route.to, route.from, next.peer});
  std::visit([&](auto& what) { out.sends.push_back({next.peer, std::move(what)}); }, looking);
}

// An address that is no newer than the one by which the message came here leads back.
void Locator::pass(Forward& forward, const Looking& looking, LocatorEffects& out) {
  const Address next = forward.next;
  if (next.version > route_of(looking).version)
    pass(looking, next, out);
  else
    park(looking, out);
}

// Once the data of all predecessors have passed, no message will need this forwarder any more.
void Locator::passed(TaskId task, const std::vector<TaskId>& predecessors, LocatorEffects& out) {
  const auto found = places_.find(task);
  auto* forward = found == places_.end() ? nullptr : std::get_if<Forward>(&found->second);
  if (forward == nullptr) return;
  for (const TaskId predecessor : predecessors) std::erase(forward->awaited, predecessor);
  if (counts() && forward->awaited.empty()) put(task, Mark{forward->next.version}, out);
}

// Keeps a message until the task or its address comes. Where no addresses are left behind, no peer
// would bring either.
void Locator::park(const Looking& looking, LocatorEffects& out) {
  if (!forwards()) return;
  auto& waiting = parked_[route_of(looking).to];
  const auto known = [&](const Parked& other) { return same(other.what, looking); };
  if (std::any_of(waiting.begin(), waiting.end(), known)) return;
  waiting.push_back({looking});
  note_held(looking, out);
}

void Locator::release(TaskId task, LocatorEffects& out) {
  const auto found = parked_.find(task);
  if (found == parked_.end()) return;
  const std::vector<Parked> waiting = std::move(found->second);
  parked_.erase(found);
  for (const Parked& each : waiting) {
    note_released(each.what, out);
    look(each.what, out);
  }
}

void Locator::handle(PeerId from, const Location& location, LocatorEffects& out) {
  const TaskId task = location.task;
  finder_->told(task, location.at);
  learn(location, out);
  passed(task, location.delivered, out);
  const auto& delivered = location.delivered;
  const Leaving* leaving = find<Leaving>(task);
  // The task itself among the delivered tasks means that it needs no more data.
  if (leaving != nullptr && std::find(delivered.begin(), delivered.end(), task) != delivered.end())
    put(task, Mark{leaving->mobile.epoch, true}, out);
  else if (leaving != nullptr && location.at.version >= leaving->mobile.epoch &&
           location.at.peer != self_)
    leave(task, location.at, out);
  release(location, out);
  confirm(from, location, out);
}

void Locator::release(const Location& location, LocatorEffects& out) {
  const auto found = parked_.find(location.task);
  if (found == parked_.end()) return;
  std::vector<Parked> waiting = std::exchange(found->second, {});
  for (Parked& each : waiting) {
    if (location.at.version <= route_of(each.what).version) {
      found->second.push_back(std::move(each));
      continue;
    }
    note_released(each.what, out);
    pass(std::move(each.what), location.at, out);
  }
  if (found->second.empty()) parked_.erase(found);
}

// Where all peers are asked, the peer that has the task says where it is, though a later copy may
// have been elsewhere: the peer of that copy has crashed, and an earlier move was taken once more.
// A task that is said to need no more data is over.
void Locator::confirm(PeerId from, const Location& location, LocatorEffects& out) {
  const auto is_delivered = [&delivered = location.delivered](TaskId to) {
    return std::find(delivered.begin(), delivered.end(), to) != delivered.end();
  };
  const bool over = is_delivered(location.task);
  auto item = errands_.lower_bound({location.task, TaskId{}});
  while (item != errands_.end() && item->first.first == location.task) {
    auto& [errand, sought] = *item;
    if (over || is_delivered(errand.second)) {
      item = errands_.erase(item);
      continue;
    }
    const bool found = sought.asking && sought.everywhere && location.at.peer == from;
    if (sought.at.peer == core::nobody || location.at.version > sought.at.version ||
        (found && location.at != sought.at)) {
      out.notes.emplace_back(AddressLearned{errand.first, errand.second, location.at.peer,
                                            location.at.version, sought.at.version});
      sought.at = location.at;
    }
    if (std::exchange(sought.asking, false)) {
      sought.fresh = true;
      send(errand, sought, out);
    }
    ++item;
  }
}

// Only newer addresses count.
void Locator::learn(const Location& location, LocatorEffects& out) {
  const TaskId task = location.task;
  for (auto item = mentioned_.lower_bound({task, TaskId{}});
       item != mentioned_.end() && item->first == task; ++item)
    learn(std::get<Resident>(places_.at(item->second)), location, out);
  const auto found = places_.find(task);
  auto* forward = found == places_.end() ? nullptr : std::get_if<Forward>(&found->second);
  if (forward != nullptr && location.at.version > forward->next.version) {
    forward->next = location.at;
    out.notes.emplace_back(ForwarderTurned{task, location.at.peer, location.at.version});
  }
}

void Locator::learn(Resident& resident, const Location& location, LocatorEffects& out) {
  Mobile& mobile = resident.mobile;
  for (auto* list : {&mobile.unmet, &mobile.successors})
    for (Neighbour& neighbour : *list) {
      if (neighbour.task != location.task || location.at.version <= neighbour.at.version) continue;
      if (list == &mobile.successors)
        out.notes.emplace_back(AddressLearned{location.task, mobile.task.id, location.at.peer,
                                              location.at.version, neighbour.at.version});
      neighbour.at = location.at;
    }
}

// A Remove for a task that is here, or whose epoch is later, changes nothing.
void Locator::handle(PeerId from, const Remove& remove, LocatorEffects& out) {
  out.sends.push_back({from, Removed{remove.task, remove.epoch}});
  const bool here = find<Resident>(remove.task) != nullptr;
  if (here || known_epoch(remove.task) > remove.epoch) return;
  put(remove.task, Mark{remove.epoch, true}, out);
  release(remove.task, out);
}

void Locator::handle(PeerId from, const Removed& removed, LocatorEffects&) {
  const auto found = removals_.find(removed.task);
  if (found == removals_.end() || found->second.epoch != removed.epoch) return;
  found->second.peers.erase(from);
  if (found->second.peers.empty()) removals_.erase(found);
}

// Asks for the address of the task, or trusts the known one. After too many lost tries all peers
// are asked.
void Locator::seek(const Errand& errand, Sought& sought, LocatorEffects& out) {
  const auto& [to, from] = errand;
  std::vector<PeerId> asked = finder_->to_ask(to);
  const bool lost = sought.at.peer == core::nobody || sought.tries >= options_.search_after;
  if (lost) asked = everybody();
  const bool everybody = lost || options_.kind == Kind::broadcast;
  const bool large = options_.find_first > 0 && sought.bytes >= options_.find_first;
  if (asked.empty() && large) asked = {sought.at.peer};
  sought.asking = !asked.empty();
  sought.everywhere = everybody;
  if (asked.empty()) {
    send(errand, sought, out);
    return;
  }
  const Route route{to, from, self_, everybody ? 0 : sought.at.version};
  for (const PeerId peer : asked)
    out.sends.push_back({peer, Find{route, everybody}, sought.tries > 0});
}

void Locator::send(const Errand& errand, const Sought& sought, LocatorEffects& out) {
  const Route route{errand.first, errand.second, self_, sought.at.version};
  out.notes.emplace_back(
      DatumSent{errand.first, errand.second, sought.at.peer, sought.at.version, sought.tries > 0});
  out.sends.push_back({sought.at.peer, Data{route, {sought.bytes}}, sought.tries > 0});
}

}  // namespace rhizome::agents::locator
