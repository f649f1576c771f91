#include "tools/chart/base.hpp"

namespace rhizome::tools {

namespace {

// Okabe and Ito's colours, which the colour-blind tell apart, without the yellow that white drowns.
Json colours() {
  return {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8c6d31", "#999999"};
}

}  // namespace

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
