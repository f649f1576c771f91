// A fact: something that happened in the domain of a protocol, for outcomes, checkers, timelines
// and monitors. A plain struct that travels like a message, with a static declaration
//   static constexpr FactInfo info{"task-completed", "Its source has its result.",
//                                  "job portion executor"};
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/peer/codec.hpp"
#include "core/peer/fields.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

// The static declaration of a fact type. Its address tells it from all others of the process.
struct FactInfo {
  std::string_view name;     // what happened: "task-started"
  std::string_view meaning;  // the same in a sentence
  std::string_view fields;   // a name for each value in it, with spaces between; see values_of
};

// What a fact of one type says, as it was encoded when it was noted.
struct EncodedFact {
  const FactInfo* info;
  std::span<const std::byte> payload;
};

namespace detail {

// Numbers, truth values, texts, times and peers stand for themselves; other structs are taken
// apart.
template <class T>
inline constexpr bool is_value =
    !std::is_class_v<T> || std::is_same_v<T, std::string> || std::is_same_v<T, Duration> ||
    std::is_same_v<T, Time> || std::is_same_v<T, PeerId>;

consteval std::size_t count_words(std::string_view text) {
  std::size_t words = text.empty() ? 0 : 1;
  for (const char c : text) words += c == ' ' ? 1 : 0;
  return words;
}

}  // namespace detail

// References to all values in a fact, in order of declaration: structs in it are taken apart, but
// for peers, times and durations.
template <class T>
[[nodiscard]] constexpr auto values_of(T& fact) {
  if constexpr (detail::is_value<std::remove_const_t<T>>) {
    return std::tie(fact);
  } else {
    return with_fields(fact, [](auto&... field) { return std::tuple_cat(values_of(field)...); });
  }
}

template <class F>
concept fact_type = detail::count_words(F::info.fields)
== std::tuple_size_v<decltype(values_of(std::declval<F&>()))>;

// A fact that comes so often that it is noted only where a run is to have it: it declares
//   static constexpr bool on_request = true;
template <class F>
concept noted_on_request = requires {
  F::on_request;
};

// A fact of few runs: it declares
//   static constexpr bool seldom = true;
template <class F>
concept noted_seldom = noted_on_request<F> || requires {
  F::seldom;
};

// The names of its values.
[[nodiscard]] inline std::vector<std::string_view> fields_of(const FactInfo& info) {
  std::vector<std::string_view> names;
  for (std::size_t begin = 0; begin < info.fields.size();) {
    const std::size_t end = std::min(info.fields.find(' ', begin), info.fields.size());
    names.push_back(info.fields.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

}  // namespace rhizome::core
