#include "tools/commands/serving/real_nodes.hpp"

#include <algorithm>
#include <chrono>
#include <string>

#include <fmt/core.h>

#include "scenarios/experiment/conditions.hpp"
#include "tools/cli/messages.hpp"
#include "tools/launch/hosts.hpp"

namespace rhizome::tools {

namespace {

using agents::provision::NodePlan;

// Slurm's controller is asked no more often.
constexpr std::chrono::nanoseconds least_interval = std::chrono::seconds(1);

bool asked_for(const Arguments& arguments) {
  const bool slurm = arguments.has("slurm");
  const bool list = arguments.has("hosts");
  const bool file = arguments.has("hostfile");
  if (slurm + list + file > 1)
    throw UsageError("--slurm, --hosts and --hostfile each name all nodes: give one of them");
  if (arguments.has("ssh") && !list && !file)
    throw UsageError("--ssh has no effect here: it is for --hosts");
  return slurm || list || file;
}

// Keys that describe the simulated cluster have no effect with a real one.
void check_keys(const scenarios::Scenario& scenario) {
  const scenarios::ProvisionSection& section = scenario.provision;
  const scenarios::ProvisionSection usual;
  if (!section.used())
    throw UsageError(
        "--slurm and --hosts need a scenario with [provision], whose policy says how many nodes "
        "are held");
  const auto need = [](bool fine, const std::string& key) {
    if (!fine)
      throw UsageError("provision." + key +
                       " describes a simulated cluster, and has no effect with --slurm or --hosts: "
                       "leave it out");
  };
  need(section.cluster == usual.cluster, "cluster");
  need(section.others.empty(), "others");
  need(section.other_jobs == usual.other_jobs, "other_jobs");
  need(section.startup == usual.startup, "startup");
  if (scenario.engine.time_scale != 1)
    throw UsageError("nodes of a real cluster work in real time: leave out engine.time_scale");
}

std::vector<HostShare> hosts_of(const Arguments& arguments) {
  const auto list = arguments.text("hosts");
  return list ? hosts_in(*list) : hosts_of_file(*arguments.text("hostfile"));
}

std::unique_ptr<Places> places_of(const NodePlan& plan, const std::filesystem::path& record,
                                  const Arguments& arguments) {
  if (arguments.has("slurm")) {
    std::uint32_t numbers = 0;
    for (const core::PeerId node : plan.nodes) numbers = std::max(numbers, node.value + 1);
    return std::make_unique<SlurmPlaces>(record, numbers,
                                         [](const std::string& text) { warn(text); });
  }
  auto places =
      std::make_unique<HostPlaces>(hosts_of(arguments), arguments.text("ssh").value_or("ssh"));
  if (plan.limits.most > places->size())
    throw UsageError(
        fmt::format("[provision] may hold {} nodes, and there are {} hosts: lower "
                    "provision.max_nodes",
                    plan.limits.most, places->size()));
  return places;
}

}  // namespace

std::vector<Option> real_node_options() {
  return {
      {.name = "slurm", .help = "run the nodes of [provision] as jobs of the Slurm cluster here"},
      {.name = "hosts",
       .value = "LIST",
       .help = "run the nodes of [provision] on these hosts by ssh, such as h1,h2:2"},
      {.name = "hostfile",
       .value = "FILE",
       .help = "as --hosts, from a file with a host on each line"},
      {.name = "ssh", .value = "COMMAND", .help = "the command that reaches a host (ssh)"}};
}

std::unique_ptr<Fleet> fleet_of(const scenarios::Scenario& scenario,
                                const std::filesystem::path& record, const Arguments& arguments) {
  if (!asked_for(arguments)) return {};
  check_keys(scenario);
  const NodePlan plan =
      *scenarios::make_surroundings(scenario, scenarios::repetition_seed(scenario, 0)).provision;
  return std::make_unique<Fleet>(
      Fleet::Options{.places = places_of(plan, record, arguments),
                     .nodes = plan.nodes,
                     .interval = std::max(least_interval, plan.options.interval),
                     .warn = [](const std::string& text) { warn(text); }});
}

}  // namespace rhizome::tools
