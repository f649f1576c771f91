// Lines that come through a pipe while the reader has other things to do.
#pragma once

#include <string>
#include <string_view>

#include "scenarios/text/lines.hpp"

namespace rhizome::scenarios {

class ComingLines final : public LineSource {
 public:
  // "-" is standard input. Throws UnreadableFile when it cannot be opened or is a directory.
  explicit ComingLines(const std::string& file);
  ~ComingLines();
  ComingLines(const ComingLines&) = delete;
  ComingLines& operator=(const ComingLines&) = delete;

  // The next line without its end, as far as it has come; valid until the next call. Never waits:
  // false if there is none yet. What follows the last end of a line comes with the end of the pipe.
  // Throws InputError for a zero byte and a line of more than a mebibyte.
  [[nodiscard]] bool next(std::string_view& line);
  // Whether more may come: false once all has been had and nobody writes any more.
  [[nodiscard]] bool open() const { return open_ || taken_ < come_.size(); }

 private:
  void read();

  int descriptor_;
  bool open_ = true;
  std::string come_;
  std::size_t taken_ = 0;  // of that
};

}  // namespace rhizome::scenarios
