#include "tools/commands/guiding/slurm_report.hpp"

#include <cmath>
#include <optional>
#include <vector>

#include <fmt/core.h>

#include "scenarios/experiment/conditions.hpp"
#include "tools/cli/messages.hpp"
#include "tools/cli/output.hpp"
#include "tools/commands/running/session.hpp"

namespace rhizome::tools {

namespace {

using agents::provision::NodePlan;
using agents::provision::Reading;
using agents::provision::Situation;

std::string nodes_text(std::int64_t count) {
  return fmt::format("{} node{}", count, count == 1 ? "" : "s");
}

std::string change_text(std::int64_t change) {
  if (change == 0) return "changes nothing";
  return change > 0 ? "adds " + nodes_text(change) : "releases " + nodes_text(-change);
}

std::string decision_text(const std::string& load, const agents::provision::Options& options,
                          const Situation& situation) {
  const Reading reading = read_index(options, situation);
  return fmt::format(
      "  {:<16} Goal {:g} - held {} = Demand {:g}; - Queue {:.4g} = Index {:.4g}: {}\n", load,
      reading.goal, situation.reserved, reading.demand, reading.queue, reading.index,
      change_text(change_of(options, situation)));
}

NodePlan plan_of(const std::string& file, const Arguments& arguments) {
  const std::vector<scenarios::Cell> cells = read_cells(file, arguments);
  if (cells.size() > 1) throw UsageError("--slurm takes one scenario: nothing in it may be swept");
  const scenarios::Scenario& scenario = cells.front().scenario;
  if (!scenario.provision.used())
    throw UsageError("--slurm asks what [provision] would decide, and " + file + " has none");
  return *scenarios::make_surroundings(scenario, scenarios::repetition_seed(scenario, 0)).provision;
}

std::uint32_t held_in(const Arguments& arguments, const NodePlan& plan) {
  const std::uint64_t held = arguments.number("held", 0).value_or(plan.at_start);
  if (held > plan.limits.most)
    throw UsageError(fmt::format("--held is at most {}, the most nodes that [provision] may hold",
                                 plan.limits.most));
  return static_cast<std::uint32_t>(held);
}

}  // namespace

std::string text_of(const SlurmQueue& queue) {
  const std::string nodes =
      fmt::format("Slurm: {}, {} idle; ", nodes_text(queue.nodes), queue.state.idle);
  if (queue.top.empty()) return nodes + "no job waits for nodes\n";
  return nodes +
         fmt::format("job {} of {} on top of the queue needs {}, and has been eligible for {} s\n",
                     queue.top, queue.user, queue.state.required,
                     core::seconds(queue.state.waited));
}

std::string decisions_of(const NodePlan& plan, std::uint32_t held, const SlurmQueue& queue) {
  Situation situation{.limits = plan.limits, .reserved = held, .cluster = queue.state};
  const std::string none = decision_text("no task left", plan.options, situation);
  const auto tasks = static_cast<std::uint64_t>(std::ceil(plan.options.target * plan.limits.most));
  situation.jobs.push_back({.tasks = tasks, .left = tasks});
  return fmt::format("[provision] {}, from {} to {}:\n", policy_of(plan.options.policy).word,
                     plan.limits.least, nodes_text(plan.limits.most)) +
         decision_text("all tasks left", plan.options, situation) + none;
}

Exit print_slurm(const Arguments& arguments) {
  std::optional<NodePlan> plan;
  if (!arguments.positional().empty()) plan = plan_of(arguments.positional().front(), arguments);
  const std::uint32_t held = plan ? held_in(arguments, *plan) : 0;
  try {
    const SlurmQueue queue = read_slurm_queue();
    if (!queue.warning.empty()) warn(queue.warning);
    print_text(text_of(queue));
    if (plan) print_text(decisions_of(*plan, held, queue));
  } catch (const NoSlurm& error) {
    complain(error.what());
    return Exit::unavailable;
  }
  return Exit::holds;
}

}  // namespace rhizome::tools
