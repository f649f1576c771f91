// A fact: something that happened in the domain of a protocol, for outcomes, checkers, timelines
// and monitors. A plain struct that travels like a message, with a static declaration
//   static constexpr FactInfo info{"task-completed", "Its source has its result.",
//                                  "job | portion | executor: which peer ran it"};
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

// Of facts that come so often that they are noted only where a run is to have them; and of facts of
// few runs, which all those are.
enum class Noted : std::uint8_t { always, seldom, on_request };

// The static declaration of a fact type. Its address tells it from all others of the process.
struct FactInfo {
  std::string_view name;     // what happened: "task-started"
  std::string_view meaning;  // the same in a sentence
  // "NAME: MEANING | NAME: MEANING": a name for each value in it, see values_of, and what the value
  // means, which the store says of names that many facts have.
  std::string_view fields;
  Noted noted = Noted::always;
};

// A value of a fact.
struct FactField {
  std::string_view name;
  std::string_view meaning;  // empty: the meaning shared by all facts with that name
};

// Takes the first field from the front of a list of them that is not empty.
constexpr FactField take_field(std::string_view& fields) {
  constexpr std::string_view between = " | ";
  constexpr std::string_view colon = ": ";
  const std::size_t end = std::min(fields.find(between), fields.size());
  const std::string_view field = fields.substr(0, end);
  fields.remove_prefix(std::min(end + between.size(), fields.size()));
  const std::size_t name = field.find(colon);
  if (name == std::string_view::npos) return {field, {}};
  return {field.substr(0, name), field.substr(name + colon.size())};
}

// A fact, encoded when it was noted.
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

consteval std::size_t count_fields_of(std::string_view fields) {
  std::size_t count = 0;
  for (; !fields.empty(); ++count) take_field(fields);
  return count;
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
concept fact_type = requires {
  F::info.fields;
}
&&detail::count_fields_of(
    F::info.fields) == std::tuple_size_v<decltype(values_of(std::declval<F&>()))>;

// Facts are equal if all their values are. A namespace that has facts says
//   using core::operator==;
template <fact_type F>
[[nodiscard]] bool operator==(const F& one, const F& other) {
  return values_of(one) == values_of(other);
}

template <class F>
concept noted_on_request = F::info.noted == Noted::on_request;
template <class F>
concept noted_seldom = F::info.noted != Noted::always;

// The names of its values.
[[nodiscard]] inline std::vector<std::string_view> fields_of(const FactInfo& info) {
  std::vector<std::string_view> names;
  for (std::string_view rest = info.fields; !rest.empty();) names.push_back(take_field(rest).name);
  return names;
}

}  // namespace rhizome::core
