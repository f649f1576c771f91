// A table of the results store, described once: for each column its name, its meaning, and which
// part of a value it keeps. The statement that makes the table, and the code that writes and reads
// rows, are derived from that.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/peer/message.hpp"
#include "core/peer/packet.hpp"
#include "scenarios/outcome/validity.hpp"
#include "scenarios/store/database.hpp"
#include "scenarios/store/sql.hpp"

namespace rhizome::scenarios {

// Enumerators as the words of the results store, and back.
// The enumerator of E, from 0 to `last`, that is called `word`.
template <class E>
[[nodiscard]] E enumerator(std::string_view word, E last) {
  for (std::size_t i = 0; i <= static_cast<std::size_t>(last); ++i)
    if (name_of(static_cast<E>(i)) == word) return static_cast<E>(i);
  throw DatabaseError("the word \"" + std::string(word) + "\" has no meaning here");
}

// The name or the meaning of a column; without any, nothing compiles.
struct Words {
  std::string_view text;
  template <std::size_t N>
  consteval Words(const char (&words)[N]) : text(words) {  // NOLINT: texts stand for themselves
    static_assert(N > 1, "a column has a name and a meaning");
  }
};

// The stored type of a part: an enumerator as its word, all others as they are.
template <class T>
using Kept = std::conditional_t<std::is_enum_v<T> || std::convertible_to<T, std::string_view>,
                                std::string, T>;

enum class Missing : std::uint8_t { never, possible };  // NULL

// load(row) is what the column keeps of a row; store(row, kept) puts it back.
template <class Load, class Store>
struct ColumnOf {
  std::string_view name;
  std::string_view meaning;
  Missing missing;
  Load load;
  Store store;
};

// A column that is written only: it tells the order of rows, or repeats other columns.
struct Unread {};

template <class Load, class Store>
constexpr ColumnOf<Load, Store> special(Words name, Load load, Store store, Words meaning) {
  return {name.text, meaning.text, Missing::never, load, store};
}

// The member of a row, or of its member, and so on: at<&Outcome::patience, &Patience::notice>.
template <auto... Member>
inline constexpr auto at = [](auto& row) -> auto& {
  return (row.*....*Member);
};

// Keeps the part of a row to which `part` returns a reference.
template <class Part>
constexpr auto column(Words name, Part part, Words meaning, Missing missing = Missing::never) {
  const auto load = [part](const auto& row) -> decltype(auto) {
    using T = std::remove_cvref_t<decltype(part(row))>;
    if constexpr (std::is_enum_v<T>)
      return std::string_view(name_of(part(row)));
    else
      return part(row);  // a reference
  };
  const auto store = [part](auto& row, auto&& kept) {
    using T = std::remove_cvref_t<decltype(part(row))>;
    if constexpr (std::is_enum_v<T>)
      part(row) = enumerator(kept, T::last);
    else
      part(row) = std::forward<decltype(kept)>(kept);
  };
  return ColumnOf<decltype(load), decltype(store)>{name.text, meaning.text, missing, load, store};
}

// A time that may be missing, when the default is stored; `happened` returns a reference to the
// flag that tells whether it is there.
template <class Part, class Happened>
constexpr auto time_if(Words name, Happened happened, Part part, Words meaning) {
  return special(
      name,
      [=](const auto& row) { return happened(row) ? std::optional(part(row)) : std::nullopt; },
      [=](auto& row, const std::optional<core::Time>& kept) {
        happened(row) = kept.has_value();
        part(row) = kept.value_or(core::Time{});
      },
      meaning);
}

template <class Row, class... C>
struct Table {
  std::string_view name;
  std::string_view meaning;
  std::string_view key;  // columns that order the rows of a run; empty: it has but one
  std::tuple<C...> columns;

