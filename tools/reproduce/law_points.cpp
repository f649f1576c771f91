#include "tools/reproduce/places.hpp"

#include <algorithm>

namespace rhizome::tools {

namespace {

// The value of a key in a cell, as claims name it: bare. Empty where the study does not sweep it.
std::string value_in(const Cell& cell, const std::string& key) {
  for (const auto& [path, value] : cell.assignments)
    if (path == key) {
      std::string bare = value;
      std::erase(bare, '"');
      return bare;
    }
  return {};
}

void apply(PublishedClaim& claim, std::span<const Cell> study) {
  const Law& law = *find_law(claim.law);
  const Operand& of = claim.left.operand;
  for (const Cell& cell : study) {
    if (!is_meant(place_of(cell), claim)) continue;
    const std::string value = value_in(cell, claim.across);
    if (value.empty()) refuse(claim.law_at, "the study does not sweep \"" + claim.across + "\"");
    const QueueSystem system = system_of(cell.scenario, law, of.label, claim.law_at);
    if (claim.points.empty()) claim.system = system;
    claim.points.emplace_back(value, expected(law, of.metric, system));
  }
}

// The loads of the cells are computed by any law beside the measurements.
void place(PublishedFigure& figure, const Reproduction& result, std::span<const Cell> study) {
  const auto beside = std::ranges::find_if(result.claims, [&](const PublishedClaim& claim) {
    return !claim.law.empty() && claim.left.operand.metric == figure.metric;
  });
  if (beside == result.claims.end())
    refuse(figure.at_load, "a figure drawn at the load needs points of its metric with a law");
  const std::string& label = beside->left.operand.label;
  for (const Cell& cell : study)
    figure.at.emplace_back(
        value_in(cell, figure.across),
        system_of(cell.scenario, *find_law(beside->law), label, beside->law_at).load);
}

}  // namespace

void apply_laws(Reproduction& result, std::span<const Cell> study) {
  for (PublishedClaim& claim : result.claims)
    if (!claim.law.empty()) apply(claim, study);
  for (PublishedFigure& figure : result.figures)
    if (figure.drawn_at_load()) place(figure, result, study);
}

}  // namespace rhizome::tools
