// Metrics of an outcome by name, for tests.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "scenarios/outcome/metrics.hpp"

namespace rhizome::test {

inline double value(const scenarios::Outcome& outcome, const std::string& name) {
  const scenarios::Metric* metric = scenarios::find_metric(name);
  REQUIRE_MESSAGE(metric != nullptr, name);
  return metric->of(outcome);
}

inline bool applies(const scenarios::Outcome& outcome, const std::string& name) {
  return !std::isnan(value(outcome, name));
}

}  // namespace rhizome::test
