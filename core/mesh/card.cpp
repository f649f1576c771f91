#include "core/mesh/card.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/peer/codec.hpp"

namespace rhizome::core {

namespace {

constexpr std::string_view digits = "0123456789abcdef";

std::string hexadecimal(const Bytes& bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    text += digits[std::to_integer<std::size_t>(byte >> 4U)];
    text += digits[std::to_integer<std::size_t>(byte & std::byte{15})];
  }
  return text;
}

std::optional<Bytes> bytes_of(std::string_view text) {
  Bytes bytes;
  if (text.size() % 2 != 0) return {};
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const std::size_t high = digits.find(text[i]);
    const std::size_t low = digits.find(text[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return {};
    bytes.push_back(static_cast<std::byte>(high * 16 + low));
  }
  return bytes;
}

std::string name_of(std::size_t number, const Card& card) {
  return "process " + std::to_string(number) + " on " + card.process.host;
}

void check_same(std::size_t number, const Card& card, const Card& first) {
  const ProcessIdentity& mine = card.process;
  const ProcessIdentity& theirs = first.process;
  if (mine.version != theirs.version)
    throw Unreachable(name_of(number, card) + " is rhizome " + mine.version + ", and " +
                      name_of(0, first) + " is " + theirs.version + ": all have to be the same");
  for (std::size_t i = 0; i < mine.subjects.size() || i < theirs.subjects.size(); ++i) {
    const bool both = i < mine.subjects.size() && i < theirs.subjects.size();
    if (both && mine.subjects[i] == theirs.subjects[i]) continue;
    const std::string& what = (i < mine.subjects.size() ? mine : theirs).subjects[i].name;
    throw Unreachable(name_of(number, card) + " has something else than " + name_of(0, first) +
                      ": " + what + " differs");
  }
}

}  // namespace

std::string text_of(const Card& card) {
  Bytes bytes;
  encode(card, bytes);
  return hexadecimal(bytes);
}

std::vector<Card> read_cards(std::span<const std::string> texts) {
  std::vector<Card> cards;
  for (const std::string& text : texts) {
    const auto bytes = bytes_of(text);
    const std::string who = "the card of process " + std::to_string(cards.size());
    if (!bytes || decode(*bytes, cards.emplace_back()) != DecodeError::none)
      throw Unreachable(who + " cannot be read: it is of another version of rhizome");
    if (cards.back().endpoints.size() != texts.size())
      throw Unreachable(who + " does not say where it awaits the others");
    check_same(cards.size() - 1, cards.back(), cards.front());
  }
  return cards;
}

}  // namespace rhizome::core
