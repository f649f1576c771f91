// The checkers of tasks that locators find. They read the facts of a run in order, and keep the
// state of every task at every peer. Rules that involve several peers are judged once all facts of
// the same time are read, because these have no order among each other.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "scenarios/outcome/findings.hpp"
#include "scenarios/outcome/whereabouts.hpp"

namespace rhizome::scenarios {

namespace {

using namespace agents::locator;
using agents::TaskId;
using agents::TaskStarted;
using core::PeerId;

std::string title_of(TaskId id) {
  return "task " + std::to_string(id.job) + "." + std::to_string(id.portion);
}

class Watch {
 public:
  Watch(const Outcome& outcome, Findings& findings) : outcome_(outcome), findings_(findings) {
    for (const PeerOutcome& peer : outcome.peers) {
      if (!peer.alive || peer.restarts > 0) died_.insert(peer.id);
      if (peer.restarts > 0) forgetful_ = true;
    }
  }

  void run() {
    outcome_.facts
        .in_order<LocatorStarted, DatumPromised, TaskSettled, TaskLeft, MoveEnded, ForwarderLeft,
                  ForwarderTurned, ForwarderGone, AddressLearned, DatumSent, DatumGiven,
                  DatumTakenAlong, SearchHeld, SearchReleased, TaskStarted>(
            [this](const auto& noted) {
              if (noted.at > now_) end_moment();
              now_ = noted.at;
              on(noted);
            });
    end_moment();
    if (outcome_.ending == core::Ending::finished && died_.empty()) check_end();
  }

 private:
  void on(const Noted<LocatorStarted>& noted) { started_ = noted.fact; }
  void on(const Noted<DatumPromised>& noted) {
    const auto& [task, giver, at, version, bytes] = noted.fact;
    tracks_[task].edges[giver] = {.at = at, .version = version};
  }
  void on(const Noted<DatumTakenAlong>& noted) {
    const auto& [task, giver, epoch] = noted.fact;
    tracks_[task].given.emplace(giver, epoch / generation);
  }

  void on(const Noted<TaskSettled>& noted) {
    const auto& [task, epoch, awaits] = noted.fact;
    Track& track = tracks_[task];
    Spot& spot = track.spots[noted.peer];
    if (!track.settled.emplace(epoch, noted.peer).second && !forgetful_)
      broken("one-copy", noted, task, " is twice in epoch " + std::to_string(epoch));
    if (epoch % generation != 0) arrivals_.push_back({noted, task, epoch});
    if (spot.state == Spot::State::forwards && !died_.contains(noted.peer))
      broken("one-forwarder", noted, task, " is where there is a forwarder to it");
    spot = {.state = Spot::State::resident, .epoch = epoch, .awaits = awaits};
    track.visited.insert(noted.peer);
    track.latest = std::max(track.latest, epoch);
  }
  void on(const Noted<TaskLeft>& noted) {
    const auto& [task, receiver, epoch] = noted.fact;
    Track& track = tracks_[task];
    Spot& spot = track.spots[noted.peer];
    const bool here = spot.state == Spot::State::resident && spot.epoch + 1 == epoch;
    const bool first = track.left.emplace(epoch, TaskMove{noted.peer, receiver}).second;
    if ((!here || !first) && !forgetful_)
      broken(
          "one-copy", noted, task,
          " goes in epoch " + std::to_string(epoch) + " from where it was not in the one before");
    spot = {.state = Spot::State::leaving, .epoch = epoch};
    track.latest = std::max(track.latest, epoch);
  }
  void on(const Noted<MoveEnded>& noted) { tracks_[noted.fact.task].spots[noted.peer] = {}; }

