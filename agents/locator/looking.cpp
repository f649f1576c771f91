// How data find a task: along the addresses that it left behind, or by asking.
#include "agents/locator/locator.hpp"

#include <algorithm>

namespace rhizome::agents::locator {

namespace {

bool asks_all(const Looking& looking) {
  const Find* find = std::get_if<Find>(&looking);
  return find != nullptr && find->all;
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
std::vector<TaskId> none_needed(const Route& route) {
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
    answer(route, {self_, mark->epoch}, none_needed(route), out);
  } else if (asks_all(looking)) {
    const Forward* forward = find<Forward>(route.to);
    if (forward != nullptr && forward->over) answer(route, {self_, 0}, none_needed(route), out);
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
    if (sought.at.peer == core::no_peer || location.at.version > sought.at.version ||
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
  const bool lost = sought.at.peer == core::no_peer || sought.tries >= options_.search_after;
  if (lost) asked = all_peers();
  const bool all = lost || options_.kind == Kind::broadcast;
  const bool large = options_.find_first > 0 && sought.bytes >= options_.find_first;
  if (asked.empty() && large) asked = {sought.at.peer};
  sought.asking = !asked.empty();
  sought.everywhere = all;
  if (asked.empty()) {
    send(errand, sought, out);
    return;
  }
  const Route route{to, from, self_, all ? 0 : sought.at.version};
  for (const PeerId peer : asked) out.sends.push_back({peer, Find{route, all}, sought.tries > 0});
}

void Locator::send(const Errand& errand, const Sought& sought, LocatorEffects& out) {
  const Route route{errand.first, errand.second, self_, sought.at.version};
  out.notes.emplace_back(
      DatumSent{errand.first, errand.second, sought.at.peer, sought.at.version, sought.tries > 0});
  out.sends.push_back({sought.at.peer, Data{route, {sought.bytes}}, sought.tries > 0});
}

}  // namespace rhizome::agents::locator
