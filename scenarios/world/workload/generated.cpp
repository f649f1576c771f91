#include "agents/work/kinds.hpp"
#include "scenarios/world/workload/draw.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

namespace {

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
