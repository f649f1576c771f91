#include "tools/compare/layout.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "scenarios/text/plain_text.hpp"

namespace rhizome::tools {

namespace {

std::size_t widest_in(const std::vector<std::vector<std::string>>& rows, std::size_t column) {
  std::size_t widest = 0;
  for (const auto& row : rows)
    if (column < row.size()) widest = std::max(widest, columns_of(row[column]));
  return widest;
}

// Bytes of the form 10xxxxxx continue a code point of UTF-8.
bool begins_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

// The first `columns` code points.
std::string_view front_of(std::string_view text, std::size_t columns) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (begins_code_point(text[i]) && seen++ == columns) return text.substr(0, i);
  return text;
}

}  // namespace

namespace {

constexpr std::array codes{"", "\033[1m", "\033[32m", "\033[31m", "\033[33m"};  // by ink
constexpr const char* end_of_ink = "\033[0m";

// The escape of ours that the text begins with; empty if it begins with none.
std::string_view own_escape(std::string_view text) {
  for (const std::string_view code : codes)
    if (!code.empty() && text.starts_with(code)) return code;
  return text.starts_with(end_of_ink) ? end_of_ink : std::string_view();
}

}  // namespace

std::string Painter::operator()(Ink ink, const std::string& text) const {
  if (!colour_ || ink == Ink::plain) return text;
  return codes[static_cast<std::size_t>(ink)] + text + end_of_ink;
}

std::string plain_but_for_inks(std::string_view text) {
  std::string plain;
  std::size_t done = 0;
  for (std::size_t at = text.find('\033'); at != std::string_view::npos;
       at = text.find('\033', at + 1)) {
    const std::string_view own = own_escape(text.substr(at));
    if (own.empty()) continue;
    plain.append(scenarios::plain_lines(text.substr(done, at - done))).append(own);
    done = at + own.size();
  }
  return plain + scenarios::plain_lines(text.substr(done));
}

std::string Columns::row(const std::vector<std::string>& texts) const {
  std::vector<TableCell> cells;
  for (const std::string& text : texts) cells.push_back({text});
  return row(cells);
}

std::string Columns::row(std::span<const TableCell> cells) const {
  const auto line = one_line(cells);
  return line ? *line + "\n" : stacked(cells);
}

std::optional<std::string> Columns::one_line(std::span<const TableCell> cells) const {
  std::string line;
  std::size_t used = 0;
  std::size_t offset = 0;  // of the column
  for (std::size_t i = 0; i < cells.size(); offset += columns_[i].width + 1, ++i) {
    const std::size_t wide = columns_of(cells[i].text);
    if (wide == 0) continue;
    const std::size_t room = std::max(columns_[i].width, wide) - wide;
    const std::size_t from =
        std::max(used == 0 ? 0 : used + 1, offset + (columns_[i].right ? room : 0));
    line += std::string(from - used, ' ') + paint_(cells[i].ink, cells[i].text);
    used = from + wide;
  }
  if (used > page_) return {};
  return line;
}

std::string Columns::stacked(std::span<const TableCell> cells) const {
  constexpr std::size_t indent = 4;
  std::vector<TableCell> rest(cells.begin(), cells.end());
  const TableCell& first = cells.front();
  const bool short_enough = columns_of(first.text) <= page_;
  const std::string title =
      short_enough ? paint_(first.ink, first.text) + "\n" : wrapped(first.text, page_, indent);
  rest.front().text.clear();
  if (const auto line = one_line(rest)) return title + *line + "\n";
  std::string lines;
  std::size_t used = page_;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    const std::size_t wide = columns_of(rest[i].text);
    if (wide == 0) continue;
    const bool fits = used + 2 + wide <= page_;
    lines += fits ? "  " : (lines.empty() ? "" : "\n") + std::string(indent, ' ');
    lines += paint_(rest[i].ink, rest[i].text);
    used = (fits ? used + 2 : indent) + wide;
  }
  return title + lines + "\n";
}

std::string in_blocks(const std::vector<std::vector<std::string>>& rows, std::size_t page,
                      std::size_t keys) {
  const std::size_t all = rows.front().size();
  std::vector<TableColumn> left;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < keys; ++i) {
    left.push_back({widest_in(rows, i)});
    taken += left.back().width + (i == 0 ? 0 : 1);
  }
  std::string text;
  for (std::size_t from = keys, to = keys; to < all || to == keys; from = to) {
    std::vector<TableColumn> columns = left;
    std::size_t used = taken;
    for (; to < all; ++to) {
      const std::size_t wide = widest_in(rows, to);
      if (to > from && used + 1 + wide > page) break;
      columns.push_back({wide});
      used += 1 + wide;
    }
    if (from > keys) text += "\n";
    const Columns block(std::move(columns), page);
    for (const auto& row : rows) {
      std::vector<std::string> texts(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(keys));
      for (std::size_t i = from; i < to; ++i) texts.push_back(row[i]);
      text += block.row(texts);
    }
    if (all == keys) break;
  }
  return text;
}

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_code_point));
}

std::string fitted(std::string_view text, std::size_t columns) {
  const std::size_t wide = columns_of(text);
  if (wide > columns) return std::string(front_of(text, columns - 1)) + "…";
  return std::string(text) + std::string(columns - wide, ' ');
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
  std::string result;
  std::size_t at = 0;  // columns used in this line
  while (!text.empty()) {
    std::size_t end = std::min(text.find(' '), text.size());
    if (text.substr(end).starts_with(" %")) end = std::min(text.find(' ', end + 1), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t wide = columns_of(word);
    if (at > 0 && at + 1 + wide > columns) {
      result += "\n" + std::string(indent, ' ');
      at = indent;
    } else if (at > 0) {
      result += ' ';
      ++at;
    }
    result += word;
    at += wide;
  }
  return result + "\n";
}

std::string paragraph(std::string_view text, std::size_t columns, std::string_view prefix) {
  if (text.empty()) return {};
  std::string result(prefix);
  const std::string lines = wrapped(text, columns - columns_of(prefix), 0);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    result += lines[i];
    if (lines[i] == '\n' && i + 1 < lines.size()) result += prefix;
  }
  return result;
}

std::string glossed(std::string_view name, std::string_view text, std::size_t columns,
                    std::size_t indent) {
  const std::string head = "  " + std::string(name);
  const std::string body = paragraph(text, columns, std::string(indent, ' '));
  if (columns_of(head) >= indent || body.empty()) return head + "\n" + body;
  return fitted(head, indent) + body.substr(indent);
}

std::string indented(std::string_view lines, std::size_t columns) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += lines[i];
    if (lines[i] == '\n' && i + 1 < lines.size()) text.append(columns, ' ');
  }
  return text;
}

}  // namespace rhizome::tools
