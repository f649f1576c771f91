// The Organic Grid and its hybrid as schedulers of the catalogue.
#include <algorithm>

#include "agents/organic_grid/organic_grid.hpp"
#include "agents/schedulers.hpp"

namespace rhizome::agents {

std::vector<PeerId> grid_roots(const grid::Options& options, const World& world) {
  std::vector<PeerId> roots{world.source};
  core::Rng rng = core::Rng::derive({world.seed}, "roots");
  while (roots.size() < std::min(options.roots, world.peers())) {
    const PeerId peer{static_cast<std::uint32_t>(rng.below(world.peers()))};
    if (std::find(roots.begin(), roots.end(), peer) == roots.end()) roots.push_back(peer);
  }
  return roots;
}

namespace {

std::vector<PeerId> essential(const grid::Options& options, const World& world) {
  return grid_roots(options, world);
}

// Jobs are dealt to the roots in turn.
Entries entries(const grid::Options& options, const World& world) {
  const std::vector<PeerId> roots = grid_roots(options, world);
  return {.of =
              [roots](TaskId task) {
                const PeerId root = roots[task.job % roots.size()];
                return Entry{root, root};
              },
          .keepers = roots};
}

std::string refusal(const grid::Options& options, const World& world) {
  if (options.roots > world.peers()) return "there are more roots than peers";
  if (options.widest > 0 && options.widest <= options.max_children)
    return "widest has an effect only above max_children";
  if (options.timeout < 4 * world.longest_delay)
    return "timeout must be at least four times the longest delay of the network";
  if (options.give_up.count() > 0 && options.give_up < 4 * options.timeout)
    return "give_up must be 0 or at least four time-outs";
  if (options.only_faster &&
      (!options.promotion || options.metric != grid::ChildMetric::executions))
    return "only_faster has an effect only with promotion and metric = \"executions\"";
  const Discipline& discipline = discipline_of(world.capacities.front().discipline);
  if (discipline.rule == Discipline::Rule::divides && !options.prefetch && options.ahead == 0)
    return "peers.discipline divides processors among the tasks that a peer holds, and without "
           "prefetch it holds one for each";
  return {};
}

// A task that is handed to a worker ahead waits for those before it there.
core::Duration waits(const grid::Options& options, const World& world) {
  const auto slowest =
      std::min_element(world.capacities.begin(), world.capacities.end(),
                       [](const auto& a, const auto& b) { return a.speed < b.speed; });
  return core::from_seconds(options.ahead * core::seconds(world.profile.longest) / slowest->speed);
}

constexpr InTime in_time{
    5, "since tasks come down a tree by portions, and a slow peer may have some of the last"};

}  // namespace

Scheduler organic_grid() {
  return make_scheduler<grid::Options>(
      {.name = "organic-grid",
       .summary = "agents clone to idle neighbours; the tree of clones moves fast peers to the top",
       .serves = true,
       .in_time = in_time,
       .settings = grid::settings(),
       .times = {{"ask_again", TimeoutPurpose::work}},
       .equip = equip_grid,
       .entries = entries,
       .essential = essential,
       .stay = essential,
       .patience = grid::patience,
       .refusal = refusal});
}

Scheduler hybrid() {
  return make_scheduler<grid::Options>(
      {.name = "hybrid",
       .summary = "the Organic Grid's tree, made of leaders with groups as in Air Traffic Control",
       .serves = true,
       .in_time = in_time,
       .settings = grid::hybrid_settings(),
       .times = {{"ask_again", TimeoutPurpose::work}},
       .defaults = grid::hybrid_defaults,
       .equip = equip_grid,
       .entries = entries,
       .essential = essential,
       .patience = grid::patience,
       .waits = waits,
       .refusal = refusal});
}

}  // namespace rhizome::agents
