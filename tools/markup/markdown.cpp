#include "tools/markup/markdown.hpp"

#include <string_view>

namespace rhizome::tools {

namespace {

std::string escaped(const std::string& cell) {
  std::string safe;
  for (const char c : cell) {
    if (c == '|') safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return safe;
}

}  // namespace

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + escaped(cell) + " |";
  return text + "\n";
}

std::string markdown_head(const std::vector<std::string>& names, std::size_t left) {
  std::string text = markdown_row(names) + "|";
  for (std::size_t i = 0; i < names.size(); ++i) text += i < left ? "---|" : "---:|";
  return text + "\n";
}

std::string markdown_text(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (std::string_view("\\`*[]<>&").find(c) != std::string_view::npos) safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return safe;
}

std::string markdown_paragraph(const std::string& text) { return markdown_text(text) + "\n"; }

std::string markdown_warning(const std::string& text) {
  return "**Warning:** " + markdown_paragraph(text);
}

}  // namespace rhizome::tools
