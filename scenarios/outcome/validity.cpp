#include "scenarios/outcome/validity.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/peer/time.hpp"
#include "core/peer/vitals.hpp"
#include "scenarios/text/enumerators.hpp"

namespace rhizome::scenarios {

namespace {

constexpr int suspect_factor = core::Punctuality::very;

std::string in_words(Duration duration) {
  const double seconds = core::seconds(duration);
  return seconds < 1 ? fmt::format("{:.3g} ms", seconds * 1e3) : fmt::format("{:.3g} s", seconds);
}

// The real time that the machine needs for an event does not depend on the time scale, so emulated
// lags shrink at least in proportion to it (less load, shorter queues). One figure, rounded down
// and with a fifth in reserve.
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

// The level of a measured value against its tolerance.
template <class T>
Validity::Level level_of(T is, T tolerated) {
  if (is <= tolerated) return Validity::Level::valid;
  return is <= suspect_factor * tolerated ? Validity::Level::suspect : Validity::Level::invalid;
}

// The 99th percentile of lateness, by measure.
using Lateness = std::vector<std::pair<const char*, Duration>>;

// The clocks of two processes may be apart, and what crosses between them as much later.
Lateness lateness_of(const core::Fidelity& fidelity) {
  const auto late = [](const core::Histogram& lags) { return Duration(lags.quantile(0.99)); };
  Lateness all{{"packets were late by", late(fidelity.packet_lag)},
               {"timers were late by", late(fidelity.timer_lag)},
               {"ends of work were late by", late(fidelity.work_lag)},
               {"handlers took", late(fidelity.handler_time)}};
  if (fidelity.crossing_lag.count() > 0)
    all.emplace_back("packets between processes were, as far as their clocks tell, late by",
                     late(fidelity.crossing_lag) + fidelity.clock_doubt);
  return all;
}

std::string words_of_clocks(Duration doubt) {
  if (doubt <= Duration::zero()) return {};
  return "; any two clocks may have been apart by " + in_words(doubt);
}

Validity judge_lags(const core::Fidelity& fidelity, Duration tolerance, double time_scale) {
  Validity verdict{.tolerance = tolerance};
  const char* worst = "";
  for (const auto& [name, lag] : lateness_of(fidelity)) {
    if (lag < verdict.worst_lag) continue;
    verdict.worst_lag = lag;
    worst = name;
  }
  verdict.level = level_of(verdict.worst_lag, tolerance);
  if (verdict.level == Validity::Level::valid) return verdict;
  verdict.reason = std::string("one in a hundred ") + worst + " " + in_words(verdict.worst_lag) +
                   " or more, the tolerance is " + in_words(tolerance) +
                   words_of_clocks(fidelity.clock_doubt);
  verdict.remedy = remedy(verdict.worst_lag, tolerance, time_scale);
  return verdict;
}

// A peer whose thread stood still, and for how long.
using Standstill = std::pair<core::PeerId, Duration>;

// The longest at once.
Standstill longest(const std::vector<core::Stall>& stalls) {
  Standstill longest{core::no_peer, 0};
  for (const core::Stall& stall : stalls)
    if (stall.until - stall.from > longest.second) longest = {stall.peer, stall.until - stall.from};
  return longest;
}

// The longest all in all.
Standstill longest_sum(const std::vector<core::Stall>& stalls) {
  std::map<core::PeerId, Duration> sums;
  for (const core::Stall& stall : stalls) core::add_up(sums[stall.peer], stall.until - stall.from);
  Standstill longest{core::no_peer, 0};
  for (const auto& [peer, sum] : sums)
    if (sum > longest.second) longest = {peer, sum};
  return longest;
}

constexpr std::string_view remedy_of_standstill =
    "leave the machine to the run, or use fewer peers";

Validity judge_at_once(const core::Fidelity& fidelity, Duration tolerance) {
  const auto [peer, still] = longest(fidelity.stalls);
  const Duration tolerated = tolerance * tolerated_at_once;
  Validity verdict{.level = level_of(still, tolerated)};
  if (verdict.level == Validity::Level::valid) return verdict;
  verdict.reason = fmt::format("peer {} stood still for {}, and {} at once are tolerated",
                               peer.value, in_words(still), in_words(tolerated));
  verdict.remedy = remedy_of_standstill;
  return verdict;
}

Validity judge_all_in_all(const core::Fidelity& fidelity, Duration length) {
  const auto [peer, still] = longest_sum(fidelity.stalls);
  const double share = length > Duration::zero() ? core::seconds(still) / core::seconds(length) : 0;
  Validity verdict{.level = level_of(share, tolerated_share)};
  if (verdict.level == Validity::Level::valid) return verdict;
  verdict.reason = fmt::format(
      "peer {} stood still for {}, which is {:.1f} % of the run, and {:.0f} % are tolerated",
      peer.value, in_words(still), 100 * share, 100 * tolerated_share);
  verdict.remedy = remedy_of_standstill;
  return verdict;
}

}  // namespace

Duration lag_tolerance(Duration stated, const agents::Profile& profile) {
  return stated > Duration::zero() ? stated : core::from_seconds(0.05 * profile.mean_task());
}

Validity judge_validity(const core::Fidelity& fidelity, Duration tolerance, double time_scale,
                        Duration length) {
  Validity verdict = judge_lags(fidelity, tolerance, time_scale);
  for (Validity other : {judge_at_once(fidelity, tolerance), judge_all_in_all(fidelity, length)}) {
    if (other.level <= verdict.level) continue;
    other.worst_lag = verdict.worst_lag;
    other.tolerance = verdict.tolerance;
    verdict = std::move(other);
  }
  return verdict;
}

Validity invalid_by_loss(const std::vector<core::LostPeers>& lost, core::PeerId source,
                         const Validity& otherwise) {
  Validity verdict = otherwise;
  verdict.level = Validity::Level::invalid;
  verdict.reason.clear();
  for (const core::LostPeers& each : lost) {
    verdict.reason +=
        fmt::format("{}{}, with {} peers, after {:.3g} s", verdict.reason.empty() ? "" : "; ",
                    each.why, each.peers.size(), core::seconds(each.last_heard));
    if (std::ranges::find(each.peers, source) != each.peers.end())
      verdict.reason += fmt::format("; work enters at peer {}, which is one of them", source.value);
  }
  verdict.remedy = "do it again";
  return verdict;
}

std::string_view name_of(Validity::Level level) {
  return one_of<Validity::Level, std::string_view>(level, {"valid", "suspect", "invalid"});
}

}  // namespace rhizome::scenarios
