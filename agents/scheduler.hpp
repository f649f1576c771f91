// An experiment sees a scheduler as a name, a sentence, a table of options, and a function that
// equips one peer. Adding one costs a file, and a line each in schedulers.hpp and catalogue.cpp.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "agents/arrivals.hpp"
#include "agents/client.hpp"
#include "agents/file_options.hpp"
#include "agents/pace.hpp"
#include "agents/resources.hpp"
#include "agents/task.hpp"
#include "core/peer/peer.hpp"
#include "core/peer/setting.hpp"
#include "overlay/graph.hpp"

namespace rhizome::agents {

// The world of an experiment, equal for all schedulers that it compares. Outlives every peer;
// const.
struct World {
  overlay::Graph graph;
  std::vector<Capacity> capacities;  // by peer
  core::PeerId source;               // where work enters, mostly: OG's root, ATC's queue
  Profile profile;                   // of the work
  OpenArrivals arrivals;             // the work itself, for schedulers that may foresee it
  bool live = false;                 // work comes during the run, so it cannot be foreseen; the
                                     // profile has upper bounds
  std::uint64_t seed = 0;            // of this repetition
  core::Duration longest_delay{0};   // a bound on one way of the network while nothing is queued
  core::Duration longest_queue{0};   // of data of simultaneous work before a slow line
  std::set<core::PeerId> late{};     // not there at the start
  bool real_time = false;            // its engine takes the time that work really takes
  bool loses = false;                // messages, by its network or with peers that are struck
  files::Options files{};            // what tasks take along and leave
  bool handling_costs = false;       // time, of events
  bool shares_processors = false;    // peers do, and a task may take longer than it says
  bool provisioned = false;          // its peers come and go by need

