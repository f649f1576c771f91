#include "scenarios/text/plain_text.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>

namespace rhizome::scenarios {

namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: no UTF-8
};

// How many bytes a character has by its first; 0 where none begins so.
std::size_t length_by(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return 2;
  if (first < 0xF0) return 3;
  return first < 0xF5 ? 4 : 0;
}

bool is_allowed(const Character& character) {
  constexpr std::uint32_t least[]{0, 0, 0x80, 0x800, 0x10000};
  const std::uint32_t code = character.code;
  return code >= least[character.bytes] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

Character first_of(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  Character character{.code = first, .bytes = length_by(first)};
  if (character.bytes == 0 || character.bytes > text.size()) return {};
  if (character.bytes > 1) character.code = first & (0x7FU >> character.bytes);
  for (std::size_t i = 1; i < character.bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80U) return {};
    character.code = character.code << 6U | (next & 0x3FU);
  }
  return is_allowed(character) ? character : Character{};
}

// Controls, and the marks and embeddings of the bidirectional algorithm.
bool is_unfit(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C ||
         (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xFFFE || code == 0xFFFF;
}

// The escape of a byte, as in C.
std::string escape_of(const Character& character, char byte) {
  if (character.code == '\n') return "\\n";
  if (character.code == '\t') return "\\t";
  // JSON, whose strings may hold DEL, has no other way to write it.
  if (character.bytes > 1 || character.code == 0x7f)
    return fmt::format("\\u{:04x}", character.code);
  return fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
}

std::string escaped(std::string_view text, bool lines) {
  std::string plain;
  while (!text.empty()) {
    const Character character = first_of(text);
    const std::size_t bytes = character.bytes == 0 ? 1 : character.bytes;
    const bool blank = lines && (text.front() == '\n' || text.front() == '\t');
    if (character.bytes != 0 && (blank || !is_unfit(character.code)))
      plain.append(text.substr(0, bytes));
    else
      plain += escape_of(character, text.front());
    text.remove_prefix(bytes);
  }
  return plain;
}

}  // namespace

std::string plain_text(std::string_view text) { return escaped(text, false); }
std::string plain_lines(std::string_view text) { return escaped(text, true); }

}  // namespace rhizome::scenarios
