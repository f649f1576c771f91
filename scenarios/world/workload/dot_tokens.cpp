#include "scenarios/world/workload/dot_tokens.hpp"

#include <cctype>
#include <string_view>
#include <utility>

namespace rhizome::scenarios {

namespace {

using Kind = DotToken::Kind;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' ||
         static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

DotToken DotTokens::take() {
  DotToken taken = std::exchange(next_, read());
  return taken;
}

bool DotTokens::accept(const char* sign) {
  if (next_.kind != Kind::sign || next_.text != sign) return false;
  take();
  return true;
}

bool DotTokens::accept_keyword(const char* keyword) {
  if (next_.kind != Kind::word || next_.quoted) return false;
  std::string lower = next_.text;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (lower != keyword) return false;
  take();
  return true;
}

void DotTokens::expect(const char* sign) {
  if (!accept(sign)) source_.refuse(next_.offset, "expected \"" + std::string(sign) + "\" here");
}

// White space, comments as in C++, and lines of the preprocessor.
void DotTokens::skip_blanks() {
  const std::string_view text = source_.text();
  while (at_ < text.size()) {
    const std::string_view rest = text.substr(at_);
    if (std::isspace(static_cast<unsigned char>(rest.front())) != 0) {
      ++at_;
    } else if (rest.starts_with("//") ||
               (rest.front() == '#' && (at_ == 0 || text[at_ - 1] == '\n'))) {
      skip_until("\n");
    } else if (rest.starts_with("/*")) {
      at_ += 2;
      skip_until("*/");
    } else {
      return;
    }
  }
}

void DotTokens::skip_until(const char* end) {
  const std::size_t found = source_.text().find(end, at_);
  at_ = found == std::string::npos ? source_.text().size() : found + std::string_view(end).size();
}

DotToken DotTokens::read() {
  skip_blanks();
  const std::string_view text = source_.text();
  if (at_ == text.size()) return {.offset = at_};
  const std::size_t begin = at_;
  if (text[begin] == '"') return quoted();
  if (text[begin] == '<') return markup();
  const std::string_view arrow = text.substr(begin, 2);
  if (arrow == "->" || arrow == "--") {
    at_ += 2;
    return {.kind = Kind::sign, .text = std::string(arrow), .offset = begin};
  }
  if (std::string_view("{}[]=;,:+").find(text[begin]) != std::string_view::npos) {
    ++at_;
    return {.kind = Kind::sign, .text = std::string(1, text[begin]), .offset = begin};
  }
  if (text[at_] == '-') ++at_;  // of a number
  while (at_ < text.size() && is_word(text[at_])) ++at_;
  if (at_ == begin) source_.refuse(begin, "this character has no meaning in DOT");
  return {
      .kind = Kind::word, .text = std::string(text.substr(begin, at_ - begin)), .offset = begin};
}

DotToken DotTokens::quoted() {
  const std::string& text = source_.text();
  DotToken token{.kind = Kind::word, .quoted = true, .offset = at_};
  for (++at_; at_ < text.size() && text[at_] != '"'; ++at_) {
    if (text[at_] == '\\' && at_ + 1 < text.size() && text[at_ + 1] == '"') ++at_;
    token.text += text[at_];
  }
  if (at_ == text.size()) source_.refuse(token.offset, "this text has no closing quote");
  ++at_;
  return token;
}

// A text of HTML, whose angle brackets balance.
DotToken DotTokens::markup() {
  const std::string& text = source_.text();
  DotToken token{.kind = Kind::word, .quoted = true, .offset = at_};
  std::size_t depth = 0;
  do {
    depth += text[at_] == '<' ? 1 : 0;
    depth -= text[at_] == '>' ? 1 : 0;
    token.text += text[at_++];
  } while (depth > 0 && at_ < text.size());
  if (depth > 0) source_.refuse(token.offset, "this text of HTML has no closing bracket");
  return token;
}

}  // namespace rhizome::scenarios
