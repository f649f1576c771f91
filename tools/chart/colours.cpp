#include "tools/chart/colours.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string_view>

namespace rhizome::tools {

namespace {

// The schedulers that are compared most often. Each has one of the first colours, which differ
// most, for itself alone.
constexpr std::array first{"organic-grid", "air-traffic", "hybrid", "sparrow", "omniscient"};
constexpr std::size_t led_to = 12;  // colours that hashes choose from; larger charts use all
using Taken = std::set<std::string>;

// A report adds the state of the runs to a name: "sparrow (invalid)".
std::string bare(const std::string& name) { return name.substr(0, name.find(" (")); }

auto place_of(const std::string& name) { return std::ranges::find(first, bare(name)); }

bool has_own(const std::string& name) { return place_of(name) != first.end(); }

const std::string& own(const std::string& name) {
  return palette()[static_cast<std::size_t>(place_of(name) - first.begin())];
}

// The colour that the hash of the name chooses, or else the next free one. Colours that no
// scheduler owns come first.
const std::string& free_colour(const std::string& name, const Taken& taken) {
  std::uint32_t sum = 2166136261U;
  for (const char c : bare(name)) sum = (sum ^ static_cast<unsigned char>(c)) * 16777619U;
  const std::size_t others = led_to - first.size();
  for (std::size_t i = 0; i < others; ++i)
    if (const auto& colour = palette()[first.size() + (sum + i) % others]; !taken.contains(colour))
      return colour;
  for (const std::string& colour : palette())
    if (!taken.contains(colour)) return colour;
  return palette()[sum % led_to];
}

using Beside = std::map<std::string_view, std::set<std::string_view>>;

Beside beside_each(std::span<const std::vector<std::string>> charts) {
  Beside beside;
  for (const auto& names : charts)
    for (const std::string& name : names) beside[name].insert(names.begin(), names.end());
  return beside;
}

}  // namespace

// The colours of Okabe and Ito, which colour-blind readers can tell apart, without the yellow,
// which is hard to see on white; and more for charts of many schedulers. All are visible on light
// and on dark paper.
const std::vector<std::string>& palette() {
  static const std::vector<std::string> colours{
      "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8c6d31",
      "#999999", "#7b4fb5", "#7a9a01", "#c2396b", "#4f6fa8", "#17becf"};
  return colours;
}

Colours::Colours(std::span<const std::vector<std::string>> charts) {
  const Beside beside = beside_each(charts);
  for (const auto& names : charts)
    for (const std::string& name : names) {
      if (colours_.contains(name)) continue;
      Taken taken;
      for (const std::string_view each : beside.at(name)) {
        const std::string other(each);
        if (has_own(other)) taken.insert(own(other));
        if (const auto known = colours_.find(other); known != colours_.end())
          taken.insert(known->second);
      }
      colours_[name] = has_own(name) ? own(name) : free_colour(name, taken);
    }
}

Json colours_of(const Json& names) {
  std::vector<std::string> chart;
  for (const Json& name : names.items()) chart.push_back(name.get<std::string>());
  const Colours colours({&chart, 1});
  Json list = Json::array();
  for (const std::string& name : chart) list.push_back(colours.of(name));
  return list;
}

void recolour(Json& spec, const Colours& colours) {
  if (!spec.is_object() || !spec.contains("layer")) return;
  for (Json& layer : spec["layer"].items()) {
    if (!layer.contains("encoding") || !layer.at("encoding").contains("color")) continue;
    Json& colour = layer["encoding"]["color"];
    if (!colour.contains("field") || colour.at("field") != Json("series")) continue;
    Json range = Json::array();
    for (const Json& series : colour.at("scale").at("domain").items())
      if (const auto name = series.get<std::string>(); colours.knows(name))
        range.push_back(colours.of(name));
    if (range.size() == colour.at("scale").at("domain").size())
      colour["scale"]["range"] = std::move(range);
  }
}

}  // namespace rhizome::tools
