// The metrics of access lines, for runs where a bandwidth limits peers.
#include <algorithm>
#include <cmath>

#include "scenarios/outcome/metrics.hpp"

namespace rhizome::scenarios {

namespace {

using core::ChannelUsage;
using core::LineUsage;

// The largest share of the run for which that direction of the line of a peer was busy.
double busiest(const Outcome& outcome, ChannelUsage LineUsage::*direction) {
  double most = not_applicable;
  for (const PeerOutcome& peer : outcome.peers)
    if (peer.line) most = std::fmax(most, core::seconds(((*peer.line).*direction).busy));
  const double run = core::seconds(outcome.ended);
  return run > 0 ? most / run : not_applicable;  // fmax prefers a number
}

// The mean time that a packet waits in both queues together, without its own transmission. Summed
// in seconds, since the sum over all peers of a long run may overflow a count of nanoseconds.
double mean_queueing(const Outcome& outcome) {
  double waited = 0;
  std::uint64_t sent = 0;
  for (const PeerOutcome& peer : outcome.peers) {
    if (!peer.line) continue;
    waited += core::seconds(peer.line->up.waited) + core::seconds(peer.line->down.waited);
    sent += peer.line->up.packets;
  }
  return sent > 0 ? waited / static_cast<double>(sent) : not_applicable;
}

double longest_queueing(const Outcome& outcome) {
  double longest = not_applicable;
  for (const PeerOutcome& peer : outcome.peers)
    if (peer.line)
      longest = std::fmax(longest,
                          core::seconds(std::max(peer.line->up.longest, peer.line->down.longest)));
  return longest;
}

}  // namespace

std::vector<Metric> network_metrics() {
  return {
      {"uplink_busy_top1", "busiest uplink", "",
       "Share of the run during which the busiest uplink of a peer was sending.", false,
       Better::neither, [](const Outcome& o) { return busiest(o, &LineUsage::up); }},
      {"downlink_busy_top1", "busiest downlink", "",
       "Share of the run during which the busiest downlink of a peer was receiving.", false,
       Better::neither, [](const Outcome& o) { return busiest(o, &LineUsage::down); }},
      {"queueing_delay_mean", "mean queueing delay", "s",
       "Time that a packet waited for others at both access lines together; the mean over packets.",
       false, Better::less, mean_queueing},
      {"queueing_delay_max", "longest queueing delay", "s",
       "Longest time that a packet waited for others at one access line.", false, Better::less,
       longest_queueing},
  };
}

}  // namespace rhizome::scenarios
