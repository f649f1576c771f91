#include "scenarios/world/provision.hpp"

#include <algorithm>

#include "scenarios/text/input_error.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

namespace {

using agents::provision::NodePlan;
using agents::provision::OtherJob;

[[noreturn]] void refuse(const WorldSections& sections, const std::string& why) {
  refuse(sections.position("provision"), "[provision] " + why);
}

// Peers come and go by the policy alone. A copy of a packet does no harm.
void check_world(const WorldSections& sections, const agents::World& world, const Staff& staff) {
  if (!staff.bound.empty())
    refuse(sections, "has no effect on " + staff.bound.front() +
                         ": its peers cannot be drained; leave out one of the two");
  if (world.loses || !world.late.empty())
    refuse(sections,
           "needs a network that loses nothing and peers that no fault strikes, because a node "
           "reports "
           "its start and its departure once, and a dead node is not detected: leave out "
           "network.loss, "
           "network.partition and [faults]");
  const auto& groups = sections.peers.groups;
  if (std::ranges::any_of(groups, [](const auto& group) { return group.shares(); }))
    refuse(sections, "needs nodes with processors of their own: leave out cores of peers.group");
}

// A processor of the log counts as a node.
std::vector<OtherJob> read_log(const ProvisionSection& section, std::vector<std::string>& remarks) {
  std::vector<OtherJob> others;
  WorkloadSection log;
  log.file = section.others;
  log.time_compression = section.time_compression;
  const auto jobs = open_swf(log);
  while (const auto job = jobs->next())
    others.push_back({job->arrival, static_cast<std::uint32_t>(job->portions.size()),
                      job->portions.front().duration});
  for (const std::string& remark : jobs->remarks())
    remarks.push_back("provision.others: " + remark);
  return others;
}

std::vector<OtherJob> jobs_alike(const ProvisionSection& section) {
  std::vector<OtherJob> others;
  for (std::uint32_t i = 0; i < section.other_jobs; ++i)
    others.push_back(
        {core::Time{} + i * section.other_spacing, section.other_nodes, section.other_time});
  return others;
}

std::vector<OtherJob> other_jobs(const WorldSections& sections, std::uint32_t most,
                                 std::vector<std::string>& remarks) {
  const ProvisionSection& section = sections.provision;
  std::vector<OtherJob> others =
      section.others.empty() ? jobs_alike(section) : read_log(section, remarks);
  for (const OtherJob& job : others)
    if (job.nodes > most)
      throw InputError(section.others.empty() ? sections.file : section.others, 1, 1,
                       "a job of another user needs " + std::to_string(job.nodes) +
                           " nodes, and while provision.min_nodes are held no more than " +
                           std::to_string(most) + " can be idle: raise provision.cluster");
  return others;
}

}  // namespace

NodePlan make_plan(const WorldSections& sections, const agents::World& world, const Staff& staff,
                   std::vector<std::string>& remarks) {
  check_world(sections, world, staff);
  const ProvisionSection& section = sections.provision;
  NodePlan plan{.options = {.policy = section.policy,
                            .interval = section.interval,
                            .startup = section.startup,
                            .probation = section.probation,
                            .time_unit = section.time_unit,
                            .margin = section.margin,
                            .target = section.target,
                            .step = section.step}};
  for (const core::PeerId peer : world.all_peers())
    if (!staff.stay.contains(peer)) plan.nodes.push_back(peer);
  const auto there = static_cast<std::uint32_t>(plan.nodes.size());
  plan.limits = {section.min_nodes, section.max_nodes == 0 ? there : section.max_nodes};
  const auto [least, most] = plan.limits;
  if (most > there)
    refuse(sections, "may hold " + std::to_string(most) +
                         " nodes, but besides those that stay there are " + std::to_string(there) +
                         " peers: lower max_nodes, or raise peers.count");
  if (least > most)
    refuse(sections, "holds at least " + std::to_string(least) + " nodes and at most " +
                         std::to_string(most) + ": lower min_nodes");
  plan.cluster_nodes = section.cluster == 0 ? most : section.cluster;
  if (plan.cluster_nodes < least)
    refuse(sections, "has a cluster of fewer nodes than min_nodes: raise cluster");
  const bool full = agents::provision::policy_of(section.policy).begins_full;
  const std::uint32_t start = section.start_nodes == 0 ? least : section.start_nodes;
  if (start < least || start > most)
    refuse(sections, "has start_nodes that are fewer than min_nodes or more than max_nodes");
  plan.at_start = std::min(full ? most : start, plan.cluster_nodes);
  plan.others = other_jobs(sections, plan.cluster_nodes - least, remarks);
  return plan;
}

std::set<core::PeerId> absent_at_start(const NodePlan& plan) {
  return {plan.nodes.begin() + static_cast<std::ptrdiff_t>(plan.at_start), plan.nodes.end()};
}

}  // namespace rhizome::scenarios
