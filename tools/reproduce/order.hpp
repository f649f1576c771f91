// The order in which published results are listed and reported: by scheduler, then overlays and
// laws.
#pragma once

#include <string_view>

namespace rhizome::tools {

inline constexpr std::string_view order_of_results[] = {
    "fig5-1.toml",
    "fig5-2.toml",
    "fig5-3.toml",
    "fig5-4.toml",
    "fig5-5.toml",
    "density.toml",
    "tree.toml",
    "promotion.toml",
    "rise.toml",
    "machines.toml",
    "children.toml",
    "adaptive.toml",
    "hybrid.toml",
    "spread.toml",
    "cloud.toml",
    "load.toml",
    "load-hosts.toml",
    "random-a.toml",
    "random-b.toml",
    "random-c.toml",
    "exponential.toml",
    "single-slot.toml",
    "vector-phases.toml",
    "vector-vectors.toml",
    "vector-frequency.toml",
    "vector-requests.toml",
    "vector-metrics.toml",
    "vector-stasis.toml",
    "vector-remedies.toml",
    "sharing.toml",
    "second-job.toml",
    "worker-failure.toml",
    "takeover.toml",
    "failover.toml",
    "provision-formula.toml",
    "provision-formula-down.toml",
    "provision-policy.toml",
    "graphs-phases.toml",
    "graphs-leaders.toml",
    "forwarders-burden.toml",
    "forwarders-swaps.toml",
    "forwarders-registry.toml",
    "forwarders-chain.toml",
    "forwarders-compression.toml",
    "cyclon.toml",
    "healing.toml",
    "gradient.toml",
    "queues.toml",
    "choices.toml",
    "dispatch-report.toml",
    "dispatch-herding.toml",
    "dispatch-estimates.toml",
};

}  // namespace rhizome::tools
