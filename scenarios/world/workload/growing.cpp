#include "scenarios/world/workload/task_graphs.hpp"

#include <optional>
#include <string>

#include "scenarios/world/workload/draw.hpp"
#include "scenarios/world/workload/named_graph.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

namespace {

class Growing final : public agents::Arrivals {
 public:
  Growing(const WorkloadSection& section, const core::Rng& rng)
      : section_(section),
        options_(section.own.of<GrowthOptions>()),
        first_(generate_jobs(section, rng)),
        rng_(core::Rng(rng).bits()) {}

  std::optional<agents::Job> next() override {
    std::optional<agents::Job> job = first_->next();
    if (job && !job->portions.empty()) grow(*job);
    return job;
  }
  std::vector<std::string> remarks() override {
    if (stunted_ == 0) return {};
    return {"jobs that stop growing at a million tasks: " + std::to_string(stunted_)};
  }

 private:
  // Lets each task in turn add tasks behind all others. All tasks have the same recipe.
  void grow(agents::Job& job) {
    const core::Recipe recipe = job.portions.front().recipe;
    std::vector<std::uint32_t> depths(job.portions.size());
    for (std::uint32_t by = 0; by < job.portions.size(); ++by) {
      if (depths[by] == options_.depth || !rng_.chance(options_.chance)) continue;
      const auto first = static_cast<std::uint32_t>(job.portions.size());
      if (first + std::size_t{options_.tasks} > most_graph_tasks) {
        ++stunted_;
        return;
      }
      job.growth.push_back({.by = by, .first = first, .count = options_.tasks});
      for (std::uint32_t i = 0; i < options_.tasks; ++i)
        job.portions.push_back(draw(recipe, {job.id, first + i}, job.portions[by]));
      depths.resize(job.portions.size(), depths[by] + 1);
    }
  }

  // A task that another adds; if all tasks of a job take equally long, so does this one.
  agents::Task draw(const core::Recipe& recipe, agents::TaskId id, const agents::Task& by) {
    agents::Task task = draw_task(section_, recipe, rng_, id, draw_factor(section_, rng_));
    if (section_.portion_draw == PortionDraw::job) task.duration = by.duration;
    return task;
  }

  const WorkloadSection section_;
  const GrowthOptions options_;
  const std::unique_ptr<agents::Arrivals> first_;  // jobs as they are handed in
  core::Rng rng_;
  std::uint64_t stunted_ = 0;
};

}  // namespace

std::vector<core::Setting> growth_settings() {
  using O = GrowthOptions;
  return own_settings<WorkloadSection>(
      core::Settings<O>{}
          .add(
              "growth_chance", &O::chance,
              {"The probability with which a task adds tasks to its job when it is done. More than "
               "1 over growth grows until growth_depth ends it.",
               "our choice", 0, 1})
          .add("growth", &O::tasks,
               {"Tasks that are added at a time.", "Peterson, chapter 6: 10 or 100", 1, 100'000})
          .add("growth_depth", &O::depth,
               {"How often tasks that were added may add others in turn: of the tasks that were "
                "handed in to the last there are so many additions at most.",
                "our choice", 1, 1000}));
}

std::unique_ptr<agents::Arrivals> generate_growing(const WorkloadSection& section,
                                                   const core::Rng& rng) {
  return std::make_unique<Growing>(section, rng);
}

}  // namespace rhizome::scenarios
