#include "tools/compare/estimate_json.hpp"

#include <cmath>

namespace rhizome::tools {

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json json_of(const Estimate& estimate) {
  Json interval = nullptr;
  if (estimate.interval)
    interval =
        Json::array({json_number(estimate.interval->low), json_number(estimate.interval->high)});
  return {{"value", json_number(estimate.value)}, {"interval", interval}};
}

}  // namespace rhizome::tools
