#include <fmt/core.h>

#include <algorithm>

#include "scenarios/outcome/validity.hpp"
#include "tools/agree/agreement.hpp"
#include "tools/compare/layout.hpp"
#include "tools/compare/render.hpp"
#include "tools/compare/wording.hpp"

namespace rhizome::tools {

namespace {

// "+1.2 [-0.4, +2.8]", in per cent.
std::string deviation_text(const Estimate& ratio) {
  if (!ratio.exists()) return "n/a";
  if (!ratio.interval) return "unknown";
  return fmt::format("{:+.1f} [{:+.1f}, {:+.1f}]", (ratio.value - 1) * 100,
                     (ratio.interval->low - 1) * 100, (ratio.interval->high - 1) * 100);
}

std::string remark(const MetricAgreement& metric) {
  if (metric.verdict == Equivalence::different) {
    if (!metric.phases_known) return "phase not known";
    if (!metric.first_phase) return "at the end only";
    return "from the " + std::to_string((*metric.first_phase - 1) * 10) + " % to the " +
           std::to_string(*metric.first_phase * 10) + " % of the tasks on";
  }
  if (metric.verdict != Equivalence::too_wide) return {};
  if (metric.more_runs == 0) return "more runs might not tell";
  return std::to_string(metric.more_runs) +
         (metric.more_runs == 1 ? " more run would tell" : " more runs would tell");
}

const Columns columns({{20}, {12}, {12}, {19}, {2}, {10}}, usual_page);

// A remark has a line of its own.
std::string row_of(const MetricAgreement& metric) {
  const std::string note = remark(metric);
  return columns.row({metric.margin.metric, mean_text(metric.threads),
                      mean_text(metric.virtual_time), deviation_text(metric.ratio),
                      fmt::format("{:.3g}", metric.margin.share * 100),
                      std::string(name_of(metric.verdict))}) +
         (note.empty() ? "" : "    " + note + "\n");
}

// "2 of 10 thread runs suspect: the 99 % packet lag was 6 ms".
std::string doubt_text(const DoubtfulRuns& doubt) {
  return std::to_string(doubt.runs) + " of " + std::to_string(doubt.of) + " " + doubt.side.run +
         (doubt.of == 1 ? " run " : " runs ") + std::string(name_of(doubt.level)) + ": " +
         doubt.reason;
}

// Whether a log of messages would show where the most loaded peers begin to differ.
bool lacks_log(const Agreement& agreement) {
  return std::ranges::any_of(agreement.metrics, [](const MetricAgreement& metric) {
    return metric.verdict == Equivalence::different && !metric.phases_known &&
           metric.margin.metric.find("_messages_top") != std::string::npos;
  });
}

std::string runs_text(std::size_t count, const char* one, const char* several) {
  return std::to_string(count) + (count == 1 ? " run " : " runs ") + (count == 1 ? one : several) +
         ", so nothing is proven\n";
}

std::string remarks_on(const Agreement& agreement) {
  std::string text;
  for (const DoubtfulRuns& doubt : agreement.doubts)
    text += wrapped("! " + doubt_text(doubt), usual_page, 2);
  if (agreement.invalid > 0)
    text += "! " + runs_text(agreement.invalid, "is invalid", "are invalid");
  if (agreement.repeated > 0)
    text += wrapped("! " + std::to_string(agreement.repeated) +
                        (agreement.repeated == 1 ? " run that was invalid was done again"
                                                 : " runs that were invalid were done again"),
                    usual_page, 2);
  if (agreement.unsound > 0)
    text += "! " + runs_text(agreement.unsound, "lost a task or broke an invariant",
                             "lost a task or broke an invariant");
  if (lacks_log(agreement))
    text += "The phase of a most loaded peer takes --set engine.log_messages=true.\n";
  return text;
}

Json json_of(const DoubtfulRuns& doubt) {
  return {{"engine", doubt.side.name},
          {"validity", std::string(name_of(doubt.level))},
          {"runs", doubt.runs},
          {"of", doubt.of},
          {"reason", doubt.reason}};
}

Json json_of(const MetricAgreement& metric, const Contenders& sides) {
  return {{"metric", metric.margin.metric},
          {"margin", metric.margin.share},
          {sides.judged.name, json_of(metric.threads)},
          {sides.reference.name, json_of(metric.virtual_time)},
          {"ratio", json_of(metric.ratio)},
          {"verdict", std::string(name_of(metric.verdict))},
          {"more_runs", metric.more_runs},
          {"first_phase", metric.first_phase ? Json(*metric.first_phase) : Json(nullptr)},
          {"phases_known", metric.phases_known}};
}

}  // namespace

std::string text_of(std::span<const Agreement> agreements, const std::string& partial) {
  std::string text;
  for (const Agreement& agreement : agreements) {
    text += wrapped(agreement.label + (agreement.cell.empty() ? "" : ", " + agreement.cell) + " (" +
                        std::to_string(agreement.runs) + " runs of each engine)",
                    usual_page, 2);
    text += columns.row(
        {"", agreement.sides.judged.name, agreement.sides.reference.name, "difference, %", "±%"});
    for (const MetricAgreement& metric : agreement.metrics) text += row_of(metric);
    text += remarks_on(agreement);
    text += "\n";
  }
  const Contenders sides = agreements.empty() ? Contenders{} : agreements.front().sides;
  text += wrapped(
      "Means with 95 % intervals. Differences are " + sides.judged.name + " - " +
          sides.reference.name +
          ", with 90 % intervals, which are two one-sided tests at 5 %: equivalent when within the "
          "margin (±), different when wholly outside.",
      usual_page, 0);
  return partial.empty() ? text : text + wrapped("! " + partial, usual_page, 2);
}

std::string json_of(std::span<const Agreement> agreements, const std::string& partial) {
  Json list = Json::array();
  for (const Agreement& agreement : agreements) {
    Json rows = Json::array();
    for (const MetricAgreement& metric : agreement.metrics)
      rows.push_back(json_of(metric, agreement.sides));
    Json doubts = Json::array();
    for (const DoubtfulRuns& doubt : agreement.doubts) doubts.push_back(json_of(doubt));
    list.push_back({{"label", agreement.label},
                    {"cell", agreement.cell},
                    {"runs", agreement.runs},
                    {"invalid", agreement.invalid},
                    {"unsound", agreement.unsound},
                    {"repeated", agreement.repeated},
                    {"doubts", doubts},
                    {"metrics", rows}});
  }
  Json whole{{"schema", "rhizome.agreement/1"},
             {"partial", partial.empty() ? Json::array() : Json::array({partial})},
             {"agreements", list}};
  whole["verdict"] =
      agreements.empty() ? Json(nullptr) : Json(std::string(name_of(overall(agreements))));
  return scenarios::text_of(whole);
}

}  // namespace rhizome::tools
