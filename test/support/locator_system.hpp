// A handful of locators as a system that can be searched: the next packet, the moves of tasks and
// their starts are choices. The invariants are checked in every state. LocatorWorld does the same
// at random; the worlds here are so small that the search ends.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agents/locator/locator.hpp"
#include "core/explore/system.hpp"
#include "core/peer/state_dump.hpp"
#include "test/support/locator_words.hpp"

namespace rhizome::test {

struct LocatorSystemOptions {
  agents::locator::Options locator{};
  std::uint32_t peers = 3;
  std::uint32_t tasks = 2;      // each needs the one before it; all begin at peer 0
  std::uint32_t moves = 3;      // of each
  std::uint32_t copies = 0;     // packets that come twice
  std::uint32_t call_offs = 0;  // moves that are called off
};

class LocatorSystem final : public core::System {
 public:
  explicit LocatorSystem(LocatorSystemOptions options) : options_(options) {}

  void begin() override;
  std::vector<core::Choice> choices() override;
  void take(const core::Choice& choice) override;
  core::Fingerprint state() override;
  core::Broken flaw() override;
  core::Broken verdict(bool over) override;
  // The choice in words.
  [[nodiscard]] std::string words(const core::Choice& choice) const;

 private:
  using PeerId = core::PeerId;
  using TaskId = agents::TaskId;
  using Locator = agents::locator::Locator;
  using LocatorEffects = agents::locator::LocatorEffects;
  using Mobile = agents::locator::Mobile;
  using Address = agents::locator::Address;
  using Resident = agents::locator::Resident;
  using Leaving = agents::locator::Leaving;
  using Forward = agents::locator::Forward;
  using Epoch = agents::locator::Epoch;

  struct Packet {
    PeerId from;
    PeerId to;
    agents::locator::Messages message;
    core::Fingerprint name;
  };
  // A task moves to a peer; or begins, or ends, where it is.
  struct Deed {
    enum class Kind : std::uint8_t { deliver, move, start, finish, copy, call_off };
    Kind kind;
    PeerId at;
    TaskId task{};
    PeerId to{};
    std::size_t packet = 0;
  };

  [[nodiscard]] std::vector<std::pair<core::Fingerprint, Deed>> deeds() const;
  void add_deeds(std::vector<std::pair<core::Fingerprint, Deed>>& list, PeerId at) const;
  void act(const Deed& deed, LocatorEffects& out);
  void absorb(PeerId self, LocatorEffects out);
  [[nodiscard]] const Locator& locator(PeerId peer) const { return *peers_[peer.value]; }
  [[nodiscard]] Epoch epoch_of(TaskId task) const;
  void check_copies(TaskId task);
  void check_chain(TaskId task, Address at);
  void check_chains();
  void break_rule(const std::string& rule, const std::string& told) {
    if (!broken_) broken_ = {rule, told};
  }

