// Numbers in texts, as std::from_chars reads them.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

namespace rhizome::core {

// Takes a number off the front of the text; leaves the text alone where none stands there.
template <class N>
[[nodiscard]] std::optional<N> take_number(std::string_view& text) {
  N number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// Nothing if anything stands behind the number.
template <class N>
[[nodiscard]] std::optional<N> parse_number(std::string_view text) {
  const auto number = take_number<N>(text);
  return text.empty() ? number : std::nullopt;
}

}  // namespace rhizome::core
