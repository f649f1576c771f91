#include "agents/locator/locator.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace rhizome::agents::locator {

namespace {

// A peer that never answers is gone for good.
constexpr std::uint32_t most_removals = 20;

// What knows no epoch takes all for past.
constexpr Epoch last_epoch = ~Epoch{0};
constexpr TaskId last_task{~std::uint32_t{0}, ~std::uint32_t{0}};

}  // namespace

Locator::Locator(PeerId self, const Options& options, std::uint32_t peers, PeerId home)
    : self_(self), options_(options), peers_(peers), finder_(make_finder(options, peers, home)) {}

void Locator::place(Mobile mobile, Effects& out) {
  install(std::move(mobile), out);
  settle(out);
}

bool Locator::move(TaskId task, PeerId to, Effects& out) {
  const auto found = places_.find(task);
  if (found == places_.end() || to == self_) return false;
  auto* resident = std::get_if<Resident>(&found->second);
  if (resident == nullptr || resident->started) return false;
  Leaving leaving{.mobile = std::move(resident->mobile), .to = to};
  ++leaving.mobile.epoch;
  std::erase(leaving.mobile.visited, self_);
  leaving.mobile.visited.push_back(self_);
  out.sends.push_back({to, Move{leaving.mobile}});
  found->second = std::move(leaving);
  return true;
}

void Locator::call_off(TaskId task, Effects& out) {
  const auto found = places_.find(task);
  auto* leaving = found == places_.end() ? nullptr : std::get_if<Leaving>(&found->second);
  if (leaving == nullptr || leaving->uncertain) return;
  leaving->called_off = true;
  out.sends.push_back({leaving->to, MoveCancel{task, leaving->mobile.epoch}});
}

void Locator::take_back(TaskId task, Epoch epoch, Effects& out) {
  const Leaving* leaving = find<Leaving>(task);
  if (leaving == nullptr || epoch <= leaving->mobile.epoch) return;
  Mobile mobile = leaving->mobile;
  mobile.epoch = epoch;
  place(std::move(mobile), out);
}

void Locator::start(TaskId task, Effects& out) {
  const auto found = places_.find(task);
  auto* resident = found == places_.end() ? nullptr : std::get_if<Resident>(&found->second);
  if (resident == nullptr || !resident->mobile.unmet.empty()) return;
  resident->started = true;
  if (sweeps()) sweep(task, resident->mobile.epoch, visited(resident->mobile), out);
}

void Locator::finish(TaskId task, Effects& out) {
  const Resident* resident = find<Resident>(task);
  if (resident == nullptr || !resident->started) return;
  const std::vector<Neighbour> successors = resident->mobile.successors;
  places_[task] = Mark{resident->mobile.epoch, true};
  give(task, successors, out);
}

void Locator::give(TaskId from, const std::vector<Neighbour>& successors, Effects& out) {
  for (const Neighbour& successor : successors) {
    const Errand errand{successor.task, from};
    const auto [item, fresh] =
        errands_.try_emplace(errand, Sought{.at = successor.at, .bytes = successor.bytes});
    if (fresh) seek(errand, item->second, out);
  }
  settle(out);
}

void Locator::over(TaskId task, Effects& out) {
  if (find<Resident>(task) != nullptr) return;
  places_[task] = Mark{last_epoch, true};
  errands_.erase(errands_.lower_bound({task, {}}), errands_.upper_bound({task, last_task}));
  release(task, out);
  if (sweeps()) sweep(task, last_epoch, everybody(), out);
  settle(out);
}

bool Locator::sweeps() const {
  return finder_->leaves_address() &&
         (options_.cleanup == Cleanup::at_start || options_.cleanup == Cleanup::both);
}

void Locator::sweep(TaskId task, Epoch epoch, const std::vector<PeerId>& peers, Effects& out) {
  Removal removal{.epoch = epoch, .peers = {peers.begin(), peers.end()}};
  removal.peers.erase(self_);
  if (removal.peers.empty()) return;
  for (const PeerId peer : removal.peers) out.sends.push_back({peer, Remove{task, epoch}});
  removals_[task] = std::move(removal);
}

void Locator::repeat(Effects& out) {
  for (const auto& [task, place] : places_)
    if (const auto* leaving = std::get_if<Leaving>(&place)) repeat(task, *leaving, out);
  for (auto& [errand, sought] : errands_) {
    ++sought.tries;
    seek(errand, sought, out);
  }
  repeat_removals(out);
  age_parked(out);
  settle(out);
}

