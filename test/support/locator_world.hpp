// A handful of locators, a graph of tasks, and chance: deliveries, moves, starts, losses, copies
// and crashes may come in any order, and after each step the invariants are checked. The history is
// kept, so that a broken invariant is reported with the events that led to it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agents/locator/locator.hpp"
#include "core/peer/rng.hpp"
#include "test/support/locator_words.hpp"
#include "test/support/locator_world_options.hpp"

namespace rhizome::test {

class LocatorWorld {
 public:
  using PeerId = core::PeerId;
  using TaskId = agents::TaskId;

  LocatorWorld(LocatorWorldOptions options, std::uint64_t seed)
      : options_(std::move(options)), rng_(seed), left_(options_) {
    for (std::uint32_t i = 0; i < options_.peers; ++i) peers_.push_back(make(i));
    enter();
  }

  // Runs until all tasks are done and no message is left. Returns the broken invariant with its
  // history; empty if none is.
  [[nodiscard]] std::string run() {
    constexpr int patience = 5'000;
    for (int step = 0; step < patience; ++step) {
      act();
      check();
      if (!broken_.empty()) return told();
      if (at_rest()) {
        check_end();
        return broken_.empty() ? std::string() : told();
      }
    }
    broken_ = "it does not come to rest";
    return told();
  }

 private:
  using Locator = agents::locator::Locator;
  using LocatorEffects = agents::locator::LocatorEffects;
  using Mobile = agents::locator::Mobile;
  using Neighbour = agents::locator::Neighbour;
  using Epoch = agents::locator::Epoch;
  using Address = agents::locator::Address;
  using Resident = agents::locator::Resident;
  using Leaving = agents::locator::Leaving;
  using Forward = agents::locator::Forward;

  struct Packet {
    PeerId from;
    PeerId to;
    std::uint32_t life;  // of the receiver
    agents::locator::Messages message;
  };

  std::unique_ptr<Locator> make(std::uint32_t peer) {
    return std::make_unique<Locator>(PeerId{peer}, options_.locator, options_.peers, PeerId{0});
  }
  [[nodiscard]] std::uint32_t any(std::uint32_t below) {
    return static_cast<std::uint32_t>(rng_.below(below));
  }

  // All tasks at peers by chance, with the addresses of all that they have to do with.
  void enter() {
    lives_.resize(options_.peers);
    for (std::uint32_t i = 0; i < options_.tasks; ++i) {
      const TaskId id{0, i};
      tasks_[id] = {.task = {.id = id}};
      placed_[id] = PeerId{any(options_.peers)};
      for (std::uint32_t j = 0; j < i; ++j)
        if (rng_.chance(options_.connected)) {
          tasks_[id].unmet.push_back({{0, j}, {placed_[{0, j}], 0}, 1});
          tasks_[{0, j}].successors.push_back({id, {placed_[id], 0}, 1});
        }
    }
    for (const auto& [id, mobile] : tasks_) place(placed_[id], mobile);
  }
  void place(PeerId at, const Mobile& mobile) {
    LocatorEffects out;
    peers_[at.value]->place(mobile, out);
    take(at, std::move(out));
  }

  void take(PeerId self, LocatorEffects out) {
    for (auto& send : out.sends) {
      flying_.push_back({self, send.to, lives_[send.to.value], std::move(send.message)});
    }
    for (const TaskId task : out.arrived) {
      visited_[task].insert(self);
      if (const Resident* here = peers_[self.value]->find<Resident>(task))
        taken_[task] = std::max(taken_[task], here->mobile.epoch);
    }
    for (const auto& delivery : out.deliveries) {
      note(self, "is given " + name(delivery.from) + " for " + name(delivery.to));
      const auto [item, fresh] = given_.insert({delivery.to, delivery.from});
      if (!fresh && crashed_.empty())
        broken_ = name(delivery.to) + " was given twice what " + name(delivery.from) + " gives";
      if (!done_.contains(delivery.from))
        broken_ = name(delivery.to) + " was given what " + name(delivery.from) + " had not done";
    }
  }

