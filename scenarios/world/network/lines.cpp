#include "scenarios/world/network/queueing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace rhizome::scenarios {

core::Rate scaled(core::Rate rate, double factor) {
  if (rate == core::Rate{}) return rate;
  return {
      std::max<std::int64_t>(1, std::llround(static_cast<double>(rate.bits_per_second) * factor))};
}

std::vector<core::Rate> slowest_lines(const NetworkSection& network, const PeersSection& peers) {
  std::vector<core::Rate> lines;
  for (const core::Rate rate : {network.bandwidth_up, network.bandwidth_down})
    if (rate > core::Rate{})
      lines.push_back(network.bandwidth_by_speed ? scaled(rate, peers.speed_min) : rate);
  return lines;
}

}  // namespace rhizome::scenarios
