#include "tools/chart/base.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>

namespace rhizome::tools {

namespace {

// Okabe and Ito's colours, which the colour-blind tell apart, without the yellow that white drowns;
// and four for charts of many schedulers.
constexpr std::size_t usual_colours = 8;
Json colours() {
  return {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00",
          "#8c6d31", "#999999", "#7b4fb5", "#7a9a01", "#a3244f", "#2f4b7c"};
}

// Those that are compared most are as far apart as can be; others stand where their letters lead.
std::size_t usual_colour(const std::string& name) {
  constexpr std::array first{"organic-grid", "air-traffic", "hybrid", "sparrow", "omniscient"};
  const auto known = std::find(first.begin(), first.end(), name);
  if (known != first.end()) return static_cast<std::size_t>(known - first.begin());
  std::uint32_t sum = 2166136261U;
  for (const char c : name) sum = (sum ^ static_cast<unsigned char>(c)) * 16777619U;
  return sum % usual_colours;
}

}  // namespace

Json colours_of(const Json& names) {
  const Json palette = colours();
  std::set<std::size_t> taken;
  Json chosen = Json::array();
  for (const Json& name : names.items()) {
    std::size_t at = usual_colour(name.get<std::string>());
    while (taken.size() < palette.size() && taken.contains(at)) at = (at + 1) % palette.size();
    taken.insert(at);
    chosen.push_back(palette.items()[at]);
  }
  return chosen;
}

Json told_of(const std::vector<std::string>& words, const std::vector<std::string>& numbers) {
  Json told = Json::array();
  for (const std::string& word : words) told.push_back({{"field", word}, {"type", "nominal"}});
  for (const std::string& number : numbers)
    told.push_back({{"field", number}, {"type", "quantitative"}, {"format", ".4~g"}});
  return told;
}

Json chart_base(Json values) {
  return {{"$schema", "https://vega.github.io/schema/vega-lite/v6.json"},
          {"data", {{"values", std::move(values)}}},
          {"config",
           {{"font", "sans-serif"},
            {"view", {{"stroke", nullptr}}},
            {"point", {{"color", "black"}}},
            {"range", {{"category", colours()}}},
            {"axis", {{"grid", true}, {"gridOpacity", 0.3}}}}}};
}

}  // namespace rhizome::tools
