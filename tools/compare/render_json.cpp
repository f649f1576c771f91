#include <cmath>

#include "scenarios/text/json.hpp"
#include "tools/compare/render.hpp"

namespace rhizome::tools {

namespace {

Json json(const Side& side) {
  Json failed = Json::array();
  for (const FailedRun& run : side.failed)
    failed.push_back({{"repetition", run.repetition + 1}, {"reason", run.reason}});
  Json judged = Json::array();
  for (const Judged& one : side.judged)
    judged.push_back({{"invariant", one.invariant},
                      {"judged", one.judged > Duration::zero()},
                      {"share", one.share()}});
  return {{"name", side.name},
          {"runs", side.runs},
          {"suspect", side.suspect},
          {"invalid", side.invalid},
          {"repeated", side.repeated},
          {"steered", side.steered},
          {"steered_as", side.steered_as},
          {"unfinished", side.unfinished},
          {"violated", side.violated},
          {"failed", failed},
          {"judged", judged}};
}

// Sides are named in every figure, so that a reader need not count positions.
Json json(const ComparisonRow& row, const std::vector<Side>& sides) {
  Json means = Json::array();
  Json versus = Json::array();
  for (std::size_t i = 0; i < sides.size(); ++i) {
    Json mean = json_of(row.means[i]);
    mean["side"] = sides[i].name;
    means.push_back(mean);
    if (i == 0) continue;
    const Versus& against = row.versus[i];
    versus.push_back({{"side", sides[i].name},
                      {"to", sides.front().name},
                      {"paired", against.paired},
                      {"difference", json_of(against.difference)},
                      {"ratio", json_of(against.ratio)},
                      {"verdict", std::string(name_of(against.verdict))}});
  }
  return {{"metric", row.metric->name},
          {"unit", row.metric->unit},
          {"better", name_of(row.metric->better)},
          {"means", means},
          {"versus", versus}};
}

Json json(const std::optional<Winner>& winner, const std::vector<Side>& sides) {
  if (!winner) return nullptr;
  return {{"metric", winner->metric->name},
          {"best", sides[winner->best].name},
          {"second", sides[winner->second].name},
          {"ratio", json_of(winner->versus.ratio)},
          {"verdict", std::string(name_of(winner->versus.verdict))}};
}

Json json(const Comparison& comparison) {
  Json sides = Json::array();
  for (const Side& side : comparison.sides) sides.push_back(json(side));
  Json rows = Json::array();
  for (const ComparisonRow& row : comparison.rows) rows.push_back(json(row, comparison.sides));
  return {{"title", comparison.title},
          {"winner", json(comparison.winner, comparison.sides)},
          {"engine", comparison.engine},
          {"confidence", comparison.confidence},
          {"inconclusive", comparison.inconclusive()},
          {"sides", sides},
          {"metrics", rows},
          {"warnings", comparison.warnings}};
}

Json json(const ClaimResult& claim) {
  return {{"claim", claim.claim},
          {"cell", claim.cell},
          {"standing", std::string(name_of(claim.standing))},
          {"difference", json_of(claim.difference)},
          {"paired", claim.paired},
          {"reason", claim.reason}};
}

}  // namespace

std::string json_of(std::span<const Comparison> comparisons, std::span<const ClaimResult> claims,
                    const Json& sweeps, std::span<const std::string> partial) {
  Json list = Json::array();
  for (const Comparison& comparison : comparisons) list.push_back(json(comparison));
  Json claim_list = Json::array();
  for (const ClaimResult& claim : claims) claim_list.push_back(json(claim));
  Json reasons = Json::array();
  for (const std::string& reason : partial) reasons.push_back(reason);
  return scenarios::text_of(Json{{"schema", "rhizome.comparison/2"},
                                 {"interval", "Student's t; ratios by Fieller's theorem"},
                                 {"partial", reasons},
                                 {"sweep", sweeps},
                                 {"comparisons", list},
                                 {"claims", claim_list}});
}

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json json_of(const Estimate& estimate) {
  Json interval = nullptr;
  if (estimate.interval)
    interval =
        Json::array({json_number(estimate.interval->low), json_number(estimate.interval->high)});
  return {{"value", json_number(estimate.value)}, {"interval", interval}};
}

}  // namespace rhizome::tools
