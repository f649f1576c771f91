// A world of few peers, everybody's neighbour, with one job at peer 0: enough for a conversation.
#pragma once

#include <vector>

#include "agents/scheduler.hpp"
#include "overlay/graph.hpp"

namespace rhizome::test {

struct SmallWorld {
  std::uint32_t jobs = 1;
  std::uint32_t portions = 18;
  std::uint32_t peers = 4;
};

inline agents::World small_world(SmallWorld size = {}) {
  std::vector<overlay::Edge> everybody;
  for (std::uint32_t a = 0; a < size.peers; ++a)
    for (std::uint32_t b = a + 1; b < size.peers; ++b) everybody.emplace_back(a, b);
  agents::World world{.graph = overlay::graph_of(size.peers, everybody),
                      .capacities = std::vector<agents::Capacity>(size.peers),
                      .source = core::PeerId{0},
                      .workload = {},
                      .seed = 1};
  for (std::uint32_t job = 0; job < size.jobs; ++job) {
    agents::Job made{.id = job, .arrival = {}, .portions = {}};
    for (std::uint32_t portion = 0; portion < size.portions; ++portion)
      made.portions.push_back({.id = {job, portion}, .duration = std::chrono::milliseconds(100)});
    world.workload.jobs.push_back(std::move(made));
  }
  return world;
}

}  // namespace rhizome::test
