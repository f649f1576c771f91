#include "scenarios/outcome/validity.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/engine/gauges.hpp"

namespace rhizome::scenarios {

namespace {

constexpr int suspect_factor = core::Punctuality::very;

std::string milliseconds(Duration duration) {
  return fmt::format("{:.3g} ms", core::seconds(duration) * 1e3);
}

// What the machine needs for one event in real time does not depend on the time scale, so emulated
// lags shrink at least in proportion to it (less load, shorter queues). One figure, rounded down
// and with a fifth in hand.
double sufficient_scale(Duration lag, Duration tolerance, double time_scale) {
  const double scale = 0.8 * time_scale * core::seconds(tolerance) / core::seconds(lag);
  if (scale <= 0) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(scale)));
  return std::floor(scale / unit * (1 + 1e-12)) * unit;
}

std::string remedy(Duration lag, Duration tolerance, double time_scale) {
  const double scale = sufficient_scale(lag, tolerance, time_scale);
  if (scale <= 0) return "state an engine.lag_tolerance above zero";
  return fmt::format("use fewer peers, or engine.time_scale = {:.3g}", scale);
}

}  // namespace

Duration lag_tolerance(Duration stated, const agents::Profile& profile) {
  return stated > Duration::zero() ? stated : core::from_seconds(0.05 * profile.mean_task());
}

Validity judge_validity(const core::Fidelity& fidelity, Duration tolerance, double time_scale) {
  const std::array<std::pair<const char*, const core::Histogram*>, 4> measures{{
      {"packets were late by", &fidelity.packet_lag},
      {"timers were late by", &fidelity.timer_lag},
      {"ends of work were late by", &fidelity.work_lag},
      {"handlers took", &fidelity.handler_time},
  }};
  Validity verdict{.tolerance = tolerance};
  const char* worst = "";
  for (const auto& [name, histogram] : measures) {
    const Duration lag(histogram->quantile(0.99));
    if (lag < verdict.worst_lag) continue;
    verdict.worst_lag = lag;
    worst = name;
  }
  if (verdict.worst_lag <= tolerance) return verdict;
  verdict.level = verdict.worst_lag <= suspect_factor * tolerance ? Validity::Level::suspect
                                                                  : Validity::Level::invalid;
  verdict.reason = std::string("one in a hundred ") + worst + " " +
                   milliseconds(verdict.worst_lag) + " or more, the tolerance is " +
                   milliseconds(tolerance);
  verdict.remedy = remedy(verdict.worst_lag, tolerance, time_scale);
  return verdict;
}

std::string_view name_of(Validity::Level level) {
  switch (level) {
    case Validity::Level::valid:
      return "valid";
    case Validity::Level::suspect:
      return "suspect";
    case Validity::Level::invalid:
      break;
  }
  return "invalid";
}

}  // namespace rhizome::scenarios
