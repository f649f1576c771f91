#include "tools/chart/chart.hpp"

#include <utility>

#include "tools/chart/colours.hpp"

namespace rhizome::tools {

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
            // Several legends stand below each other, and cut no name.
            {"legend",
             {{"labelLimit", 0},
              {"labelFontSize", 13},
              {"titleFontSize", 13},
              {"titleFontWeight", "normal"},
              {"layout", {{"top", {{"direction", "vertical"}, {"anchor", "start"}}}}}}},
            {"range", {{"category", palette()}}},
            {"title", {{"fontSize", 16}, {"fontWeight", "normal"}}},
            {"axis",
             {{"grid", true},
              {"gridOpacity", 0.3},
              {"labelFontSize", 13},
              {"titleFontSize", 14},
              {"titleFontWeight", "normal"}}}}}};
}

}  // namespace rhizome::tools
