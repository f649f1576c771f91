// The words and signs of a DOT file, one after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "scenarios/text/source_text.hpp"

namespace rhizome::scenarios {

struct DotToken {
  enum class Kind : std::uint8_t { word, sign, end };
  Kind kind = Kind::end;
  std::string text{};  // of a quoted word without its quotes; of a sign one of { } [ ] = ; , : + ->
  bool quoted = false;
  std::size_t offset = 0;
};

class DotTokens {
 public:
  // The source outlives it.
  explicit DotTokens(const SourceText& source) : source_(source) { take(); }

  [[nodiscard]] const DotToken& next() const { return next_; }
  // The next token, which is passed. Throws InputError where what follows is none.
  DotToken take();
  // Passes the sign if it comes next.
  bool accept(const char* sign);
  // The same of a keyword, in letters of either case.
  bool accept_keyword(const char* keyword);
  // Throws InputError where another comes next.
  void expect(const char* sign);

 private:
  void skip_blanks();
  void skip_until(const char* end);
  [[nodiscard]] DotToken read();
  [[nodiscard]] DotToken quoted();
  [[nodiscard]] DotToken markup();

  const SourceText& source_;
  std::size_t at_ = 0;
  DotToken next_;
};

}  // namespace rhizome::scenarios
