// Workloads: generated, or read from traces.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "agents/arrivals.hpp"
#include "core/peer/rng.hpp"
#include "scenarios/world/model.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// One kind of workload: its description, its own keys of [workload], and its source of jobs, one by
// one. InputError for a malformed trace, or one without jobs, comes with the jobs.
struct WorkloadModel : Model {
  std::function<std::unique_ptr<agents::Arrivals>(const WorkloadSection&, const core::Rng&)> open;
  bool counted = false;  // jobs and portions in the section say how many there will be
  // For a kind whose jobs may come through a pipe: bounds of those jobs.
  std::function<agents::Profile(const WorkloadSection&)> bounds{};
  // The setting of its own that names a folder, relative to the scenario; none: it has none.
  std::function<std::string*(WorkloadSection&)> folder{};
  // Checks settings against the file, which must exist; throws the exceptions of its reader.
  std::function<std::optional<Complaint>(const WorkloadSection&)> complaint{};
};

// The models in the order of WorkloadKind.
[[nodiscard]] std::span<const WorkloadModel> workload_models();
[[nodiscard]] const WorkloadModel& workload_model(WorkloadKind kind);

// Whether its file is a pipe or standard input ("-"), and its kind has its jobs as they come.
[[nodiscard]] bool comes_live(const WorkloadSection& section);

// Jobs of equal size.
[[nodiscard]] std::unique_ptr<agents::Arrivals> generate_jobs(const WorkloadSection& section,
                                                              const core::Rng& rng);

// The Standard Workload Format, version 2.2 (Feitelson). A job of p processors becomes p portions
// of its run time; jobs without processors or run time are left out and counted.
[[nodiscard]] std::unique_ptr<agents::Arrivals> open_swf(const WorkloadSection& section);

// Tasks whose durations are not known beforehand: the estimate of each is wrong by a random factor.
// The same jobs, with each estimate multiplied by a lognormal factor of median 1. `sigma` is the
// standard deviation of its logarithm. The factor depends only on the seed and the id of the task.
// With a sigma of 0 nothing changes.
[[nodiscard]] std::unique_ptr<agents::Arrivals> misjudged(std::unique_ptr<agents::Arrivals> jobs,
                                                          double sigma, std::uint64_t seed);

}  // namespace rhizome::scenarios
