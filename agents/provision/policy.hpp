// Policies of provisioning: how many nodes a system should add or release. A policy is a pure
// function of the unfinished jobs, the held nodes and the cluster.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "agents/provision/formula.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::provision {

// A position in the catalogue; the first is "none": all peers are always there.
enum class PolicyId : std::uint8_t {};

struct Options {
  PolicyId policy{};
  core::Duration interval = std::chrono::seconds(30);
  core::Duration startup = std::chrono::seconds(30);
  core::Duration probation{0};
  core::Duration time_unit = std::chrono::minutes(1);
  double margin = 1;
  double target = 2;
  std::uint32_t step = 1;
};

// The input of a policy.
struct Situation {
  NodeLimits limits{};
  std::vector<JobProgress> jobs{};  // unfinished
  std::uint32_t reserved = 0;       // nodes that work, or start
  ClusterState cluster{};
};

struct ProvisionPolicy {
  std::string_view word;  // in a scenario
  std::string_view meaning;
  std::vector<std::string_view> keys{};  // keys of a scenario that this policy reads
  bool begins_full = false;              // with as many nodes as it may hold
  // Nodes to add, or, below 0, to release; callers apply the limits.
  std::int64_t (*change)(const Options&, const Situation&) = nullptr;

  [[nodiscard]] const std::vector<std::string_view>& all_keys() const { return keys; }
};

// By the positions of PolicyId.
[[nodiscard]] std::span<const ProvisionPolicy> policies();
[[nodiscard]] inline const ProvisionPolicy& policy_of(PolicyId id) {
  return policies()[static_cast<std::size_t>(id)];
}

[[nodiscard]] Reading read_index(const Options& options, const Situation& situation);
// The change that the policy wants, bounded by the step and the limits.
[[nodiscard]] std::int64_t change_of(const Options& options, const Situation& situation);

}  // namespace rhizome::agents::provision
