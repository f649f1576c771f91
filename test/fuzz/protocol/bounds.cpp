#include "test/fuzz/protocol/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "agents/bounds/heft.hpp"
#include "agents/central/rules.hpp"
#include "agents/dispatcher/options.hpp"
#include "agents/wander/options.hpp"

namespace rhizome::fuzz {

namespace {

using core::PeerId;
using core::seconds;

// How many tasks with that need of named resources a peer runs at a time.
std::uint32_t room_of(const agents::Capacity& peer, const agents::Amounts& need) {
  std::uint32_t room = peer.slots;
  for (std::size_t name = 0; name < agents::Amounts::most_names; ++name)
    if (need.at(name) > 0) room = std::min(room, peer.named.at(name) / need.at(name));
  return room;
}

// Computes the bounds.
class Measure {
 public:
  Measure(const scenarios::Scenario& scenario, const scenarios::Surroundings& around)
      : scenario_(scenario),
        around_(around),
        world_(around.world),
        choice_(scenario.schedulers.front()),
        alive_(world_.peers(), true) {
    for (const PeerId peer : choice_.scheduler->essential(choice_.options, world_))
      essential_.insert(peer);
    for (const core::Fault& fault : around.faults)
      alive_[fault.peer.value] = !core::ends_life(fault.kind);
  }

  [[nodiscard]] Bounds bounds() const {
    Bounds bounds;
    bounds.hopeless = first_loss() >= 0;
    bounds.stranded = stranded();
    bounds.deserted = deserted();
    bounds.witnessed = witnessed();
    bounds.makespan =
        quiet() + waves() * (deal() + travel() + waiting()) + files() + stays() + chain();
    bounds.failure = std::max(quiet(), first_loss()) + (longest() + load()) / slowest() + travel() +
                     waiting() + files();
    bounds.mean_task = mean_duration();
    bounds.disturbances = disturbances();
    bounds.calm = !disturbed();
    bounds.packets_for_work = 300.0 * static_cast<double>(world_.profile.tasks + world_.peers());
    bounds.packets_a_second = 100.0 * world_.peers() / shortest_period();
    return bounds;
  }

 private:
  // The time from which on nothing new happens.
  [[nodiscard]] double quiet() const {
    double last = seconds(world_.profile.last);
    for (const core::Fault& fault : around_.faults) last = std::max(last, seconds(fault.at));
    for (const auto& cut : scenario_.network.partitions) last = std::max(last, seconds(cut.until));
    return last;
  }

  // If tasks add others, each addition may have to wait for all others.
  [[nodiscard]] double waves() const { return world_.profile.grows() ? 3 : 1; }