  void on(const Noted<ForwarderLeft>& noted) {
    const auto& [task, next, version] = noted.fact;
    Track& track = tracks_[task];
    Spot& spot = track.spots[noted.peer];
    if (spot.state != Spot::State::nothing && !died_.contains(noted.peer))
      broken("one-forwarder", noted, task,
             spot.state == Spot::State::forwards ? " has two forwarders at a peer"
                                                 : " is where there is a forwarder to it");
    spot = {.state = Spot::State::forwards, .epoch = version, .next = next};
    addresses_.push_back({noted, task, version});
    changed_.emplace(task, noted);
  }
  void on(const Noted<ForwarderTurned>& noted) {
    const auto& [task, next, version] = noted.fact;
    Spot& spot = tracks_[task].spots[noted.peer];
    if (version <= spot.epoch && !died_.contains(noted.peer))
      broken("addresses-true", noted, task, " has a forwarder that turned to an older address");
    spot.epoch = version;
    spot.next = next;
    addresses_.push_back({noted, task, version});
  }
  void on(const Noted<ForwarderGone>& noted) {
    tracks_[noted.fact.task].spots[noted.peer] = {};
    removals_.emplace_back(noted, noted.fact.task);
  }

  void on(const Noted<AddressLearned>& noted) {
    const auto& [task, giver, at, version, former] = noted.fact;
    Edge& edge = tracks_[task].edges[giver];
    edge.at = at;
    edge.version = version;
    if (version <= former) older_.push_back({noted, task, at, version, former});
    addresses_.push_back({noted, task, version});
  }
  void on(const Noted<DatumSent>& noted) {
    const auto& [task, giver, at, version, again] = noted.fact;
    Edge& edge = tracks_[task].edges[giver];
    if (std::exchange(edge.sent, true) || !tracks_[task].needs(giver)) return;
    // Forwarders that the datum passes at this time may be removed at once, if they waited only for
    // it. So the chain is looked at now and judged at the end of this time.
    if (!tracks_[task].fault_of_chain(at, version).empty())
      journeys_.push_back({noted, task, at, version});
  }
  void on(const Noted<DatumGiven>& noted) {
    const auto& [task, giver, hops] = noted.fact;
    Track& track = tracks_[task];
    Spot& spot = track.spots[noted.peer];
    if (spot.state != Spot::State::resident || spot.awaits == 0)
      broken("data-once", noted, task, " is given what it does not need");
    else
      --spot.awaits;
    if (!track.given.emplace(giver, spot.epoch / generation).second && !forgetful_)
      broken("data-once", noted, task, " is given twice what " + title_of(giver) + " gives");
  }
  void on(const Noted<TaskStarted>& noted) {
    const auto track = tracks_.find(noted.fact.task);
    if (track == tracks_.end()) return;
    const Spot& spot = track->second.spots[noted.peer];
    if (spot.state != Spot::State::resident || spot.awaits > 0)
      broken("data-once", noted, noted.fact.task, " began without all that it needs");
    track->second.begun = true;
  }
  void on(const Noted<SearchHeld>& noted) {
    ++held_[{noted.peer, noted.fact.task, noted.fact.giver}];
  }
  void on(const Noted<SearchReleased>& noted) {
    --held_[{noted.peer, noted.fact.task, noted.fact.giver}];
  }

  void end_moment() {
    for (const auto& [place, task, epoch] : std::exchange(arrivals_, {}))
      check_arrival(place, task, epoch);
    for (const auto& [place, task, at, version, former] : std::exchange(older_, {}))
      if (!tracks_[task].turned_back(at, version, former) && died_.empty())
        broken("addresses-true", place, task, " has an address that became older");
    for (const auto& [place, task, version] : std::exchange(addresses_, {}))
      if (version > tracks_[task].latest && died_.empty())
        broken("addresses-true", place, task, " has an address of an epoch to come");
    const auto journeys = std::exchange(journeys_, {});
    const auto removals = std::exchange(removals_, {});
    const auto changed = std::exchange(changed_, {});
    if (!started_.forwards || !died_.empty()) return;
    // The facts of several peers at one time have no order: a forwarder that was removed at this
    // time may have passed on a datum that was sent at this time.
    std::set<TaskId> unordered;
    for (const auto& [place, task] : removals) unordered.insert(task);
    for (const auto& [place, task, at, version] : journeys) {
      const std::string why = tracks_[task].fault_of_chain(at, version);
      if (!why.empty() && !unordered.contains(task))
        broken("chains-lead", place, task, " cannot be found: " + why);
    }
    for (const auto& [place, task] : removals) check_removal(place, task);
    for (const auto& [task, place] : changed)
      if (const Track& track = tracks_[task]; track.forwarders() >= track.visited.size())
        broken("few-forwarders", place, task, " has more forwarders than peers that it left");
  }