  [[nodiscard]] std::uint32_t peers() const { return graph.peers(); }
  // The longest delay of one way through the network, for time-outs.
  [[nodiscard]] core::Duration longest_way() const { return longest_delay + longest_queue; }
  [[nodiscard]] std::vector<core::PeerId> all_peers() const {
    std::vector<core::PeerId> all(peers());
    for (std::uint32_t i = 0; i < peers(); ++i) all[i] = core::PeerId{i};
    return all;
  }
  [[nodiscard]] std::vector<core::PeerId> others(core::PeerId self) const {
    std::vector<core::PeerId> all = all_peers();
    std::erase(all, self);
    return all;
  }
  // The first life of a peer; a late peer joins as if it restarted.
  [[nodiscard]] core::Incarnation first_life(core::PeerId peer) const {
    return {late.contains(peer) ? 1U : 0U};
  }
};

// Adds a scheduler's services to a peer, and a Client where work may enter. Called from several
// threads at once.
using Equipment = std::function<void(core::Peer&)>;

// What a run of a scheduler is made of.
struct Deployment {
  Equipment equip;
  Entries entries;
  // Lets no peer wait any longer for what is outside of the run; none: none waits.
  std::function<void()> hang_up{};
};

// The promised time of a scheduler without faults: within so many times a greedy schedule, as
// defined in scenarios/experiment/in_time.hpp; 0: no promise.
struct InTime {
  double times = 0;
  std::string_view reason{};  // why so many times, or why there is no promise, as a clause
};

// One scheduler of the catalogue, its options type erased.
struct Scheduler {
  std::string_view name;        // the word in a scenario
  std::string_view summary;     // one line for `rhizome list`
  bool at_least_once = false;   // tasks that are overdue may be handed out again without a fault
  std::uint32_t most_hops = 0;  // of a task to its executor, without a fault; 0: no promise
  bool hears_goodbyes = false;  // goodbyes of peers that leave; if not, leaving is a crash
  bool serves = false;          // its peers are servers, of whatever discipline
  bool finds_room = false;      // gives a task only to peers that have what it needs
  InTime in_time{};
  std::vector<core::Setting> settings;
  std::map<std::string_view, TimeoutPurpose>
      times;  // among them, and what else follows the workload;
              // times that are not here are for recovery
  // What one of the settings that are times is for.
  [[nodiscard]] TimeoutPurpose use_of(std::string_view time) const {
    const auto known = times.find(time);
    return known == times.end() ? TimeoutPurpose::recovery : known->second;
  }
  std::function<std::any()> defaults;
  std::function<void*(std::any& options)> address;  // what the settings assign to
  // Computes once what all peers of a run share, and returns the deployment. Options and world
  // outlive it. A long computation is given up once `stopped` returns true; such a run does not
  // start.
  std::function<Deployment(const std::any& options, const World&,
                           const std::function<bool()>& stopped)>
      prepare;
  // The same for one peer by itself.
  void equip(core::Peer& peer, const std::any& options, const World& world) const {
    prepare(options, world, [] { return false; }).equip(peer);
  }
  // Peers whose death the scheduler does not promise to survive; always contains world.source.
  std::function<std::vector<core::PeerId>(const std::any& options, const World&)> essential;
  // Peers that stay where others come and go by need; the others hear provision::Draining, and
  // raise the other signals of provisioning. Empty: no peer of the scheduler can be drained.
  std::function<std::vector<core::PeerId>(const std::any& options, const World&)> stay;
  // How patient a judge of the structure of peers must be under these options.
  std::function<Patience(const std::any& options)> patience;
  // What these options let each task wait for, beside its turn.
  std::function<core::Duration(const std::any& options, const World&)> waits;
  // Whether `in_time` is promised under these options.
  std::function<bool(const std::any& options)> keeps_time;
  // Why these options cannot work together or in this world, as a sentence; empty if they can.
  std::function<std::string(const std::any& options, const World&)> refusal;
  // What a user should know of these options in this world, though they work; mostly empty.
  std::function<std::string(const std::any& options, const World&)> remark;
  // Names the directory of the run's logs, unless the options name another. Empty: the scheduler
  // writes none.
  std::function<void(std::any& options, const std::string& directory)> keep_logs;
};

// For `equip` and `essential` of the smallest schedulers: a peer is one protocol, constructed from
// its address, the options and the world; and no peer may die.
struct NoOptions {};
template <class P, class O>
void equip_with(core::Peer& peer, const O& options, const World& world) {
  peer.add<P>(peer.id(), options, world);
}
template <class O>
std::vector<core::PeerId> all_peers(const O&, const World& world) {
  return world.all_peers();
}

// Declares a scheduler with options of type O. `equip` is all that is needed: the peer that keeps
// the books gets a Client, which is the source unless there are `entries`, which let work enter
// there only. A scheduler whose peers share a result that takes long to compute, or where work
// enters elsewhere, has `prepare` instead of both, and adds Clients itself.
template <class O>
struct SchedulerParts {
  std::string_view name;
  std::string_view summary;
  bool at_least_once = false;
  std::uint32_t most_hops = 0;
  bool hears_goodbyes = false;
  bool serves = false;
  bool finds_room = false;
  InTime in_time{};
  core::Settings<O> settings{};
  std::map<std::string_view, TimeoutPurpose> times{};
  O (*defaults)() = [] { return O{}; };
  void (*equip)(core::Peer&, const O&, const World&) = nullptr;
  Entries (*entries)(const O&, const World&) = nullptr;
  Deployment (*prepare)(const O&, const World&, const std::function<bool()>& stopped) = nullptr;
  std::vector<core::PeerId> (*essential)(const O&, const World&) = nullptr;
  std::vector<core::PeerId> (*stay)(const O&, const World&) = nullptr;
  Patience (*patience)(const O&) = nullptr;
  core::Duration (*waits)(const O&, const World&) = nullptr;
  bool (*keeps_time)(const O&) = nullptr;
  std::string (*refusal)(const O&, const World&) = nullptr;
  std::string (*remark)(const O&, const World&) = nullptr;
  // Which part holds back tasks of graphs until they may run; the client by default.
  Releases (*releases)(const O&) = nullptr;
  void (*keep_logs)(O&, const std::string& directory) = nullptr;
};

// A function of options, as one of options whose type is erased; where there is none, `otherwise`.
template <class R, class O, class... A>
[[nodiscard]] auto erased(R (*function)(const O&, A...), std::type_identity_t<R> otherwise) {
  return [=](const std::any& options, A... more) {
    return function == nullptr ? otherwise : function(*std::any_cast<O>(&options), more...);
  };
}

template <class O>
[[nodiscard]] Scheduler make_scheduler(SchedulerParts<O> parts) {
  Scheduler made;
  made.name = parts.name;
  made.summary = parts.summary;
  made.at_least_once = parts.at_least_once;
  made.most_hops = parts.most_hops;
  made.hears_goodbyes = parts.hears_goodbyes;
  made.serves = parts.serves;
  made.finds_room = parts.finds_room;
  made.in_time = parts.in_time;
  made.settings = parts.settings.list();
  made.times = std::move(parts.times);
  made.defaults = [defaults = parts.defaults] { return std::any(defaults()); };
  made.address = [](std::any& options) -> void* { return std::any_cast<O>(&options); };
  made.prepare = [equip = parts.equip, entries = parts.entries, prepare = parts.prepare,
                  releases = parts.releases](const std::any& any, const World& world,
                                             const std::function<bool()>& stopped) -> Deployment {
    const O& options = *std::any_cast<O>(&any);
    if (prepare != nullptr) return prepare(options, world, stopped);
    const Entries doors = entries != nullptr ? entries(options, world) : enter_at(world.source);
    const Releases who = releases != nullptr ? releases(options) : Releases::client;
    return {.equip =
                [=, &options, &world](core::Peer& peer) {
                  equip(peer, options, world);
                  if (doors.kept_by(peer.id())) peer.add<Client>(world.first_life(peer.id()), who);
                },
            .entries = doors};
  };
  made.essential = [essential = parts.essential](const std::any& options, const World& world) {
    if (essential == nullptr) return std::vector<core::PeerId>{world.source};
    return essential(*std::any_cast<O>(&options), world);
  };
  if (parts.stay != nullptr) made.stay = erased(parts.stay, {});
  made.patience = erased(parts.patience, {});
  made.waits = erased(parts.waits, {});
  made.keeps_time = erased(parts.keeps_time, true);
  made.refusal = erased(parts.refusal, {});
  made.remark = erased(parts.remark, {});
  if (parts.keep_logs != nullptr)
    made.keep_logs = [keep = parts.keep_logs](std::any& options, const std::string& directory) {
      keep(*std::any_cast<O>(&options), directory);
    };
  return made;
}

// Every scheduler of the project, in the order of `rhizome list`.
[[nodiscard]] std::span<const Scheduler> catalogue();

// The scheduler of that name, or nullptr.
[[nodiscard]] const Scheduler* find_scheduler(std::string_view name);

}  // namespace rhizome::agents
