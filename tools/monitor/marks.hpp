// Marks: bars, lines and shades made of characters. They use blocks and dots if the terminal has
// them, and ASCII otherwise.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rhizome::tools {

enum class Script : unsigned char { unicode, ascii };

// A bar of `cells` cells, of which `share` is filled.
[[nodiscard]] std::string bar(double share, std::size_t cells, Script script);
// One cell for each value; its height is relative to the largest value. A value of 0 leaves the
// cell empty.
[[nodiscard]] std::string spark_line(std::span<const double> values, Script script);

// The same over several lines, the top one first, which makes the heights so many times finer.
[[nodiscard]] std::vector<std::string> spark_lines(std::span<const double> values,
                                                   std::size_t lines, Script script);

// The burden of a peer as a shade. `bounds` are four ascending bounds from 0. A value above the
// n-th bound has the n-th shade; a value above none is a space.
inline constexpr std::size_t shades = 4;
[[nodiscard]] std::string_view shade(double value, std::span<const double, shades> bounds,
                                     Script script);
[[nodiscard]] std::string_view shade_mark(std::size_t shade, Script script);

}  // namespace rhizome::tools
