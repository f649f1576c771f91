#include "tools/monitor/grid.hpp"

#include <algorithm>

namespace rhizome::tools {

namespace {

// The number of bytes of the first character of a UTF-8 text.
std::size_t bytes_of_first(std::string_view text) {
  std::size_t bytes = 1;
  while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) ++bytes;
  return bytes;
}

// European letters, and the blocks and dots that screens are drawn with, are one cell wide.
// Combining marks are not, and the width of other characters is not known.
bool fits_cell(std::string_view character) {
  if (character.size() == 1) return character[0] >= ' ' && character[0] != 0x7F;
  const auto first = static_cast<unsigned char>(character[0]);
  const auto second = static_cast<unsigned char>(character[1]);
  if (character.size() == 2) return first < 0xCC || (first > 0xCD && first < 0xD2);
  // U+2190 to U+21BF, and U+2500 to U+28FF.
  return first == 0xE2 && (second == 0x86 || (second >= 0x94 && second < 0xA4));
}

}  // namespace

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string shortened(std::string_view text, std::size_t cells) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < cells && bytes < text.size(); ++i)
    bytes += bytes_of_first(text.substr(bytes));
  return std::string(text.substr(0, bytes));
}

std::size_t TextGrid::put(std::size_t column, std::size_t line, std::string_view text,
                          Style style) {
  if (line >= size_.height) return column;
  for (; !text.empty() && column < size_.width; ++column) {
    const std::string_view character = text.substr(0, bytes_of_first(text));
    cells_[line * size_.width + column] = {fits_cell(character) ? std::string(character) : "?",
                                           style};
    text.remove_prefix(character.size());
  }
  return column;
}

void TextGrid::put_before(std::size_t column, std::size_t line, std::string_view text,
                          Style style) {
  const std::size_t width = width_of(text);
  if (width <= column) put(column - width, line, text, style);
}

void TextGrid::put(std::size_t column, std::size_t line, const TextGrid& other) {
  for (std::size_t y = 0; y < other.size_.height && line + y < size_.height; ++y)
    for (std::size_t x = 0; x < other.size_.width && column + x < size_.width; ++x)
      cells_[(line + y) * size_.width + column + x] = other.at(x, y);
}

void TextGrid::mark(std::size_t line, Style style) {
  if (line >= size_.height) return;
  for (std::size_t column = 0; column < size_.width; ++column)
    cells_[line * size_.width + column].style = style;
}

std::string TextGrid::text() const {
  std::string text;
  for (std::size_t line = 0; line < size_.height; ++line) {
    for (std::size_t column = 0; column < size_.width; ++column) text += at(column, line).text;
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace rhizome::tools
