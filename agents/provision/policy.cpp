#include "agents/provision/policy.hpp"

#include <algorithm>
#include <cmath>

namespace rhizome::agents::provision {

namespace {

// Away from zero: an index of 0.5 asks for a node.
std::int64_t whole(double nodes) {
  return static_cast<std::int64_t>(nodes > 0 ? std::ceil(nodes) : std::floor(nodes));
}

std::int64_t nothing(const Options&, const Situation&) { return 0; }

std::int64_t all(const Options&, const Situation& situation) {
  return std::int64_t{situation.limits.most} - situation.reserved;
}

std::int64_t by_index(const Options& options, const Situation& situation) {
  return whole(read_index(options, situation).index);
}

std::int64_t by_index_beyond_margin(const Options& options, const Situation& situation) {
  const double index = read_index(options, situation).index;
  return std::abs(index) > options.margin ? whole(index) : 0;
}

std::int64_t by_queue(const Options& options, const Situation& situation) {
  double left = 0;
  for (const JobProgress& job : situation.jobs) left += static_cast<double>(job.left);
  const double wanted = std::min<double>(std::ceil(left / options.target), situation.limits.most);
  return static_cast<std::int64_t>(wanted) - situation.reserved;
}

// Keys of all policies that hold nodes; of those that also add and release them; and each policy's
// own keys.
using Keys = std::vector<std::string_view>;
Keys holding() {
  return {"max_nodes",  "cluster",     "others",     "time_compression",
          "other_jobs", "other_nodes", "other_time", "other_spacing"};
}
Keys moving(const Keys& own) {
  Keys keys = holding();
  keys.insert(keys.end(), {"min_nodes", "start_nodes", "interval", "startup", "probation", "step"});
  keys.insert(keys.end(), own.begin(), own.end());
  return keys;
}

}  // namespace

std::span<const ProvisionPolicy> policies() {
  static const std::vector<ProvisionPolicy> all_policies{
      {"none",
       "all peers are there from the start to the end, and no node is reserved",
       {},
       true,
       nothing},
      {"keep-all", "holds max_nodes from the start to the end", holding(), true, all},
      {"formula",
       "the index of the source, Demand - Queue: adds nodes above 0, releases nodes below 0",
       moving({"time_unit"}), false, by_index},
      {"hysteresis", "the same, if the index is farther from 0 than a margin",
       moving({"time_unit", "margin"}), false, by_index_beyond_margin},
      {"queue-length", "holds a node for every so many unfinished tasks", moving({"target"}), false,
       by_queue},
  };
  return all_policies;
}

Reading read_index(const Options& options, const Situation& situation) {
  return read_index(situation.limits, situation.jobs, situation.reserved, situation.cluster,
                    options.time_unit);
}

std::int64_t change_of(const Options& options, const Situation& situation) {
  const ProvisionPolicy& policy = policy_of(options.policy);
  std::int64_t change = policy.change(options, situation);
  const std::int64_t step = policy.begins_full || options.step == 0
                                ? std::int64_t{situation.limits.most}
                                : std::int64_t{options.step};
  change = std::clamp(change, -step, step);
  const std::int64_t reserved = situation.reserved;
  return std::clamp(reserved + change, std::int64_t{situation.limits.least},
                    std::int64_t{situation.limits.most}) -
         reserved;
}

}  // namespace rhizome::agents::provision
