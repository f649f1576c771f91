#include <array>
#include <cstdio>

#include "scenarios/agree/agreement.hpp"
#include "scenarios/compare/estimate_json.hpp"
#include "scenarios/compare/wording.hpp"

namespace rhizome::scenarios {

namespace {

std::string percent(double share) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g %%", share * 100);
  return text.data();
}

// "+1.2 % [-0.4, +2.8]".
std::string deviation_text(const Estimate& ratio) {
  if (!ratio.interval) return "unbounded";
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%+.1f %% [%+.1f, %+.1f]", (ratio.value - 1) * 100,
                (ratio.interval->low - 1) * 100, (ratio.interval->high - 1) * 100);
  return text.data();
}

std::string remark(const MetricAgreement& metric) {
  if (metric.verdict == Equivalence::different) {
    if (!metric.first_phase) return ", at the end only";
    return ", from the " + std::to_string((*metric.first_phase - 1) * 10) + " % to the " +
           std::to_string(*metric.first_phase * 10) + " % of the tasks on";
  }
  if (metric.verdict != Equivalence::too_wide) return {};
  return metric.more_runs == 0 ? ", and more runs might not tell"
                               : ", " + std::to_string(metric.more_runs) + " more runs would tell";
}

std::string row_of(const MetricAgreement& metric) {
  return "  " + fitted(metric.margin.metric, 27) + fitted(mean_text(metric.threads), 17) +
         fitted(mean_text(metric.virtual_time), 17) + fitted(deviation_text(metric.ratio), 25) +
         fitted("±" + percent(metric.margin.share), 8) + std::string(name_of(metric.verdict)) +
         remark(metric) + "\n";
}

Json json_of(const MetricAgreement& metric) {
  return {{"metric", metric.margin.metric},
          {"margin", metric.margin.share},
          {"threads", json_of(metric.threads)},
          {"virtual", json_of(metric.virtual_time)},
          {"ratio", json_of(metric.ratio)},
          {"verdict", std::string(name_of(metric.verdict))},
          {"more_runs", metric.more_runs},
          {"first_phase", metric.first_phase ? Json(*metric.first_phase) : Json(nullptr)}};
}

}  // namespace

std::string text_of(std::span<const Agreement> agreements) {
  std::string text;
  for (const Agreement& agreement : agreements) {
    text += agreement.label + (agreement.cell.empty() ? "" : ", " + agreement.cell) + " (" +
            std::to_string(agreement.runs) + " runs of each engine)\n";
    text += "  " + fitted("", 27) + fitted("threads", 17) + fitted("virtual", 17) +
            fitted("threads - virtual", 25) + "margin\n";
    for (const MetricAgreement& metric : agreement.metrics) text += row_of(metric);
    if (agreement.invalid > 0)
      text +=
          "  ! " + std::to_string(agreement.invalid) + " runs are invalid, so nothing is proven\n";
    if (agreement.unsound > 0)
      text += "  ! " + std::to_string(agreement.unsound) +
              " runs lost a task or broke an invariant, so nothing is proven\n";
    text += "\n";
  }
  text += wrapped(
      "Means with 95 % intervals. Differences with 90 % intervals, which are two one-sided tests "
      "at "
      "5 %: equivalent when within the margin, different when wholly outside.",
      100, 0);
  return text;
}

std::string json_of(std::span<const Agreement> agreements) {
  Json list = Json::array();
  for (const Agreement& agreement : agreements) {
    Json rows = Json::array();
    for (const MetricAgreement& metric : agreement.metrics) rows.push_back(json_of(metric));
    list.push_back({{"label", agreement.label},
                    {"cell", agreement.cell},
                    {"runs", agreement.runs},
                    {"invalid", agreement.invalid},
                    {"unsound", agreement.unsound},
                    {"metrics", rows}});
  }
  return scenarios::text_of(Json{{"schema", "rhizome.agreement/1"},
                                 {"verdict", std::string(name_of(overall(agreements)))},
                                 {"agreements", list}});
}

}  // namespace rhizome::scenarios