  static constexpr std::size_t count = sizeof...(C);
};

template <class Row, class... C>
constexpr Table<Row, C...> table(Words name, std::string_view key, Words meaning, C... columns) {
  return {name.text, meaning.text, key, {columns...}};
}

inline constexpr auto position = special(
    "position", [](const auto& row) { return row.position; }, Unread{},
    "in the order in which they are listed, from 0");

namespace store_detail {

// The part of a listed row that is meant: its place, or what any column keeps of the row itself.
template <class Column, class Row>
decltype(auto) kept_of(const Column& column, const Row& row, std::size_t place) {
  if constexpr (std::is_same_v<Column, std::remove_cv_t<decltype(position)>> &&
                !requires { row.position; })
    return place;
  else
    return column.load(row);
}

template <class T>
constexpr std::string_view type_of(Missing missing) {
  constexpr bool optional = requires(T value) { value.has_value(); };
  const bool open = optional || missing == Missing::possible;
  if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, std::optional<double>>)
    return open ? "REAL" : "REAL NOT NULL";
  else if constexpr (std::is_same_v<T, std::string>)
    return "TEXT NOT NULL";
  else
    return open ? "INTEGER" : "INTEGER NOT NULL";
}

template <class Column, class Row>
using KeptOf = Kept<std::remove_cvref_t<decltype(kept_of(
    std::declval<const Column&>(), std::declval<const Row&>(), std::size_t{}))>>;

template <class Column>
constexpr bool is_read = true;
template <class Load>
constexpr bool is_read<ColumnOf<Load, Unread>> = false;

template <class Row, class Column>
void take(Statement& query, Row& row, const Column& column) {
  if constexpr (is_read<Column>) {
    KeptOf<Column, Row> kept{};
    query.take(kept);
    column.store(row, std::move(kept));
  }
}

}  // namespace store_detail

template <class Row, class... C>
TableText text_of(const Table<Row, C...>& table) {
  TableText text{.name = std::string(table.name),
                 .meaning = std::string(table.meaning),
                 .key = std::string(table.key)};
  const auto add = [&](const auto& column) {
    using T = store_detail::KeptOf<std::remove_cvref_t<decltype(column)>, Row>;
    text.columns.push_back({.name = std::string(column.name),
                            .type = std::string(store_detail::type_of<T>(column.missing)),
                            .meaning = std::string(column.meaning)});
  };
  std::apply([&](const auto&... column) { (add(column), ...); }, table.columns);
  return text;
}

template <class Row, class... C>
void write_rows(const Database& database, const Table<Row, C...>& table, std::size_t run,
                std::span<const std::type_identity_t<Row>> rows) {
  Insert insert(database, std::string(table.name), 1 + table.count, rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::apply(
        [&](const auto&... column) {
          insert.add(run, store_detail::kept_of(column, rows[i], i)...);
        },
        table.columns);
}

// Calls f(row) for every row of the run, in the order of the key.
template <class Row, class... C, class F>
void read_rows(const Database& database, const Table<Row, C...>& table, std::size_t run, F f) {
  std::string names;
  const auto add = [&](const auto& column) {
    if (store_detail::is_read<std::remove_cvref_t<decltype(column)>>)
      names += (names.empty() ? "" : ", ") + std::string(column.name);
  };
  std::apply([&](const auto&... column) { (add(column), ...); }, table.columns);
  const KeptStatement query =
      database.kept("SELECT " + names + " FROM " + std::string(table.name) + " WHERE run = ?" +
                    (table.key.empty() ? std::string() : " ORDER BY " + std::string(table.key)));
  query->start(run);
  while (query->next()) {
    Row row{};
    std::apply([&](const auto&... column) { (store_detail::take(*query, row, column), ...); },
               table.columns);
    f(std::move(row));
  }
}

// Appends them.
template <class Row, class... C>
void read_rows(const Database& database, const Table<Row, C...>& table, std::size_t run,
               std::vector<Row>& rows) {
  read_rows(database, table, run, [&](Row&& row) { rows.push_back(std::move(row)); });
}

}  // namespace rhizome::scenarios
