// Lines of a text file, plain or gzipped alike. The one door to zlib.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace rhizome::scenarios {

// A source of lines, and its present line.
class LineSource {
 public:
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t number() const { return number_; }  // of the present line, from 1
  // Throws InputError about the present line.
  [[noreturn]] void refuse(std::size_t column, const std::string& message) const;

 protected:
  explicit LineSource(std::string name) : name_(std::move(name)) {}
  ~LineSource() = default;

  // Another line is the present one.
  void advance() { ++number_; }
  // Removes a carriage return, and a byte order mark before the first line; refuses a zero byte.
  void trim(std::string_view& line) const;
  void check_length(std::size_t length) const;
  static constexpr std::size_t longest_line = std::size_t{1} << 20U;

 private:
  std::string name_;
  std::size_t number_ = 0;
};

class Lines final : public LineSource {
 public:
  // Throws UnreadableFile when the file cannot be opened or is a directory.
  explicit Lines(std::string file);
  ~Lines();
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  // The next line without its end; valid until the next call. False at the end of the file. Throws
  // InputError for a damaged archive, one that gives very many times its own bytes, a zero byte and
  // a line of more than a mebibyte.
  [[nodiscard]] bool next(std::string_view& line);

  // The text of a whole file, as it is. Throws likewise, and for more bytes than these, unpacked.
  [[nodiscard]] static std::string all_of(const std::string& file, std::size_t most_bytes);

 private:
  class File;
  [[nodiscard]] bool fill();

  std::unique_ptr<File> file_;
  std::string_view rest_;  // bytes read that no line has taken yet
  std::string line_;       // put together from two or more buffers
};

}  // namespace rhizome::scenarios
