// Lays out tables on a page of a given width: no line is wider, and no figure is ever cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/names.hpp"

namespace rhizome::tools {

// The width of a terminal that does not tell its own.
inline constexpr std::size_t usual_page = 80;

enum class Ink : std::uint8_t { plain, bold, green, red, yellow };

// Adds colour to text that is already padded, because the escape codes take no columns.
class Painter {
 public:
  explicit Painter(bool colour) : colour_(colour) {}
  [[nodiscard]] std::string operator()(Ink ink, const std::string& text) const;

 private:
  bool colour_;
};

struct TableCell {
  std::string text;
  Ink ink = Ink::plain;
};

struct TableColumn {
  std::size_t width = 0;
  bool right = false;  // aligned to the right
};

// Rows of cells in columns, one space apart. A cell wider than its column pushes the following
// cells to the right. If the line then is too long, the first cell gets a line of its own.
class Columns {
 public:
  Columns(std::vector<TableColumn> columns, std::size_t page, Painter paint = Painter(false))
      : columns_(std::move(columns)), page_(page), paint_(paint) {}

  // The row with its line ends. Empty cells stay empty.
  [[nodiscard]] std::string row(std::span<const TableCell> cells) const;
  [[nodiscard]] std::string row(const std::vector<std::string>& texts) const;

 private:
  [[nodiscard]] std::optional<std::string> one_line(std::span<const TableCell> cells) const;
  [[nodiscard]] std::string stacked(std::span<const TableCell> cells) const;

  std::vector<TableColumn> columns_;
  std::size_t page_;
  Painter paint_;
};

// The text with no escapes but those of a Painter: control characters in it are escaped
// (plain_text.hpp).
[[nodiscard]] std::string plain_but_for_inks(std::string_view text);

// Rows of texts below their head, each column as wide as needed. If the page is too narrow for all
// columns, the rest follow in further blocks, each of which repeats the first `keys` columns.
[[nodiscard]] std::string in_blocks(const std::vector<std::vector<std::string>>& rows,
                                    std::size_t page, std::size_t keys = 1);

// The columns that a UTF-8 text takes: one for each code point.
[[nodiscard]] std::size_t columns_of(std::string_view text);
// The text padded with spaces, or cut with an ellipsis, to exactly `columns`.
[[nodiscard]] std::string fitted(std::string_view text, std::size_t columns);
// The text in lines of at most `columns`; lines after the first are indented by `indent` spaces. No
// line begins with "%", which belongs to the figure before it.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);
// With so many spaces before each line but the first.
[[nodiscard]] std::string indented(std::string_view lines, std::size_t columns);
// The text in lines of at most `columns`, each of which begins with `prefix`; empty for an empty
// text.
[[nodiscard]] std::string paragraph(std::string_view text, std::size_t columns,
                                    std::string_view prefix);
// A name and its meaning: "  NAME   text"; the text begins at column `indent` in all its lines. A
// name that is too long for that gets a line of its own.
[[nodiscard]] std::string glossed(std::string_view name, std::string_view text, std::size_t columns,
                                  std::size_t indent);

struct TextOptions {
  bool colour = false;  // ANSI: green is better, red is worse
  bool all = false;     // every metric, not only the headlines
  std::size_t columns = usual_page;
};

}  // namespace rhizome::tools
