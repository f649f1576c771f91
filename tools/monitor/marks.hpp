// Marks: bars, lines and shades of characters, of blocks and dots where the terminal has them and
// of ASCII where it has not.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rhizome::tools {

enum class Script : unsigned char { unicode, ascii };

// So many cells of which that share is full.
[[nodiscard]] std::string bar(double share, std::size_t cells, Script script);
// A cell for each value, as high as it is of the largest; nothing where it is 0.
[[nodiscard]] std::string spark_line(std::span<const double> values, Script script);

// The same over several lines, the top one first: so many times as fine.
[[nodiscard]] std::vector<std::string> spark_lines(std::span<const double> values,
                                                   std::size_t lines, Script script);

// How much a peer is burdened, by four bounds that ascend from 0: what is above the n-th has the
// n-th shade, and else it is a space.
inline constexpr std::size_t shades = 4;
[[nodiscard]] std::string_view shade(double value, std::span<const double, shades> bounds,
                                     Script script);
[[nodiscard]] std::string_view shade_mark(std::size_t shade, Script script);

}  // namespace rhizome::tools