  void act() {
    const std::uint32_t choice = any(100);
    if (choice < 12 && left_.moves > 0) return move();
    if (choice < 20) return start();
    if (choice < 28) return finish();
    if (choice < 30) return call_off();
    if (choice < 32 && left_.crashes > 0) return crash();
    if (choice < 33 || flying_.empty()) return repeat();
    deliver();
  }

  void deliver() {
    const std::uint32_t at = any(static_cast<std::uint32_t>(flying_.size()));
    const Packet packet = flying_[at];
    const bool copied = left_.copies > 0 && rng_.chance(0.1);
    if (copied)
      --left_.copies;
    else
      flying_.erase(flying_.begin() + at);
    if (left_.losses > 0 && rng_.chance(0.1)) {
      --left_.losses;
      note(packet.to, "never gets " + name(packet));
      return;
    }
    if (packet.life != lives_[packet.to.value]) return;
    note(packet.to, "gets " + name(packet) + (copied ? ", which comes again," : "") + " from " +
                        std::to_string(packet.from.value));
    LocatorEffects out;
    peers_[packet.to.value]->on(packet.from, packet.message, out);
    take(packet.to, std::move(out));
  }

  // A task that is in that state anywhere, and the peer; nothing if there is none.
  template <class P, class Holds>
  [[nodiscard]] std::vector<std::pair<PeerId, TaskId>> all(Holds holds) const {
    std::vector<std::pair<PeerId, TaskId>> found;
    for (std::uint32_t i = 0; i < options_.peers; ++i)
      for (const auto& [task, mobile] : tasks_)
        if (const P* place = peers_[i]->find<P>(task); place != nullptr && holds(*place))
          found.emplace_back(PeerId{i}, task);
    return found;
  }
  template <class P>
  [[nodiscard]] std::vector<std::pair<PeerId, TaskId>> all() const {
    return all<P>([](const P&) { return true; });
  }
  template <class F>
  void with_any(const std::vector<std::pair<PeerId, TaskId>>& list, F f) {
    if (list.empty()) return;
    const auto [peer, task] = list[any(static_cast<std::uint32_t>(list.size()))];
    LocatorEffects out;
    f(*peers_[peer.value], peer, task, out);
    take(peer, std::move(out));
  }

  void move() {
    with_any(all<Resident>([](const Resident& r) { return !r.started; }),
             [this](Locator& locator, PeerId peer, TaskId task, LocatorEffects& out) {
               const PeerId to{any(options_.peers)};
               if (!locator.move(task, to, out)) return;
               --left_.moves;
               note(peer, "moves " + name(task) + " to " + std::to_string(to.value));
             });
  }
  void call_off() {
    with_any(all<Leaving>(),
             [this](Locator& locator, PeerId peer, TaskId task, LocatorEffects& out) {
               note(peer, "calls the move of " + name(task) + " off");
               locator.call_off(task, out);
             });
  }
  void start() {
    with_any(all<Resident>([](const Resident& r) { return !r.started && r.mobile.unmet.empty(); }),
             [this](Locator& locator, PeerId peer, TaskId task, LocatorEffects& out) {
               note(peer, "starts " + name(task));
               for (const Neighbour& needed : tasks_.at(task).unmet)
                 if (!done_.contains(needed.task)) broken_ = name(task) + " started too early";
               locator.start(task, out);
             });
  }
  void finish() {
    with_any(all<Resident>([](const Resident& r) { return r.started; }),
             [this](Locator& locator, PeerId peer, TaskId task, LocatorEffects& out) {
               note(peer, "finishes " + name(task));
               done_[task] = peer;
               locator.finish(task, out);
             });
  }
  void repeat() {
    const PeerId peer{any(options_.peers)};
    LocatorEffects out;
    peers_[peer.value]->repeat(out, rng_.chance(0.5));
    take(peer, std::move(out));
  }