  LocatorSystemOptions options_;
  std::vector<std::unique_ptr<Locator>> peers_;
  std::vector<core::Fingerprint> prints_;  // 0: to be made
  std::vector<Packet> flying_;
  std::map<TaskId, Mobile> tasks_;
  std::map<TaskId, std::uint32_t> moved_;
  std::uint32_t copied_ = 0;
  std::uint32_t called_off_ = 0;
  std::map<TaskId, std::set<PeerId>> visited_;
  std::set<TaskId> done_;
  std::set<std::pair<TaskId, TaskId>> given_;
  core::Broken broken_;
};

inline void LocatorSystem::begin() {
  peers_.clear();
  flying_.clear();
  tasks_.clear();
  moved_.clear();
  visited_.clear();
  done_.clear();
  given_.clear();
  copied_ = called_off_ = 0;
  broken_ = {};
  prints_.assign(options_.peers, 0);
  for (std::uint32_t i = 0; i < options_.peers; ++i)
    peers_.push_back(
        std::make_unique<Locator>(PeerId{i}, options_.locator, options_.peers, PeerId{0}));
  const Address here{PeerId{0}, 0};
  for (std::uint32_t i = 0; i < options_.tasks; ++i) {
    Mobile& mobile = tasks_[{0, i}];
    mobile.task.id = {0, i};
    if (i > 0) mobile.unmet.push_back({{0, i - 1}, here, 1});
    if (i + 1 < options_.tasks) mobile.successors.push_back({{0, i + 1}, here, 1});
  }
  for (const auto& [id, mobile] : tasks_) {
    LocatorEffects out;
    peers_[0]->place(mobile, out);
    absorb(PeerId{0}, std::move(out));
  }
}

inline void LocatorSystem::absorb(PeerId self, LocatorEffects out) {
  prints_[self.value] = 0;
  for (auto& send : out.sends) {
    core::Bytes bytes;
    std::visit([&bytes](const auto& said) { core::encode(said, bytes); }, send.message);
    const core::Fingerprint ends =
        core::mixed(core::mixed(send.to.value, self.value), send.message.index());
    flying_.push_back({self, send.to, std::move(send.message), core::fingerprint_of(bytes, ends)});
  }
  for (const TaskId task : out.arrived) visited_[task].insert(self);
  for (const auto& delivery : out.deliveries) {
    if (!given_.insert({delivery.to, delivery.from}).second)
      break_rule("data-once", name_of(delivery.to) + " was given the same twice");
    if (!done_.contains(delivery.from))
      break_rule("data-once", name_of(delivery.to) + " was given what was not there yet");
  }
}

inline void LocatorSystem::add_deeds(std::vector<std::pair<core::Fingerprint, Deed>>& list,
                                     PeerId at) const {
  const auto add = [&](const Deed& deed, std::uint32_t what) {
    const core::Fingerprint who = core::mixed(deed.task.portion, at.value);
    list.emplace_back(core::mixed(core::mixed(7, who), what), deed);
  };
  for (const auto& [task, place] : locator(at).places()) {
    const auto* leaving = std::get_if<Leaving>(&place);
    if (leaving != nullptr && !leaving->called_off && called_off_ < options_.call_offs)
      add({.kind = Deed::Kind::call_off, .at = at, .task = task}, 102);
    const auto* resident = std::get_if<Resident>(&place);
    if (resident == nullptr) continue;
    if (resident->started) {
      add({.kind = Deed::Kind::finish, .at = at, .task = task}, 100);
      continue;
    }
    if (resident->mobile.unmet.empty())
      add({.kind = Deed::Kind::start, .at = at, .task = task}, 101);
    const auto moved = moved_.find(task);
    if (moved != moved_.end() && moved->second >= options_.moves) continue;
    for (std::uint32_t to = 0; to < options_.peers; ++to)
      if (PeerId{to} != at)
        add({.kind = Deed::Kind::move, .at = at, .task = task, .to = PeerId{to}}, to);
  }
}

// Packets that are the same are one choice.
inline auto LocatorSystem::deeds() const -> std::vector<std::pair<core::Fingerprint, Deed>> {
  std::vector<std::pair<core::Fingerprint, Deed>> list;
  for (std::size_t i = 0; i < flying_.size(); ++i) {
    const auto known = [&](const auto& item) { return item.first == flying_[i].name; };
    if (std::none_of(list.begin(), list.end(), known))
      list.emplace_back(flying_[i].name,
                        Deed{.kind = Deed::Kind::deliver, .at = flying_[i].to, .packet = i});
  }
  for (std::uint32_t peer = 0; peer < options_.peers; ++peer) add_deeds(list, PeerId{peer});
  const std::size_t usual = list.size();
  for (std::size_t i = 0; i < usual && copied_ < options_.copies; ++i) {
    auto [key, deed] = list[i];
    if (deed.kind != Deed::Kind::deliver) continue;
    deed.kind = Deed::Kind::copy;
    list.emplace_back(core::mixed(key, 8), deed);
  }
  return list;
}

inline std::vector<core::Choice> LocatorSystem::choices() {
  std::vector<core::Choice> list;
  for (const auto& [key, deed] : deeds()) {
    const bool rare = deed.kind >= Deed::Kind::copy;
    const std::uint64_t budget =
        rare ? std::uint64_t{1} << (40U + static_cast<unsigned>(deed.kind)) : 0;
    list.push_back({key, (std::uint64_t{1} << deed.at.value) | budget, rare});
  }
  return list;
}

inline void LocatorSystem::take(const core::Choice& choice) {
  for (const auto& [key, deed] : deeds()) {
    if (key != choice.key) continue;
    LocatorEffects out;
    act(deed, out);
    absorb(deed.at, std::move(out));
    return;
  }
}

inline void LocatorSystem::act(const Deed& deed, LocatorEffects& out) {
  Locator& at = *peers_[deed.at.value];
  switch (deed.kind) {
    case Deed::Kind::deliver: {
      const Packet packet = std::move(flying_[deed.packet]);
      flying_.erase(flying_.begin() + static_cast<std::ptrdiff_t>(deed.packet));
      return at.on(packet.from, packet.message, out);
    }
    case Deed::Kind::move:
      ++moved_[deed.task];
      if (!at.move(deed.task, deed.to, out)) break_rule("moves", "a task that is here cannot go");
      return;
    case Deed::Kind::start:
      for (const auto& needed : tasks_.at(deed.task).unmet)
        if (!done_.contains(needed.task))
          break_rule("data-once", name_of(deed.task) + " began too early");
      return at.start(deed.task, out);
    case Deed::Kind::call_off:
      ++called_off_;
      return at.call_off(deed.task, out);
    case Deed::Kind::copy:
      ++copied_;
      return flying_.push_back(Packet(flying_[deed.packet]));
    case Deed::Kind::finish:
      if (!done_.insert(deed.task).second)
        break_rule("one-copy", name_of(deed.task) + " ran twice");
      return at.finish(deed.task, out);
  }
}

inline core::Fingerprint LocatorSystem::state() {
  core::Fingerprint sum = core::mixed(copied_, called_off_);
  for (const Packet& packet : flying_) sum += core::mixed(packet.name, 1);
  for (std::uint32_t i = 0; i < options_.peers; ++i) {
    if (prints_[i] == 0) {
      core::StateDump dump;
      dump.part("locator", *peers_[i]);
      for (const auto& field : dump.fields())
        prints_[i] = core::fingerprint_of(field.value, prints_[i] + 1);
    }
    sum = core::mixed(sum, prints_[i]);
  }
  for (const auto& [task, moves] : moved_) sum = core::mixed(sum, moves);
  for (const TaskId task : done_) sum = core::mixed(sum, task.portion);
  for (const auto& [to, from] : given_) sum = core::mixed(sum, to.portion);
  return sum;
}

inline core::Broken LocatorSystem::flaw() {
  if (broken_) return broken_;
  for (const auto& [task, mobile] : tasks_) check_copies(task);
  check_chains();
  return broken_;
}

inline void LocatorSystem::check_copies(TaskId task) {
  std::size_t residents = 0;
  std::size_t leaving = 0;
  std::size_t forwards = 0;
  for (const auto& peer : peers_) {
    residents += peer->find<Resident>(task) != nullptr ? 1 : 0;
    leaving += peer->find<Leaving>(task) != nullptr ? 1 : 0;
    forwards += peer->find<Forward>(task) != nullptr ? 1 : 0;
  }
  if (residents > 1) break_rule("one-copy", name_of(task) + " is at two peers");
  if (residents + leaving == 0 && !done_.contains(task))
    break_rule("one-copy", name_of(task) + " is nowhere");
  if (residents == 1 && forwards >= visited_[task].size())
    break_rule("few-forwarders", name_of(task) + " has more forwarders than peers that it left");
}

// As far as any locator here knows.
inline auto LocatorSystem::epoch_of(TaskId task) const -> Epoch {
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

// Checks the chain from every address that an unfinished task carries, wherever that task is or is
// going.
inline void LocatorSystem::check_chains() {
  for (const auto& peer : peers_)
    for (const auto& [task, place] : peer->places()) {
      const Mobile* mobile = nullptr;
      if (const auto* resident = std::get_if<Resident>(&place)) mobile = &resident->mobile;
      if (const auto* leaving = std::get_if<Leaving>(&place)) mobile = &leaving->mobile;
      if (mobile == nullptr || done_.contains(task) || mobile->epoch < epoch_of(task)) continue;
      for (const auto& successor : mobile->successors) check_chain(successor.task, successor.at);
    }
}

inline void LocatorSystem::check_chain(TaskId task, Address at) {
  if (done_.contains(task)) return;
  const Epoch latest = epoch_of(task);
  if (at.version > latest)
    break_rule("addresses-true", "an address of " + name_of(task) + " is of an epoch to come");
  while (!broken_) {
    if (locator(at.peer).find<Resident>(task) != nullptr ||
        locator(at.peer).find<Leaving>(task) != nullptr)
      return;
    const auto* forward = locator(at.peer).find<Forward>(task);
    if (forward == nullptr && at.version == latest) return;  // it is on its way there
    if (forward == nullptr || forward->next.version <= at.version)
      return break_rule("chains-lead", "the chain to " + name_of(task) + " breaks at peer " +
                                           std::to_string(at.peer.value));
    at = forward->next;
  }
}

// Every history comes to its end, with all tasks done, and leaves nothing that should go.
inline core::Broken LocatorSystem::verdict(bool over) {
  using agents::locator::Cleanup;
  if (!over) return {};
  if (done_.size() < tasks_.size()) return {"no-task-lost", "a task was never done"};
  const Cleanup cleanup = options_.locator.cleanup;
  const bool swept = cleanup == Cleanup::at_start || cleanup == Cleanup::both;
  for (const auto& peer : peers_) {
    // A datum that comes a second time, when all have passed, is given up with time: there is none.
    if (copied_ > 0 && !swept) continue;
    if (peer->parked() + peer->buffered() > 0) return {"nothing-waits", "something waits"};
    if (!peer->quiet()) return {"nothing-waits", "a peer expects an answer that will not come"};
    for (const auto& [task, place] : peer->places())
      if (swept && std::holds_alternative<Forward>(place))
        return {"nothing-waits", "there is a forwarder to " + name_of(task)};
  }
  return {};
}

inline std::string LocatorSystem::words(const core::Choice& choice) const {
  for (const auto& [key, deed] : deeds()) {
    if (key != choice.key) continue;
    const std::string who = "peer " + std::to_string(deed.at.value);
    switch (deed.kind) {
      case Deed::Kind::deliver:
        return who + " gets " + words_of(flying_[deed.packet].message) + " from " +
               std::to_string(flying_[deed.packet].from.value);
      case Deed::Kind::call_off:
        return who + " calls the move of " + name_of(deed.task) + " off";
      case Deed::Kind::copy:
        return who + " will get twice " + words_of(flying_[deed.packet].message) + " from " +
               std::to_string(flying_[deed.packet].from.value);
      case Deed::Kind::move:
        return who + " moves " + name_of(deed.task) + " to " + std::to_string(deed.to.value);
      case Deed::Kind::start:
        return who + " starts " + name_of(deed.task);
      case Deed::Kind::finish:
        return who + " finishes " + name_of(deed.task);
    }
  }
  return {};
}

}  // namespace rhizome::test
