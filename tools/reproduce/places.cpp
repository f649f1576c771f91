#include "tools/reproduce/places.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace rhizome::tools {

namespace {

std::vector<std::string> places_of(std::span<const Cell> study) {
  std::vector<std::string> places;
  for (const Cell& cell : study) places.push_back(place_of(cell));
  return places;
}

void check(const std::vector<std::string>& places, const std::string& where, const Position& at) {
  const bool found =
      std::ranges::any_of(places, [&](const std::string& place) { return lies_in(place, where); });
  if (!found) refuse(at, "the study has no cell \"" + where + "\"");
}

// For errors about points of a law, the place of the law.
const Position& at_of(const PublishedClaim& claim) {
  return claim.law.empty() ? claim.places_at : claim.law_at;
}

}  // namespace

std::string place_of(const Identity& identity) {
  std::string place = cell_text(identity);
  std::erase(place, '"');
  return place;
}

std::string place_of(const Cell& cell) {
  Identity identity;
  identity.cell = cell.assignments;
  return place_of(identity);
}

bool is_meant(const std::string& place, const PublishedClaim& claim) {
  const auto lies_in_any = [&](const std::vector<std::string>& places) {
    return std::ranges::any_of(places,
                               [&](const std::string& where) { return lies_in(place, where); });
  };
  return (claim.where.empty() || lies_in_any(claim.where)) && !lies_in_any(claim.except);
}

bool lies_in(const std::string& place, const std::string& where) {
  const std::string name = " " + place + " ";
  std::size_t begin = 0;
  while (begin < where.size()) {
    const std::size_t end = std::min(where.find(' ', begin), where.size());
    const std::string part = " " + where.substr(begin, end - begin) + " ";
    if (name.find(part) == std::string::npos) return false;
    begin = end + 1;
  }
  return true;
}

void check_places(const Reproduction& result, std::span<const Cell> study) {
  const std::vector<std::string> places = places_of(study);
  for (const PublishedClaim& claim : result.claims) {
    for (const std::string& where : claim.where) check(places, where, claim.places_at);
    for (const std::string& where : claim.except) check(places, where, claim.places_at);
    for (const auto& [value, published] : claim.points)
      check(places, claim.across + "=" + value, at_of(claim));
  }
  for (const PublishedFigure& figure : result.figures) {
    for (const auto& [value, drawn_at] : figure.at)
      check(places, figure.across + "=" + value, figure.places_at);
    if (figure.shows != Shows::metric && study.size() > 1)
      refuse(figure.shows_at, "the study has " + std::to_string(study.size()) +
                                  " cells, and such a figure shows one");
  }
}

std::vector<std::string> labels_of(const Reproduction& result) {
  std::set<std::string> labels;
  for (const PublishedClaim& claim : result.claims) {
    labels.insert(claim.left.operand.label);
    if (claim.left.divisor) labels.insert(claim.left.divisor->label);
    if (const auto* right = std::get_if<Operand>(&claim.right)) labels.insert(right->label);
  }
  for (const PublishedFigure& figure : result.figures) {
    if (figure.labels.empty()) return {};
    labels.insert(figure.labels.begin(), figure.labels.end());
  }
  return {labels.begin(), labels.end()};
}

}  // namespace rhizome::tools
