#include "scenarios/world/workload/workload.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "agents/possible.hpp"
#include "core/peer/rng.hpp"

namespace rhizome::scenarios {

namespace {

class Misjudged final : public agents::Arrivals {
 public:
  Misjudged(std::unique_ptr<agents::Arrivals> jobs, double sigma, std::uint64_t seed)
      : jobs_(std::move(jobs)), sigma_(sigma), seed_(seed) {}

  std::optional<agents::Job> next() override {
    std::optional<agents::Job> job = jobs_->next();
    if (job)
      for (agents::Task& task : job->portions) task.estimate = guess(task);
    return job;
  }
  [[nodiscard]] bool awaits() const override { return jobs_->awaits(); }
  [[nodiscard]] std::vector<std::string> remarks() override { return jobs_->remarks(); }

 private:
  // An estimate of 0 would stand for the duration itself.
  [[nodiscard]] core::Duration guess(const agents::Task& task) const {
    core::Rng rng = core::Rng::derive({seed_, agents::subject_of(task.id)}, "estimate");
    const double factor = std::exp(sigma_ * rng.normal());
    const core::Duration guessed = core::from_seconds(core::seconds(task.estimated()) * factor);
    return std::clamp(guessed, core::Duration(1), agents::longest_time);
  }

  std::unique_ptr<agents::Arrivals> jobs_;
  double sigma_;
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<agents::Arrivals> misjudged(std::unique_ptr<agents::Arrivals> jobs, double sigma,
                                            std::uint64_t seed) {
  if (sigma == 0) return jobs;
  return std::make_unique<Misjudged>(std::move(jobs), sigma, seed);
}

}  // namespace rhizome::scenarios
