#include "core/peer/state_dump.hpp"

#include <array>
#include <charconv>

namespace rhizome::core {

namespace {

template <class T>
void append(std::string& text, T value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text.append(digits.data(), end);
}

// Appends a quoted text in one line, with escapes.
void append(std::string& text, std::string_view said) {
  text += '"';
  for (const char c : said) text += c < ' ' || c > '~' ? '.' : c;
  text += '"';
}

// Takes one value from the front of the tokens.
void append(std::string& text, std::span<const Token>& tokens) {
  const Token token = tokens.front();
  tokens = tokens.subspan(1);
  switch (token.kind) {
    case Token::Kind::natural:
      return append(text, token.natural);
    case Token::Kind::negative:
      return append(text, token.integer);
    case Token::Kind::real:
      return append(text, token.real);
    case Token::Kind::boolean:
      text += token.natural != 0 ? "yes" : "no";
      return;
    case Token::Kind::text:
      return append(text, std::string_view(token.text, token.size));
    case Token::Kind::array:
      break;
  }
  text += '[';
  for (std::uint32_t i = 0; i < token.size; ++i) {
    if (i > 0) text += ", ";
    append(text, tokens);
  }
  text += ']';
}

}  // namespace

void StateDump::natural(std::uint64_t value) { append(fields_.back().value, value); }
void StateDump::integer(std::int64_t value) { append(fields_.back().value, value); }
void StateDump::real(double value) { append(fields_.back().value, value); }

void StateDump::duration(Duration value) {
  real(seconds(value));
  put(" s");
}

void StateDump::peer(PeerId value) {
  if (value == no_peer)
    put("nobody");
  else
    natural(value.value);
}

std::string StateDump::text() const {
  std::string all;
  for (const Field& field : fields_) all += field.name + " = " + field.value + "\n";
  return all;
}

std::string text_of(std::span<const std::byte> payload) {
  Tokens tokens;
  const Reader reader(payload, tokens, no_limits);
  std::string text;
  if (reader.error() != DecodeError::none) return text;
  for (std::span<const Token> left(tokens); !left.empty();) {
    if (!text.empty()) text += ", ";
    append(text, left);
  }
  return text;
}

}  // namespace rhizome::core