  // overlay-only lets the source do all the work, and ends when its measurements are done.
  [[nodiscard]] bool only_looks() const { return choice_.scheduler->name == "overlay-only"; }
  // A dispatcher may be no server.
  [[nodiscard]] bool serves(PeerId peer) const {
    if (choice_.scheduler->name != "dispatcher") return true;
    std::any options = choice_.options;
    const auto& chosen =
        *static_cast<const agents::dispatching::Options*>(choice_.scheduler->address(options));
    const std::vector<PeerId> servers = agents::dispatching::servers_of(chosen, world_);
    return std::find(servers.begin(), servers.end(), peer) != servers.end();
  }
  [[nodiscard]] bool works(PeerId peer) const {
    if (!serves(peer)) return false;
    return only_looks() ? peer == world_.source : alive_[peer.value];
  }
  [[nodiscard]] double slots() const {
    double total = slots_of_nodes();
    for (std::uint32_t i = 0; i < world_.peers(); ++i)
      if (works(PeerId{i}) && !is_node(PeerId{i})) total += world_.capacities[i].slots;
    return std::max(total, 1.0);
  }
  [[nodiscard]] bool is_node(PeerId peer) const {
    if (!around_.provision) return false;
    const std::vector<PeerId>& nodes = around_.provision->nodes;
    return std::find(nodes.begin(), nodes.end(), peer) != nodes.end();
  }
  [[nodiscard]] double slots_of_nodes() const {
    if (!around_.provision) return 0;
    std::uint32_t fewest = std::numeric_limits<std::uint32_t>::max();
    for (const PeerId node : around_.provision->nodes)
      fewest = std::min(fewest, world_.capacities[node.value].slots);
    return double{1} * around_.provision->limits.least * fewest;
  }
  [[nodiscard]] double slowest() const {
    double least = 1e9;
    for (std::uint32_t i = 0; i < world_.peers(); ++i)
      if (works(PeerId{i})) least = std::min(least, world_.capacities[i].speed);
    return least;
  }
  [[nodiscard]] double longest() const { return seconds(world_.profile.longest); }
  // Tasks that occupy several slots count as several. Tasks with a need that only some peers meet
  // go to these in addition to their share of all.
  [[nodiscard]] double tasks_of_a_slot() const {
    const std::map<agents::Amounts, double> needs = pieces_by_need();
    double pieces = 0;
    double crowd = 0;
    for (const auto& [need, own] : needs) {
      pieces += own;
      if (need == agents::Amounts{}) continue;
      const auto asks_more = [&need = need](const auto& other) { return need.within(other.first); };
      double alike = 0;
      for (const auto& other : needs)
        if (asks_more(other)) alike += other.second;
      crowd = std::max(crowd, alike / std::max(room_for(need), 1.0));
    }
    return pieces / slots() + crowd;
  }
  [[nodiscard]] std::map<agents::Amounts, double> pieces_by_need() const {
    std::map<agents::Amounts, double> pieces;
    const auto arrivals = world_.arrivals();
    while (const auto job = arrivals->next())
      for (const agents::Task& task : job->portions) pieces[task.named] += task.cpus;
    return pieces;
  }
  // How many tasks with that need run at a time.
  [[nodiscard]] double room_for(const agents::Amounts& need) const {
    double room = 0;
    for (std::uint32_t i = 0; i < world_.peers(); ++i)
      if (works(PeerId{i})) room += room_of(world_.capacities[i], need);
    return room;
  }
  [[nodiscard]] bool stranded() const {
    const auto needs = pieces_by_need();
    return std::any_of(needs.begin(), needs.end(),
                       [&](const auto& each) { return room_for(each.first) == 0; });
  }
  [[nodiscard]] double mean_duration() const { return world_.profile.mean_task(); }
  [[nodiscard]] double deal() const {
    const double mean = tasks_of_a_slot();
    const double most = mean + 3 * std::sqrt(mean * std::log(world_.peers())) + 3;
    return (most * (mean_duration() + load()) + longest() + load()) / slowest();
  }
  // Each query of a coordinator may be a batch of its own, before which a model is loaded.
  [[nodiscard]] double load() const {
    if (choice_.scheduler->name != "coordinator") return 0;
    std::any options = choice_.options;
    const auto& chosen =
        *static_cast<const agents::central::Options*>(choice_.scheduler->address(options));
    std::string why;
    double most = 0;
    for (const agents::central::QueryModel& model :
         agents::central::parse_models(chosen.models, why))
      most = std::max(most, seconds(model.load));
    return most;
  }
  [[nodiscard]] double travel() const {
    return 20 * (tasks_of_a_slot() + 1) * seconds(world_.longest_way());
  }
  // All time-outs and periods of the scheduler.
  [[nodiscard]] std::vector<double> durations() const {
    std::vector<double> found;
    for_settings(core::SettingKind::duration, [&](const core::SettingValue& value) {
      found.push_back(seconds(std::get<core::Duration>(value)));
    });
    return found;
  }
  template <class F>
  void for_settings(core::SettingKind kind, F take) const {
    std::any options = choice_.options;
    const void* address = choice_.scheduler->address(options);
    for (const core::Setting& setting : choice_.scheduler->settings)
      if (setting.kind == kind) take(setting.read(address));
  }
  // Tasks that wander stay for a while before each move, and some for longer than others.
  [[nodiscard]] double stays() const {
    if (choice_.scheduler->name != "wander") return 0;
    std::any options = choice_.options;
    const auto& chosen =
        *static_cast<const agents::wandering::Options*>(choice_.scheduler->address(options));
    return 2 * chosen.moves * seconds(chosen.stay);
  }
  // Tasks that need each other run one after the other, and a search may find them only at the
  // second try.
  [[nodiscard]] double chain() const {
    const agents::GraphShape& graphs = world_.profile.graphs;
    return seconds(graphs.critical_path) / slowest() + graphs.depth * (2 * patience() + carried());
  }
  // Data between tasks take no relevant time on the lines of these worlds; but a plan may be told
  // that they do.
  [[nodiscard]] double carried() const {
    if (choice_.scheduler->name != "heft") return 0;
    std::any options = choice_.options;
    const auto& chosen =
        *static_cast<const agents::bounds::HeftOptions*>(choice_.scheduler->address(options));
    return chosen.bandwidth > 0 ? static_cast<double>(world_.profile.heaviest) / chosen.bandwidth
                                : 0;
  }
  [[nodiscard]] double shortest_period() const {
    double least = 1;
    for (const double each : durations())
      if (each > 0) least = std::min(least, each);
    if (around_.provision) least = std::min(least, seconds(around_.provision->options.interval));
    return least;
  }
  [[nodiscard]] double patience() const {
    const std::vector<double> all = durations();
    double cycles = 1;
    if (only_looks())
      for_settings(core::SettingKind::integer, [&](const core::SettingValue& value) {
        cycles += static_cast<double>(std::get<std::int64_t>(value));
      });
    return cycles * std::accumulate(all.begin(), all.end(), 0.0);
  }
  [[nodiscard]] double waiting() const {
    const double losses = 3 * odds(scenario_.network.loss) * tasks_of_a_slot();
    return ((disturbed() ? 5 : 2) + losses) * patience();
  }
  [[nodiscard]] bool disturbed() const {
    const auto& network = scenario_.network;
    return !around_.faults.empty() || !network.partitions.empty() || network.loss > 0 ||
           network.duplication > 0;
  }
  // A file with a lost chunk waits for its patience, and an output whose maker leaves for that of
  // an offer; a few of these come one after the other.
  [[nodiscard]] double files() const {
    if (!world_.files.used) return 0;
    const double patience = seconds(world_.files.most_patience());
    return patience * (5 + 2 * odds(scenario_.network.loss) * tasks_of_a_slot());
  }
  [[nodiscard]] static double odds(double probability) {
    return probability / std::max(1 - probability, 1e-3);
  }
  // Disturbances, as the number of executions that they may cost.
  [[nodiscard]] std::size_t disturbances() const {
    const auto ends = static_cast<std::size_t>(
        std::count_if(around_.faults.begin(), around_.faults.end(),
                      [](const core::Fault& fault) { return core::ends_life(fault.kind); }));
    const double chance = odds(scenario_.network.loss) + odds(scenario_.network.duplication);
    return 2 * (ends + scenario_.network.partitions.size()) +
           static_cast<std::size_t>(std::ceil(20 * chance));
  }
  // When the first peer dies that must not; negative if none does.
  [[nodiscard]] double first_loss() const {
    for (const core::Fault& fault : around_.faults)
      if (core::ends_life(fault.kind) && essential_.contains(fault.peer)) return seconds(fault.at);
    return -1;
  }
  [[nodiscard]] bool witnessed() const {
    std::set<PeerId> struck = essential_;
    for (const core::Fault& fault : around_.faults) struck.insert(fault.peer);
    return struck.size() < world_.peers();
  }
  [[nodiscard]] bool deserted() const {
    std::set<PeerId> there;
    for (std::uint32_t i = 0; i < world_.peers(); ++i)
      if (!essential_.contains(PeerId{i}) && !comes_later(PeerId{i})) there.insert(PeerId{i});
    if (essential_.size() == world_.peers()) return false;
    core::Time left{};  // by the last of them, if none is there
    for (const core::Fault& fault : around_.faults) {
      if (essential_.contains(fault.peer)) continue;
      if (there.empty() && seconds(fault.at - left) >= longest_time()) return true;
      left = fault.at;
      if (core::ends_life(fault.kind))
        there.erase(fault.peer);
      else
        there.insert(fault.peer);
    }
    return there.empty();
  }
  [[nodiscard]] bool comes_later(PeerId peer) const {
    const auto first =
        std::find_if(around_.faults.begin(), around_.faults.end(),
                     [peer](const core::Fault& fault) { return fault.peer == peer; });
    return first != around_.faults.end() && first->kind == core::Fault::Kind::join;
  }
  [[nodiscard]] double longest_time() const {
    const std::vector<double> all = durations();
    return all.empty() ? 1e9 : *std::max_element(all.begin(), all.end());
  }

  const scenarios::Scenario& scenario_;
  const scenarios::Surroundings& around_;
  const agents::World& world_;
  const scenarios::SchedulerChoice& choice_;
  std::set<PeerId> essential_;
  std::vector<bool> alive_;  // at the end
};

}  // namespace

std::size_t Bounds::executions(double makespan_found) const {
  if (calm) return 1;
  const double handings = std::log2(1 + makespan_found / mean_task);
  return 3 + static_cast<std::size_t>(std::ceil(handings)) + disturbances;
}

Bounds bounds_of(const scenarios::Scenario& scenario, const scenarios::Surroundings& around) {
  return Measure(scenario, around).bounds();
}

}  // namespace rhizome::fuzz
