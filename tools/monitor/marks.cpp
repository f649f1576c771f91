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
  return spark_lines(values, 1, script).front();
}

std::vector<std::string> spark_lines(std::span<const double> values, std::size_t lines,
                                     Script script) {
  const double largest = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  const double full = 4 * static_cast<double>(lines);
  std::vector<std::string> texts(lines);
  for (const double value : values) {
    const double height = largest > 0 && value > 0 ? std::ceil(full * value / largest) : 0;
    for (std::size_t i = 0; i < lines; ++i) {
      const double below = 4 * static_cast<double>(lines - 1 - i);
      texts[i] += heights(script)[static_cast<std::size_t>(std::clamp(height - below, 0.0, 4.0))];
    }
  }
  return texts;
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