// Whether the receiver had passed the task on before it crashed, whoever has it now will say.
void Locator::repeat(TaskId task, const Leaving& leaving, Effects& out) const {
  if (leaving.uncertain) {
    for (const PeerId peer : everybody())
      if (peer != self_) out.sends.push_back({peer, Find{{task, task, self_}, true}, true});
  } else if (leaving.called_off) {
    out.sends.push_back({leaving.to, MoveCancel{task, leaving.mobile.epoch}, true});
  } else {
    out.sends.push_back({leaving.to, Move{leaving.mobile}, true});
  }
}

void Locator::repeat_removals(Effects& out) {
  for (auto item = removals_.begin(); item != removals_.end();) {
    auto& [task, removal] = *item;
    for (const PeerId peer : removal.peers)
      out.sends.push_back({peer, Remove{task, removal.epoch}, true});
    item = ++removal.tries >= most_removals ? removals_.erase(item) : std::next(item);
  }
}

void Locator::age_parked(Effects& out) {
  for (auto item = parked_.begin(); item != parked_.end();) {
    auto& [task, waiting] = *item;
    for (Parked& each : waiting) ++each.age;
    const auto given_up =
        std::erase_if(waiting, [&](const Parked& each) { return each.age >= options_.park_for; });
    if (given_up > 0) out.alarms.push_back(task);
    item = waiting.empty() ? parked_.erase(item) : std::next(item);
  }
}

std::vector<PeerId> Locator::everybody() const {
  std::vector<PeerId> all;
  for (std::uint32_t i = 0; i < peers_; ++i) all.push_back(PeerId{i});
  return all;
}

// Of a task that was lost nobody knows where it had been.
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

void Locator::on(PeerId from, const Messages& message, Effects& out) {
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
  const auto leaves = [](const auto& item) { return std::holds_alternative<Leaving>(item.second); };
  return errands_.empty() && parked_.empty() && removals_.empty() &&
         std::none_of(places_.begin(), places_.end(), leaves);
}

void Locator::settle(Effects& out) {
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

// What is known of a task by its address, or of moves that were called off.
Epoch Locator::known_epoch(TaskId task) const {
  if (const auto* resident = find<Resident>(task)) return resident->mobile.epoch;
  if (const auto* leaving = find<Leaving>(task)) return leaving->mobile.epoch;
  if (const auto* forward = find<Forward>(task)) return forward->next.version;
  if (const auto* mark = find<Mark>(task)) return mark->epoch;
  return 0;
}

// A task that comes again was taken: only one peer is sent it in an epoch.
void Locator::handle(PeerId from, const Move& move, Effects& out) {
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

void Locator::install(Mobile mobile, Effects& out) {
  const TaskId task = mobile.task.id;
  std::vector<Looking> buffer;
  if (const auto* leaving = find<Leaving>(task)) buffer = leaving->buffer;
  const Address here{self_, mobile.epoch};
  refused_.erase(task);
  out.arrived.push_back(task);
  if (mobile.unmet.empty()) out.ready.push_back(task);
  for (const PeerId peer : finder_->to_tell(mobile))
    out.sends.push_back({peer, Location{task, here}});
  places_[task] = Resident{std::move(mobile)};
  for (const Looking& looking : buffer) look(looking, out);
  release(task, out);
}

void Locator::handle(PeerId from, const Moved& moved, Effects& out) {
  const Leaving* leaving = find<Leaving>(moved.task);
  if (leaving == nullptr || leaving->to != from || leaving->mobile.epoch != moved.epoch) return;
  if (moved.taken)
    leave(moved.task, {from, moved.epoch}, out);
  else
    install(Mobile(leaving->mobile), out);
}

void Locator::handle(PeerId from, const MoveCancel& cancel, Effects& out) {
  const bool taken = places_.contains(cancel.task) && known_epoch(cancel.task) >= cancel.epoch;
  if (!taken) {
    Epoch& refused = refused_[cancel.task];
    refused = std::max(refused, cancel.epoch);
  }
  out.sends.push_back({from, Moved{cancel.task, cancel.epoch, taken}});
}

}  // namespace rhizome::agents::locator