  // The task must have been sent here, or its move from here must have been cancelled.
  void check_arrival(const FactPlace& place, TaskId task, Epoch epoch) {
    const Track& track = tracks_[task];
    const auto passage = track.left.find(epoch);
    const bool moved = passage != track.left.end() &&
                       (passage->second.to == place.peer || passage->second.from == place.peer);
    if (!moved && !forgetful_)
      broken("one-copy", place, task,
             " came in epoch " + std::to_string(epoch) + " although no peer sent it there");
  }

  // A giver that has not sent its datum yet may still need the forwarder.
  void check_removal(const FactPlace& place, TaskId task) {
    const Track& track = tracks_[task];
    for (const auto& [giver, edge] : track.edges) {
      if (edge.sent || !track.needs(giver)) continue;
      const std::string why = track.fault_of_chain(edge.at, edge.version);
      if (!why.empty())
        broken("removal-in-time", place, task,
               " cannot be found any more by " + title_of(giver) + ": " + why);
    }
  }

  void check_end() {
    for (const auto& [task, track] : tracks_) {
      for (const auto& [peer, spot] : track.spots) {
        const FactPlace place{outcome_.ended, peer};
        if (spot.state == Spot::State::leaving)
          broken("nothing-waits", place, task, " is under way at the end");
        if (spot.state == Spot::State::forwards && started_.sweeps)
          broken("nothing-waits", place, task, " has a forwarder at the end");
      }
    }
    for (const auto& [key, count] : held_)
      if (count != 0)
        broken("nothing-waits", {outcome_.ended, std::get<PeerId>(key)}, std::get<1>(key),
               " is still waited for at the end");
  }

  void broken(InvariantName invariant, const FactPlace& place, TaskId task,
              const std::string& what) {
    constexpr std::size_t most = 20;
    findings_.add(invariant, place.peer, place.at, [&] {
      return title_of(task) + what +
             findings_.trail<DatumPromised, TaskSettled, TaskLeft, MoveEnded, ForwarderLeft,
                             ForwarderTurned, ForwarderGone, AddressLearned, DatumSent, DatumGiven,
                             DatumTakenAlong, SearchHeld, SearchReleased, TaskStarted>(
                 [task](const auto& noted) { return noted.fact.task == task; }, place.at, most);
    });
  }

  struct Arrival {
    FactPlace place;
    TaskId task;
    Epoch epoch;
  };
  struct Older {
    FactPlace place;
    TaskId task;
    PeerId at;
    Epoch version;
    Epoch former;
  };
  struct Journey {
    FactPlace place;
    TaskId task;
    PeerId at;
    Epoch version;
  };

  const Outcome& outcome_;
  Findings& findings_;
  std::set<PeerId> died_;
  bool forgetful_ = false;  // a peer restarted, and may repeat a move
  LocatorStarted started_{};
  Time now_{};
  std::map<TaskId, Track> tracks_;
  std::map<std::tuple<PeerId, TaskId, TaskId>, int> held_;
  // Facts of the present time that are not judged yet.
  std::vector<Arrival> arrivals_;
  std::vector<Arrival> addresses_;
  std::vector<Older> older_;
  std::vector<Journey> journeys_;
  std::vector<std::pair<FactPlace, TaskId>> removals_;
  std::map<TaskId, FactPlace> changed_;
};

}  // namespace

void check_locators(const Outcome& outcome, Findings& findings) {
  if (outcome.facts.any<TaskSettled>()) Watch(outcome, findings).run();
}

}  // namespace rhizome::scenarios
