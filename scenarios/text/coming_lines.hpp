// Lines that come through a pipe, read without blocking the reader.
#pragma once

#include <string>
#include <string_view>

#include "scenarios/text/lines.hpp"

namespace rhizome::scenarios {

class ComingLines final : public LineSource {
 public:
  // `file`: "-" is standard input. Throws UnreadableFile if it cannot be opened or is a directory.
  explicit ComingLines(const std::string& file);
  ~ComingLines();
  ComingLines(const ComingLines&) = delete;
  ComingLines& operator=(const ComingLines&) = delete;

  // The next line without its end, as far as it has come; valid until the next call. Never waits:
  // returns false if there is no line yet. Text after the last line end is returned when the pipe
  // ends. Throws InputError for a zero byte and for a line of more than a mebibyte.
  [[nodiscard]] bool next(std::string_view& line);
  // Whether more lines may come. False once all lines were returned and the writer has closed the
  // pipe.
  [[nodiscard]] bool open() const { return open_ || taken_ < come_.size(); }

 private:
  void read();

  int descriptor_;
  bool open_ = true;
  std::string come_;
  std::size_t taken_ = 0;  // bytes of come_ that were returned
};

}  // namespace rhizome::scenarios