  // All peers learn of it, and packets of the dead peer under way are dropped, as if they had
  // arrived before any peer acts. Then peer 0, which never crashes, gives and places the lost tasks
  // again.
  void crash() {
    const PeerId dead{1 + any(options_.peers - 1)};
    --left_.crashes;
    note(dead, "crashes");
    crashed_.insert(dead);
    peers_[dead.value] = make(dead.value);
    ++lives_[dead.value];
    std::erase_if(flying_, [dead](const Packet& packet) { return packet.from == dead; });
    for (auto& peer : peers_) peer->lost(dead);
    for (const auto& [task, mobile] : tasks_) recover(task, dead);
  }
  void recover(TaskId task, PeerId dead) {
    if (done_.contains(task)) {
      if (done_.at(task) == dead) give_again(task);
      return;
    }
    const auto of_task = [task](const auto& item) { return item.second == task; };
    const auto residents = all<Resident>();
    if (std::any_of(residents.begin(), residents.end(), of_task)) return;
    // If no peer has taken the latest move, the sender's copy is still current.
    if (const PeerId last = last_sender(task); last != core::no_peer) {
      if (!peers_[last.value]->find<Leaving>(task)->uncertain) return;
      LocatorEffects out;
      note(last, "takes " + name(task) + " back");
      peers_[last.value]->take_back(task, next_generation(), out);
      take(last, std::move(out));
      return;
    }
    Mobile again = tasks_.at(task);
    again.epoch = next_generation();
    for (const Neighbour& needed : std::exchange(again.unmet, {}))
      (done_.contains(needed.task) ? again.met : again.unmet).push_back(needed);
    note(PeerId{0}, "places " + name(task) + " again");
    place(PeerId{0}, again);
  }

  [[nodiscard]] Epoch next_generation() { return agents::locator::generation * ++generations_; }
  void give_again(TaskId task) {
    std::vector<Neighbour> successors = tasks_.at(task).successors;
    std::erase_if(successors, [this](const Neighbour& each) { return done_.contains(each.task); });
    for (Neighbour& successor : successors) successor.at = {};
    LocatorEffects out;
    peers_[0]->over(task, out);
    peers_[0]->give(task, successors, out);
    take(PeerId{0}, std::move(out));
  }

  // The last peer that sent the task to a peer that has not taken it; core::no_peer if all have.
  [[nodiscard]] PeerId last_sender(TaskId task) const {
    PeerId last = core::no_peer;
    Epoch epoch = taken_.at(task);
    for (std::uint32_t i = 0; i < options_.peers; ++i)
      if (const Leaving* leaving = peers_[i]->find<Leaving>(task);
          leaving != nullptr && leaving->mobile.epoch > epoch) {
        last = PeerId{i};
        epoch = leaving->mobile.epoch;
      }
    return last;
  }

  [[nodiscard]] bool at_rest() const {
    return done_.size() == tasks_.size() && flying_.empty() &&
           std::all_of(peers_.begin(), peers_.end(), [](const auto& p) { return p->quiet(); });
  }

  // Whether every message that was sent has come, or may still come.
  [[nodiscard]] bool calm() const {
    return crashed_.empty() && options_.losses == 0 && options_.copies == 0;
  }

  void check() {
    std::map<TaskId, int> copies;
    for (const auto& [peer, task] : all<Resident>()) ++copies[task];
    for (const auto& [task, mobile] : tasks_) {
      if (copies[task] > 1) broken_ = name(task) + " is at two peers";
      if (copies[task] == 0 && !done_.contains(task) &&
          all<Leaving>([&](const Leaving& l) { return l.mobile.task.id == task; }).empty())
        broken_ = name(task) + " is nowhere";
      const auto forwards = static_cast<std::size_t>(
          std::count_if(peers_.begin(), peers_.end(),
                        [&, id = task](const auto& p) { return p->template find<Forward>(id); }));
      if (copies[task] == 1 && forwards >= visited_[task].size())
        broken_ = name(task) + " has more forwarders than peers that it left";
    }
    check_addresses();
  }

  // The epoch of a task's latest copy, here or under way.
  [[nodiscard]] Epoch epoch_of(TaskId task) const {
    Epoch epoch = 0;
    for (const auto& peer : peers_) {
      if (const auto* resident = peer->find<Resident>(task))
        epoch = std::max(epoch, resident->mobile.epoch);
      if (const auto* leaving = peer->find<Leaving>(task))
        epoch = std::max(epoch, leaving->mobile.epoch);
      if (const auto* mark = peer->find<agents::locator::Mark>(task))
        epoch = std::max(epoch, mark->epoch);
    }
    return epoch;
  }

