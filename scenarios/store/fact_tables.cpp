#include "scenarios/store/fact_tables.hpp"

#include <algorithm>
#include <type_traits>

#include "scenarios/store/insert.hpp"

namespace rhizome::scenarios {

namespace {

// Every table of facts has columns of these names already.
template <class F>
consteval bool has_free_names() {
  std::string_view rest = F::info.fields;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view name = rest.substr(0, end);
    for (const std::string_view reserved : {"run", "at", "peer", "number"})
      if (name == reserved) return false;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return true;
}

std::string table_of(const core::FactInfo& info) {
  std::string name = "fact_" + std::string(info.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// How a column for values of type T ends, its name apart: nobody is NULL, and so is a NaN.
template <class T>
std::string column_type() {
  if constexpr (std::is_same_v<T, core::Duration> || std::is_same_v<T, core::Time>) {
    return "_ns INTEGER NOT NULL";
  } else if constexpr (std::is_same_v<T, core::PeerId>) {
    return " INTEGER";
  } else if constexpr (std::is_floating_point_v<T>) {
    return " REAL";
  } else if constexpr (std::is_same_v<T, std::string>) {
    return " TEXT NOT NULL";
  } else {
    return " INTEGER NOT NULL";
  }
}

// ", job INTEGER NOT NULL, portion ...".
template <class F>
std::string columns_of() {
  static_assert(has_free_names<F>(), "a value of a fact has the name of a column of all tables");
  F fact{};
  const std::vector<std::string> types = std::apply(
      [](const auto&... value) {
        return std::vector<std::string>{column_type<std::remove_cvref_t<decltype(value)>>()...};
      },
      core::values_of(fact));
  const std::vector<std::string_view> names = core::fields_of(F::info);
  std::string columns;
  for (std::size_t i = 0; i < names.size(); ++i)
    columns.append(", ").append(names[i]).append(types[i]);
  return columns;
}

template <class F>
void read_column(const Database& database, std::size_t run, Facts& facts) {
  Statement query = database.prepare("SELECT * FROM " + table_of(F::info) + " WHERE run = ?");
  query.start(run);
  while (query.next()) {
    std::size_t same = 0;
    FactPlace place;
    F fact;
    query.take(same, place.at, place.peer, place.number);
    std::apply([&query](auto&... value) { query.take(value...); }, core::values_of(fact));
    facts.add(place, std::move(fact));
  }
}

}  // namespace

std::string fact_tables_sql() {
  std::string tables;
  std::string view;
  Facts{}.for_each_type([&]<class F>(std::type_identity<F>, const auto&) {
    const std::string table = table_of(F::info);
    tables += "-- " + std::string(F::info.meaning) + "\nCREATE TABLE " + table +
              " (run INTEGER NOT NULL, at_ns INTEGER NOT NULL, peer INTEGER NOT NULL, number "
              "INTEGER NOT NULL" +
              columns_of<F>() +
              ", PRIMARY KEY (run, at_ns, peer, number)) STRICT, WITHOUT ROWID;\n";
    view += (view.empty() ? "" : " UNION ALL ") +
            ("SELECT run, at_ns, peer, number, '" + std::string(F::info.name) + "' AS name FROM " +
             table);
  });
  return tables + "CREATE VIEW facts AS " + view + ";\n";
}

std::vector<std::string> fact_tables() {
  std::vector<std::string> names;
  Facts{}.for_each_type(
      [&]<class F>(std::type_identity<F>, const auto&) { names.push_back(table_of(F::info)); });
  return names;
}

void write_facts(const Database& database, std::size_t run, const Facts& facts) {
  facts.for_each_type([&]<class F>(std::type_identity<F>, const std::vector<Noted<F>>& column) {
    if (column.empty()) return;
    constexpr std::size_t places = 4;  // run, time, peer, number
    Insert rows(database, table_of(F::info), places + core::fields_of(F::info).size(),
                column.size());
    for (const Noted<F>& noted : column)
      std::apply(
          [&](const auto&... value) {
            rows.add(run, noted.at, noted.peer, noted.number, value...);
          },
          core::values_of(noted.fact));
  });
}

Facts read_facts(const Database& database, std::size_t run) {
  Facts facts;
  Facts{}.for_each_type(
      [&]<class F>(std::type_identity<F>, const auto&) { read_column<F>(database, run, facts); });
  facts.sort();
  return facts;
}

}  // namespace rhizome::scenarios
