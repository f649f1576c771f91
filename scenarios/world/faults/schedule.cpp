#include "scenarios/world/faults/schedule.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "core/engine/share.hpp"
#include "core/peer/rng.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/world/faults/events.hpp"
#include "scenarios/world/faults/lifetimes.hpp"
#include "scenarios/world/faults/outages.hpp"

namespace rhizome::scenarios {

namespace {

using core::PeerId;
using core::Rng;
using core::Time;

// "", " and another peer", " and 3 other peers".
std::string others_text(std::size_t others, const std::string& what) {
  if (others == 0) return {};
  return others == 1 ? " and another " + what : fmt::format(" and {} other {}s", others, what);
}

// Essential peers that faults of one kind name: one of them, the source if it is among them, and
// how many others.
class Named {
 public:
  explicit Named(PeerId source) : source_(source) {}
  void add(PeerId peer) {
    all_.insert(peer);
    if (all_.size() == 1 || peer == source_) one_ = peer;
  }
  [[nodiscard]] std::size_t count() const { return all_.size(); }
  [[nodiscard]] PeerId one() const { return one_; }
  [[nodiscard]] std::string text() const {
    const std::string others = others_text(all_.size() - 1, "peer");
    if (one_ != source_) return "peer " + std::to_string(one_.value) + others;
    return "peer " + std::to_string(one_.value) + ", at which work enters" +
           (others.empty() ? "" : "," + others);
  }

 private:
  const PeerId source_;
  PeerId one_{};
  std::set<PeerId> all_;
};

class Scheduling {
 public:
  Scheduling(const WorldSections& sections, const agents::World& world, const Mercy& mercy)
      : sections_(sections), section_(sections.faults), world_(world), mercy_(mercy) {
    for (std::uint32_t i = 0; i < world.peers(); ++i)
      if (!mercy_.essential.contains(PeerId{i})) mortal_.push_back(PeerId{i});
  }

  FaultSchedule run() {
    add_listed_events();
    if (section_.crash_share > 0) add_crashes();
    for (std::size_t i = 0; i < section_.masses.size(); ++i) add_mass(i);
    for (const MachineFailureSection& failure : section_.machines) add_machine(failure);
    remark("[[faults.machine]] takes ", taken_, ", and ");
    const LifetimeModel& lives = lifetime_model(section_.lifetimes.distribution);
    if (lives.has("file")) add_lifetime_file();
    if (lives.law != nullptr) add_drawn_lifetimes();
    std::vector<core::Fault> faults = outages_.faults();
    remark_goodbyes(faults);
    return {std::move(faults), std::move(remarks_)};
  }

 private:
  void remark_goodbyes(const std::vector<core::Fault>& faults) {
    const bool leaves = std::ranges::any_of(
        faults, [](const core::Fault& fault) { return fault.kind == core::Fault::Kind::leave; });
    if (!leaves) return;
    for (const std::string& label : mercy_.deaf)
      remarks_.push_back(label + " hears no goodbyes: a peer that leaves it crashes");
  }

  // One remark for all that faults of one kind name, of which there may be very many.
  void remark(const std::string& before, const Named& named, const std::string& after) {
    if (named.count() == 0) return;
    const Dependants& who = mercy_.essential.at(named.one());
    remarks_.push_back(before + named.text() + after + mercy_.labels.at(who.first) +
                       others_text(who.count - 1, "scheduler") + " may not survive its loss");
  }

  // A peer that is named is struck, essential or not.
  void add_listed_events() {
    Named named(world_.source);
    for (const FaultEventSection& event : section_.events)
      if (mercy_.essential.contains(PeerId{event.peer})) named.add(PeerId{event.peer});
    remark("[[faults.event]] names ", named, ", and ");
    add_events(outages_, section_.events);
  }

  // Each once, at a time of its own.
  void add_crashes() {
    need_mortals("faults.crash_share", "crash_share");
    Rng rng = Rng::derive({world_.seed}, "faults");
    std::vector<PeerId> chosen = mortal_;
    rng.shuffle(std::span(chosen));
    chosen.resize(std::min(chosen.size(),
                           count_of(section_.crash_share, "faults.crash_share", "crash_share")));
    for (const PeerId peer : chosen) {
      const Duration after(rng.between(section_.crash_from.count(), mercy_.crash_until.count()));
      outages_.add(peer, outage_after(Time{} + after, section_.restart_after));
    }
  }

