#include "scenarios/text/source_text.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "scenarios/text/files.hpp"
#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

SourceText::SourceText(std::string file, std::size_t most_bytes) : file_(std::move(file)) {
  std::error_code unknown;
  const auto size = std::filesystem::file_size(file_, unknown);
  if (!unknown && size > most_bytes)
    throw InputError(file_, 1, 1,
                     "the file is larger than " + std::to_string(most_bytes >> 20U) + " MiB");
  auto text = read_file(file_);
  if (!text) throw UnreadableFile(file_ + ": cannot be read");
  text_ = *std::move(text);
}

void SourceText::refuse(std::size_t offset, const std::string& message) const {
  const std::string_view before = std::string_view(text_).substr(0, offset);
  const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t line = before.rfind('\n');  // its end; npos + 1 is 0
  throw InputError(file_, lines + 1, before.size() - (line + 1) + 1, message);
}

void SourceText::refuse_at(std::string_view content, const std::string& message) const {
  const std::size_t place = text_.rfind("\"" + std::string(content) + "\"");
  refuse(place == std::string::npos ? 0 : place, message);
}

}  // namespace rhizome::scenarios
