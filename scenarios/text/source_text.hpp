// The text of a whole file, plain or gzipped, for readers that know places in it and not lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rhizome::scenarios {

class SourceText {
 public:
  // Throws UnreadableFile where there is none, and InputError for one of more bytes than these.
  SourceText(std::string file, std::size_t most_bytes);

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const std::string& text() const { return text_; }

  // Both throw InputError: the first about the place at that offset, the second about the last
  // place of a JSON text with that content, or the beginning if there is none.
  [[noreturn]] void refuse(std::size_t offset, const std::string& message) const;
  [[noreturn]] void refuse_at(std::string_view content, const std::string& message) const;

 private:
  std::string file_;
  std::string text_;
};

}  // namespace rhizome::scenarios
