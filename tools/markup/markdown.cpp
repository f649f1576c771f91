#include "tools/markup/markdown.hpp"

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

std::string markdown_head(const std::vector<std::string>& names) {
  std::string text = markdown_row(names) + "|";
  for (std::size_t i = 0; i < names.size(); ++i) text += "---|";
  return text + "\n";
}

}  // namespace rhizome::tools