  // Checks that from every address that a peer will use, the chain leads to the task with rising
  // versions.
  void check_addresses() {
    for (const auto& [peer, task] : all<Resident>())
      for (const Neighbour& successor : peers_[peer.value]->find<Resident>(task)->mobile.successors)
        check_address({successor.task, task}, successor.at);
    for (const auto& peer : peers_)
      for (const auto& [errand, sought] : peer->errands()) check_address(errand, sought.at);
  }
  void check_address(const Locator::Errand& errand, Address at) {
    const TaskId task = errand.first;
    if (at.peer == core::no_peer || done_.contains(task)) return;
    const Epoch true_epoch = epoch_of(task);
    if (at.version > true_epoch) broken_ = "an address of " + name(task) + " is of times to come";
    Epoch& recorded = recorded_[errand];
    if (at.version < recorded && crashed_.empty())
      broken_ = "an address of " + name(task) + " is older than it was";
    recorded = at.version;
    using agents::locator::Cleanup;
    const bool whole = options_.locator.kind == agents::locator::Kind::forwarders && calm() &&
                       (options_.locator.cleanup == Cleanup::none ||
                        options_.locator.cleanup == Cleanup::at_start);
    if (!whole) return;
    for (Epoch hops = 0;; ++hops) {
      const Locator& locator = *peers_[at.peer.value];
      if (locator.find<Resident>(task) != nullptr || locator.find<Leaving>(task) != nullptr) return;
      const Forward* forward = locator.find<Forward>(task);
      if (forward == nullptr) {
        if (locator.find<agents::locator::Mark>(task) == nullptr)
          broken_ = "the chain to " + name(task) + " ends at " + std::to_string(at.peer.value);
        return;
      }
      if (forward->next.version <= at.version || hops > true_epoch) {
        broken_ = "the chain to " + name(task) + " leads back at " + std::to_string(at.peer.value);
        return;
      }
      at = forward->next;
    }
  }

  void check_end() {
    using agents::locator::Cleanup;
    for (const auto& peer : peers_)
      if (peer->parked() + peer->buffered() > 0) broken_ = "something waits at the end";
    const bool swept =
        options_.locator.cleanup == Cleanup::at_start || options_.locator.cleanup == Cleanup::both;
    if (swept && !all<Forward>().empty()) broken_ = "a forwarder is left at the end";
    for (const auto& [task, mobile] : tasks_)
      for (const Neighbour& needed : mobile.unmet)
        if (!given_.contains({task, needed.task}) && crashed_.empty())
          broken_ = name(task) + " was never given what " + name(needed.task) + " gives";
  }

  [[nodiscard]] static std::string name(TaskId task) { return name_of(task); }
  [[nodiscard]] static std::string name(const Packet& packet) { return words_of(packet.message); }
  void note(PeerId peer, const std::string& what) {
    history_.push_back("peer " + std::to_string(peer.value) + " " + what);
  }
  [[nodiscard]] std::string told() const {
    std::string text = broken_ + "\n";
    const std::size_t first = history_.size() > 80 ? history_.size() - 80 : 0;
    for (std::size_t i = first; i < history_.size(); ++i) text += "  " + history_[i] + "\n";
    return text;
  }

  LocatorWorldOptions options_;
  core::Rng rng_;
  LocatorWorldOptions left_;  // remaining random events
  std::vector<std::unique_ptr<Locator>> peers_;
  std::vector<std::uint32_t> lives_;
  std::vector<Packet> flying_;
  std::map<TaskId, Mobile> tasks_;  // as they entered
  std::map<TaskId, PeerId> placed_;
  std::map<TaskId, PeerId> done_;  // and the peer that did it
  std::map<TaskId, std::set<PeerId>> visited_;
  std::map<TaskId, Epoch> taken_;  // the latest
  std::set<std::pair<TaskId, TaskId>> given_;
  std::map<Locator::Errand, Epoch> recorded_;  // versions
  std::set<PeerId> crashed_;
  Epoch generations_ = 0;
  std::vector<std::string> history_;
  std::string broken_;
};

}  // namespace rhizome::test
