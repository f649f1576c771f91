#include "agents/work/kinds.hpp"
#include "scenarios/world/resources.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

namespace {

// Of a duration, about 1.
double draw_factor(const WorkloadSection& section, core::Rng& rng) {
  return section.portion_distribution == PortionKind::exponential
             ? rng.exponential(1)
             : rng.uniform(1 - section.jitter, 1 + section.jitter);
}

// What is equal for all tasks draws nothing, so that a scenario without ranges keeps its history.
agents::Task draw_task(const WorkloadSection& section, const core::Recipe& recipe, core::Rng& rng,
                       agents::TaskId id, double factor) {
  agents::Task task{.id = id,
                    .duration = core::from_seconds(core::seconds(section.portion_time) * factor),
                    .memory = section.memory,
                    .cpus = section.cpus,
                    .recipe = recipe};
  if (section.cpus_max > section.cpus)
    task.cpus = static_cast<std::uint32_t>(rng.between(section.cpus, section.cpus_max));
  if (section.memory_max > section.memory)
    task.memory = rng.uniform(section.memory, section.memory_max);
  task.named = draw_amounts(section.resources, rng);
  return task;
}

class Generated final : public agents::Arrivals {
 public:
  Generated(const WorkloadSection& section, const core::Rng& rng)
      : section_(section),
        recipe_(core::recipe_of(agents::work_kinds(), section.work, section.work_options)),
        rng_(rng),
        arrival_(core::seconds(section.start)) {}

  std::optional<agents::Job> next() override {
    if (next_ == section_.jobs) return {};
    agents::Job job{
        .id = next_++, .arrival = core::Time{} + core::from_seconds(arrival_), .portions = {}};
    const bool together = section_.portion_draw == PortionDraw::job;
    const double common = together ? draw_factor(section_, rng_) : 1;
    job.portions.reserve(section_.portions);
    for (std::uint32_t p = 0; p < section_.portions; ++p)
      job.portions.push_back(draw_task(section_, recipe_, rng_, {job.id, p},
                                       together ? common : draw_factor(section_, rng_)));
    const double spacing = core::seconds(section_.spacing);
    arrival_ += section_.arrivals == ArrivalKind::exponential ? rng_.exponential(spacing) : spacing;
    return job;
  }

 private:
  const WorkloadSection section_;
  const core::Recipe recipe_;  // of all tasks
  core::Rng rng_;
  double arrival_;  // of the next, in seconds
  std::uint32_t next_ = 0;
};

}  // namespace

std::unique_ptr<agents::Arrivals> generate_jobs(const WorkloadSection& section,
                                                const core::Rng& rng) {
  return std::make_unique<Generated>(section, rng);
}

}  // namespace rhizome::scenarios
