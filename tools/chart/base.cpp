#include "tools/chart/base.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace rhizome::tools {

namespace {

// Okabe and Ito's colours, which the colour-blind tell apart, without the yellow that white drowns;
// and four for charts of many schedulers.
Json colours() {
  return {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00",
          "#8c6d31", "#999999", "#7b4fb5", "#7a9a01", "#a3244f", "#2f4b7c"};
}

// Those that are compared most have the first colours, which are as far apart as can be, for
// themselves.
constexpr std::array first{"organic-grid", "air-traffic", "hybrid", "sparrow", "omniscient"};
using Places = std::set<std::size_t>;

std::optional<std::size_t> own_place(const std::string& name) {
  const auto known = std::find(first.begin(), first.end(), name);
  if (known == first.end()) return {};
  return static_cast<std::size_t>(known - first.begin());
}

// Where its letters lead, or else the next free one: of what nobody has for himself, if there is
// any.
std::size_t free_place(const std::string& name, const Places& taken, std::size_t places) {
  std::uint32_t sum = 2166136261U;
  for (const char c : name) sum = (sum ^ static_cast<unsigned char>(c)) * 16777619U;
  const std::size_t others = places - first.size();
  for (std::size_t i = 0; i < others; ++i)
    if (const std::size_t at = first.size() + (sum + i) % others; !taken.contains(at)) return at;
  for (std::size_t at = 0; at < first.size(); ++at)
    if (!taken.contains(at)) return at;
  return sum % places;
}

}  // namespace

Json colours_of(const Json& names) {
  const Json palette = colours();
  Places taken;
  for (const Json& name : names.items())
    if (const auto own = own_place(name.get<std::string>())) taken.insert(*own);
  Json chosen = Json::array();
  for (const Json& name : names.items()) {
    const auto own = own_place(name.get<std::string>());
    const std::size_t at = own ? *own : free_place(name.get<std::string>(), taken, palette.size());
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
