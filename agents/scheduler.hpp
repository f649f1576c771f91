// What a scheduler is to an experiment: a name, a sentence, a table of options, and a function that
// equips one peer. Adding one costs a file pair and a line in agents/catalogue.cpp.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/executor.hpp"
#include "agents/task.hpp"
#include "core/peer/peer.hpp"
#include "core/peer/setting.hpp"
#include "overlay/graph.hpp"

namespace rhizome::agents {

// What is the same for all schedulers that one experiment compares. Outlives every peer; const.
struct World {
  overlay::Graph graph;
  std::vector<Capacity> capacities;  // by peer
  core::PeerId source;               // where jobs arrive: OG's root, ATC's queue
  Workload workload;
  std::uint64_t seed = 0;           // of this repetition
  core::Duration longest_delay{0};  // a bound on one way of the network, for time-outs
  // Of the source's first life: above 0 where it is not there at the start.
  core::Incarnation source_begins{};

  [[nodiscard]] std::uint32_t peers() const { return graph.peers(); }
};

// Adds a scheduler's services to a peer. Called from several threads at once.
using Equipment = std::function<void(core::Peer&)>;

// How long a mistake may show in a structure of peers, a tree or groups, while they follow a fault.
// The default is that of the slowest sensible failure detector.
struct Patience {
  // Until nobody follows a peer that is gone or no longer leads.
  core::Duration notice = std::chrono::seconds(30);
  // From then on, until whoever lost its place has another or gives up.
  core::Duration mend = std::chrono::seconds(30);
  friend bool operator==(const Patience&, const Patience&) = default;
};

// One scheduler of the catalogue, its options type erased.
struct Scheduler {
  std::string_view name;        // the word in a scenario
  std::string_view summary;     // one line for `rhizome list`
  bool at_least_once = false;   // tasks that are overdue may be handed out again without a fault
  std::uint32_t most_hops = 0;  // of a task to its executor, without a fault; 0: no promise
  bool hears_goodbyes = false;  // of peers that leave; to others they crash
  std::vector<core::Setting> settings;
  std::function<std::any()> defaults;
  std::function<void*(std::any& options)> address;  // what the settings assign to
  // Works out once what all peers of a run share, and gives what equips each of them. Options and
  // world outlive it. Where that takes long, it is given up once `stopped` says so; such a run will
  // not be.
  std::function<Equipment(const std::any& options, const World&,
                          const std::function<bool()>& stopped)>
      prepare;
  // The same for one peer by itself.
  void equip(core::Peer& peer, const std::any& options, const World& world) const {
    prepare(options, world, [] { return false; })(peer);
  }
  // Peers whose death the scheduler does not promise to survive; always contains world.source.
  std::function<std::vector<core::PeerId>(const std::any& options, const World&)> essential;
  // What these options ask of whoever judges the structure of peers.
  std::function<Patience(const std::any& options)> patience;
  // Why these options cannot work together or in this world, as a sentence; empty if they can.
  std::function<std::string(const std::any& options, const World&)> refusal;
};

// Declares a scheduler with options of type O. For a tiny one, `equip` is all that is needed; one
// whose peers share what takes long to work out has `prepare` instead.
template <class O>
struct SchedulerParts {
  std::string_view name;
  std::string_view summary;
  bool at_least_once = false;
  std::uint32_t most_hops = 0;
  bool hears_goodbyes = false;
  core::Settings<O> settings{};
  O (*defaults)() = [] { return O{}; };
  void (*equip)(core::Peer&, const O&, const World&) = nullptr;
  Equipment (*prepare)(const O&, const World&, const std::function<bool()>& stopped) = nullptr;
  std::vector<core::PeerId> (*essential)(const O&, const World&) = nullptr;
  Patience (*patience)(const O&) = nullptr;
  std::string (*refusal)(const O&, const World&) = nullptr;
};

template <class O>
[[nodiscard]] Scheduler make_scheduler(SchedulerParts<O> parts) {
  Scheduler made;
  made.name = parts.name;
  made.summary = parts.summary;
  made.at_least_once = parts.at_least_once;
  made.most_hops = parts.most_hops;
  made.hears_goodbyes = parts.hears_goodbyes;
  made.settings = parts.settings.list();
  made.defaults = [defaults = parts.defaults] { return std::any(defaults()); };
  made.address = [](std::any& options) -> void* { return std::any_cast<O>(&options); };
  made.prepare = [equip = parts.equip, prepare = parts.prepare](
                     const std::any& any, const World& world,
                     const std::function<bool()>& stopped) -> Equipment {
    const O& options = *std::any_cast<O>(&any);
    if (prepare != nullptr) return prepare(options, world, stopped);
    return [=, &options, &world](core::Peer& peer) { equip(peer, options, world); };
  };
  made.essential = [essential = parts.essential](const std::any& options, const World& world) {
    if (essential == nullptr) return std::vector<core::PeerId>{world.source};
    return essential(*std::any_cast<O>(&options), world);
  };
  made.patience = [patience = parts.patience](const std::any& options) {
    return patience == nullptr ? Patience{} : patience(*std::any_cast<O>(&options));
  };
  made.refusal = [refusal = parts.refusal](const std::any& options, const World& world) {
    return refusal == nullptr ? std::string() : refusal(*std::any_cast<O>(&options), world);
  };
  return made;
}

// Every scheduler of the project, in the order of `rhizome list`.
[[nodiscard]] std::span<const Scheduler> catalogue();

// The scheduler of that name, or nullptr.
[[nodiscard]] const Scheduler* find_scheduler(std::string_view name);

}  // namespace rhizome::agents
