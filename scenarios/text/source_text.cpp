#include "scenarios/text/source_text.hpp"

#include <algorithm>
#include <utility>

#include "scenarios/text/input_error.hpp"
#include "scenarios/text/lines.hpp"

namespace rhizome::scenarios {

SourceText::SourceText(std::string file, std::size_t most_bytes)
    : file_(std::move(file)), text_(Lines::all_of(file_, most_bytes)) {}

void SourceText::refuse(std::size_t offset, const std::string& message) const {
  const std::string_view before = std::string_view(text_).substr(0, offset);
  const auto lines = static_cast<std::size_t>(std::ranges::count(before, '\n'));
  const std::size_t line = before.rfind('\n');  // its end; npos + 1 is 0
  throw InputError(file_, lines + 1, before.size() - (line + 1) + 1, message);
}

void SourceText::refuse_at(std::string_view content, const std::string& message) const {
  const std::size_t place = text_.rfind("\"" + std::string(content) + "\"");
  refuse(place == std::string::npos ? 0 : place, message);
}

}  // namespace rhizome::scenarios
