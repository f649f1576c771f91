// A world of few peers, all neighbours of each other, with one job at peer 0.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "agents/scheduler.hpp"
#include "overlay/graph.hpp"

namespace rhizome::test {

// A world whose jobs a test can name and change.
struct World : agents::World {
  agents::Workload workload{};

  // Tells what the jobs are now: to be called after they were changed.
  World& settle() {
    arrivals = [jobs = workload] { return std::make_unique<agents::ListedArrivals>(jobs); };
    profile = agents::profile_of(*arrivals(), {.somebody = [this](const agents::Task& task) {
      return std::any_of(capacities.begin(), capacities.end(),
                         [&task](const agents::Capacity& peer) {
                           return agents::resources_of(task).within(peer.room());
                         });
    }});
    return *this;
  }
};

struct SmallWorld {
  std::uint32_t jobs = 1;
  std::uint32_t portions = 18;
  std::uint32_t peers = 4;
};

inline World small_world(SmallWorld size = {}) {
  std::vector<overlay::Edge> edges;
  for (std::uint32_t a = 0; a < size.peers; ++a)
    for (std::uint32_t b = a + 1; b < size.peers; ++b) edges.emplace_back(a, b);
  World world;
  world.graph = overlay::graph_of(size.peers, edges);
  world.capacities = std::vector<agents::Capacity>(size.peers);
  world.source = core::PeerId{0};
  world.seed = 1;
  for (std::uint32_t job = 0; job < size.jobs; ++job) {
    agents::Job made{.id = job, .arrival = {}, .portions = {}};
    for (std::uint32_t portion = 0; portion < size.portions; ++portion)
      made.portions.push_back({.id = {job, portion}, .duration = std::chrono::milliseconds(100)});
    world.workload.jobs.push_back(std::move(made));
  }
  return world.settle();
}

}  // namespace rhizome::test
