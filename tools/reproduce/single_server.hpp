// Mean response times of a single server by discipline, of Poisson arrivals and any sizes: M/G/1.
#pragma once

#include <optional>
#include <string_view>

#include "scenarios/world/workload/bounded_pareto.hpp"

namespace rhizome::tools {

// Sizes of jobs, of mean 1: exponential, or by a bounded Pareto law.
struct JobSizes {
  std::optional<scenarios::BoundedPareto> pareto{};

  [[nodiscard]] double longest() const;  // of exponential ones: a share of 1e-26 is beyond
  [[nodiscard]] double tail(double x) const;
};

// fcfs, ps, srpt and las have one.
[[nodiscard]] bool has_mg1_law(std::string_view discipline);

// In mean service times, at a load from 0 to below 1. fcfs: Pollaczek and Khinchine; ps: the same
// for all sizes of a mean; srpt: Schrage and Miller 1966; las, also called foreground-background:
// Schrage 1967 (all in Harchol-Balter, Performance Modeling and Design of Computer Systems, 2013,
// parts VI and VII).
[[nodiscard]] double mg1_response(const JobSizes& sizes, std::string_view discipline, double load);

}  // namespace rhizome::tools