  void add_mass(std::size_t i) {
    need_mortals("faults.mass#" + std::to_string(i), "[[faults.mass]]");
    const MassFailureSection& mass = section_.masses[i];
    for (const PeerId peer :
         choose(mass.share, i, "faults.mass#" + std::to_string(i) + ".share", "mass failure"))
      outages_.add(peer, outage_after(Time{} + mass.at, mass.restart_after));
  }

  // All peers of that machine are struck, essential or not.
  void add_machine(const MachineFailureSection& failure) {
    const std::vector<std::uint32_t> alike(mercy_.machines, 1);
    const core::Share machine(core::Placement::blocks(world_.peers(), alike), failure.machine);
    for (const PeerId peer : machine.peers_of(world_.peers())) {
      if (mercy_.essential.contains(peer)) taken_.add(peer);
      outages_.add(peer, outage_after(Time{} + failure.at, Duration::zero()));
    }
  }

  void add_drawn_lifetimes() {
    need_mortals("faults.lifetimes", "[faults.lifetimes]");
    if (!add_lifetimes(
            outages_, section_.lifetimes,
            choose(section_.lifetimes.share, 0, "faults.lifetimes.share", "lifetimes share"),
            lifetimes_end(), world_.seed))
      refuse(sections_.position("faults.lifetimes"),
             fmt::format("faults.lifetimes: more than {} lives end, whatever their mean: "
                         "choose another shape, or lower faults.lifetimes.until",
                         most_lives));
  }

  void add_lifetime_file() {
    const LifetimesSection& lifetimes = section_.lifetimes;
    const auto how = lifetimes.ends_by == LifetimeEnd::leave ? core::Fault::Kind::leave
                                                             : core::Fault::Kind::crash;
    Named spared(world_.source);
    for (const auto& [peer, list] : read_lifetime_file(lifetimes.file, world_.peers(), how)) {
      if (mercy_.essential.contains(peer)) {
        spared.add(peer);
        continue;
      }
      for (const Outage& outage : list)
        if (outage.from < lifetimes_end()) outages_.add(peer, outage);
    }
    remark(lifetimes.file + ": ", spared,
           std::string(spared.count() == 1 ? " stays" : " stay") + ", because ");
  }

  [[nodiscard]] Time lifetimes_end() const {
    const Duration until = section_.lifetimes.until;
    return Time{} + (until > Duration::zero() ? until : mercy_.limit);
  }

  // A share of 0 is the baseline of a sweep; any other should strike at least one peer.
  [[nodiscard]] std::size_t count_of(double share, const std::string& path,
                                     const std::string& what) const {
    const auto count = static_cast<std::size_t>(std::lround(share * world_.peers()));
    if (share > 0 && count == 0)
      refuse(sections_.position(path), what + " has no effect: this share of " +
                                           std::to_string(world_.peers()) +
                                           " peers rounds to none");
    return count;
  }

  // The given share of all peers, first in a random order by lots: the peers of a smaller share are
  // among those of a larger one.
  [[nodiscard]] std::vector<PeerId> choose(double share, std::uint64_t number,
                                           const std::string& path,
                                           const std::string& purpose) const {
    std::vector<std::pair<std::uint64_t, PeerId>> lots;
    for (const PeerId peer : mortal_)
      lots.emplace_back(core::derive_seed({world_.seed, number, peer.value}, purpose), peer);
    std::ranges::sort(lots);
    lots.resize(std::min(lots.size(), count_of(share, path, purpose)));
    std::vector<PeerId> chosen;
    for (const auto& [lot, peer] : lots) chosen.push_back(peer);
    return chosen;
  }

  // `path`: the key or table that has no effect.
  void need_mortals(const std::string& path, const std::string& what) const {
    if (!mortal_.empty()) return;
    const std::string who = mercy_.frail.empty() ? "its schedulers together survive no crash"
                                                 : mercy_.frail.front() + " survives no crash";
    refuse(sections_.position(path), what + " has no effect: " + who + "; take out " +
                                         (mercy_.frail.empty() ? "some" : mercy_.frail.front()) +
                                         " or the faults");
  }

  const WorldSections& sections_;
  const FaultsSection& section_;
  const agents::World& world_;
  const Mercy& mercy_;
  std::vector<PeerId> mortal_;
  Named taken_{world_.source};  // by machines
  Outages outages_;
  std::vector<std::string> remarks_;
};

}  // namespace

FaultSchedule make_faults(const WorldSections& sections, const agents::World& world,
                          const Mercy& mercy) {
  return Scheduling(sections, world, mercy).run();
}

}  // namespace rhizome::scenarios
