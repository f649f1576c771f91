#include "tools/monitor/marks.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace rhizome::tools {

namespace {

using Steps = std::array<std::string_view, 5>;  // from nothing to full

const Steps& heights(Script script) {
  static constexpr Steps dots{" ", "⣀", "⣤", "⣶", "⣿"};
  static constexpr Steps plain{" ", ".", ":", "+", "#"};
  return script == Script::unicode ? dots : plain;
}

const Steps& densities(Script script) {
  static constexpr Steps blocks{" ", "░", "▒", "▓", "█"};
  static constexpr Steps plain{" ", ".", ":", "*", "#"};
  return script == Script::unicode ? blocks : plain;
}

}  // namespace

std::string bar(double share, std::size_t cells, Script script) {
  const double clamped = std::clamp(share, 0.0, 1.0);
  const auto full = static_cast<std::size_t>(std::floor(clamped * static_cast<double>(cells)));
  std::string text;
  for (std::size_t i = 0; i < cells; ++i) text += densities(script)[i < full ? 4 : 1];
  return text;
}

std::string spark_line(std::span<const double> values, Script script) {
  const double largest = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  std::string text;
  for (const double value : values) {
    const double height = largest > 0 && value > 0 ? std::ceil(4 * value / largest) : 0;
    text += heights(script)[static_cast<std::size_t>(height)];
  }
  return text;
}

std::string_view shade_mark(std::size_t shade, Script script) {
  return densities(script)[shade + 1];
}

std::string_view shade(double value, std::span<const double, shades> bounds, Script script) {
  const auto above =
      std::count_if(bounds.begin(), bounds.end(), [value](double bound) { return value > bound; });
  return densities(script)[static_cast<std::size_t>(above)];
}

}  // namespace rhizome::tools
