// How tables stand on a page of so many columns: no line is wider, and no figure is ever cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rhizome::tools {

// What a terminal shows if nobody says otherwise.
inline constexpr std::size_t usual_page = 80;

enum class Ink : std::uint8_t { plain, bold, green, red, yellow };

// Colour comes after the padding: its bytes take no columns.
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
  bool right = false;  // aligned to its end
};

// Rows of cells in columns, one space apart. A cell too wide for its column pushes those after it;
// where the line has no room for that, the first cell has a line of its own.
class Columns {
 public:
  Columns(std::vector<TableColumn> columns, std::size_t page, Painter paint = Painter(false))
      : columns_(std::move(columns)), page_(page), paint_(paint) {}

  // With the end of its line, or lines. Empty cells stay empty.
  [[nodiscard]] std::string row(std::span<const TableCell> cells) const;
  [[nodiscard]] std::string row(const std::vector<std::string>& texts) const;

 private:
  [[nodiscard]] std::optional<std::string> one_line(std::span<const TableCell> cells) const;
  [[nodiscard]] std::string stacked(std::span<const TableCell> cells) const;

  std::vector<TableColumn> columns_;
  std::size_t page_;
  Painter paint_;
};

// Rows of texts below their head, each column as wide as it needs. Where the page has no room for
// all columns, the rest follow in further blocks, each with the first `keys` columns.
[[nodiscard]] std::string in_blocks(const std::vector<std::vector<std::string>>& rows,
                                    std::size_t page, std::size_t keys = 1);

// Columns that UTF-8 text takes, one for each code point.
[[nodiscard]] std::size_t columns_of(std::string_view text);
// Filled with spaces, or cut with an ellipsis, to exactly `columns`.
[[nodiscard]] std::string fitted(std::string_view text, std::size_t columns);
// Lines of at most `columns`; those after the first begin with `indent` spaces. No line begins with
// "%", which belongs to the figure before it.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);
// Lines of at most `columns`, each of which begins with `prefix`; none of an empty text.
[[nodiscard]] std::string paragraph(std::string_view text, std::size_t columns,
                                    std::string_view prefix);
// A name and what it means: "  NAME   text", and the rest of the text below its beginning, `indent`
// columns in. A name too long for that has a line of its own.
[[nodiscard]] std::string glossed(std::string_view name, std::string_view text, std::size_t columns,
                                  std::size_t indent);

}  // namespace rhizome::tools
