#include "scenarios/store/fact_tables.hpp"

#include <algorithm>
#include <string_view>
#include <type_traits>

#include "scenarios/store/sql.hpp"

namespace rhizome::scenarios {

namespace {

// The meanings of fields that several facts share.
constexpr core::FactField shared[] = {{"job", "which job, from 0"},
                                      {"portion", "which task of its job, from 0"},
                                      {"executor", "which peer ran it"},
                                      {"reason", "why"},
                                      {"giver_job", "the job of the task that gives it"},
                                      {"giver_portion", "which task of its job that is"},
                                      {"version", "the epoch in which it was there"},
                                      {"leader", "the peer that leads the group; NULL: of none"},
                                      {"subject", "which peer is watched"},
                                      {"model", "its number, from 0"}};

// Empty for a field without a meaning.
constexpr std::string_view meaning_of(const core::FactField& field) {
  if (!field.meaning.empty()) return field.meaning;
  for (const core::FactField& known : shared)
    if (known.name == field.name) return known.meaning;
  return {};
}

// Whether no field has the name of a column that every table of facts has.
template <class F>
consteval bool has_free_names() {
  for (std::string_view rest = F::info.fields; !rest.empty();) {
    const std::string_view name = core::take_field(rest).name;
    for (const std::string_view reserved : {"run", "at", "peer", "number"})
      if (name == reserved) return false;
  }
  return true;
}

template <class F>
consteval bool has_meanings() {
  for (std::string_view rest = F::info.fields; !rest.empty();)
    if (meaning_of(core::take_field(rest)).empty()) return false;
  return true;
}

std::string table_of(const core::FactInfo& info) {
  std::string name = "fact_" + std::string(info.name);
  std::ranges::replace(name, '-', '_');
  return name;
}

// A column for values of type T, whose name ends in its unit. core::no_peer is stored as NULL, and
// so is NaN.
template <class T>
ColumnText column_of(const core::FactField& field) {
  const std::string name(field.name);
  const std::string meaning(meaning_of(field));
  if constexpr (std::is_same_v<T, core::Duration> || std::is_same_v<T, core::Time>) {
    return {name + "_ns", "INTEGER NOT NULL", meaning};
  } else if constexpr (std::is_same_v<T, core::PeerId>) {
    return {name, "INTEGER", meaning};
  } else if constexpr (std::is_floating_point_v<T>) {
    return {name, "REAL", meaning};
  } else if constexpr (std::is_same_v<T, std::string>) {
    return {name, "TEXT NOT NULL", meaning};
  } else {
    return {name, "INTEGER NOT NULL", meaning};
  }
}

// The columns for time, peer and number, then one for each field.
template <class F>
std::vector<ColumnText> columns_of() {
  static_assert(has_free_names<F>(), "a value of a fact has the name of a column of all tables");
  static_assert(has_meanings<F>(), "a value of a fact has no meaning");
  F fact{};
  std::string_view rest = F::info.fields;
  std::vector<ColumnText> columns{
      {"at_ns", "INTEGER NOT NULL", "when, since the start of the run"},
      {"peer", "INTEGER NOT NULL", "at which peer, from 0; NULL: at none"},
      {"number", "INTEGER NOT NULL", "of the facts that this peer noted"}};
  std::apply(
      [&](const auto&... value) {
        (columns.push_back(column_of<std::remove_cvref_t<decltype(value)>>(core::take_field(rest))),
         ...);
      },
      core::values_of(fact));
  return columns;
}

// Whether the store has a table for facts of type F.
template <class F>
bool is_kept(const Database& database) {
  if constexpr (!core::noted_seldom<F>) return true;
  const KeptStatement query =
      database.kept("SELECT name FROM sqlite_schema WHERE type = 'table' AND name = ?");
  const std::string name = table_of(F::info);
  query->start(std::string_view(name));
  return query->next();
}

template <class F>
std::string table_sql() {
  return create_sql({.name = table_of(F::info),
                     .meaning = std::string(F::info.meaning),
                     .key = "at_ns, peer, number",
                     .columns = columns_of<F>()});
}

// A view of those tables for which kept(type) is true.
template <class Kept>
std::string view_sql(Kept kept) {
  std::string view;
  Facts{}.for_each_type([&]<class F>(std::type_identity<F> type, const auto&) {
    if (!kept(type)) return;
    view += (view.empty() ? "" : " UNION ALL ") +
            ("SELECT run, at_ns, peer, number, '" + std::string(F::info.name) + "' AS name FROM " +
             table_of(F::info));
  });
  return "CREATE VIEW facts AS  -- What happened when at whom.\n  " + view + ";\n";
}

// Not a template: one for each type of fact would go through all types again, and cost a minute to
// compile.
std::string view_of_kept_sql(const Database& database) {
  return view_sql([&database]<class F>(std::type_identity<F>) { return is_kept<F>(database); });
}

template <class F>
void make_table(const Database& database) {
  database.prepare(table_sql<F>()).run();
  database.prepare("DROP VIEW facts").run();
  database.prepare(view_of_kept_sql(database)).run();
}

template <class F>
void read_column(const Database& database, std::size_t run, Facts& facts) {
  if (!is_kept<F>(database)) return;
  const KeptStatement query =
      database.kept("SELECT * FROM " + table_of(F::info) + " WHERE run = ?");
  query->start(run);
  while (query->next()) {
    std::size_t same = 0;
    FactPlace place;
    F fact;
    query->take(same, place.at, place.peer, place.number);
    std::apply([&query](auto&... value) { query->take(value...); }, core::values_of(fact));
    facts.add(place, std::move(fact));
  }
}

}  // namespace

std::string fact_tables_sql() {
  std::string tables;
  Facts{}.for_each_type([&]<class F>(std::type_identity<F>, const auto&) {
    if (!core::noted_seldom<F>) tables += table_sql<F>();
  });
  return tables + view_sql([]<class F>(std::type_identity<F>) { return !core::noted_seldom<F>; });
}

std::vector<std::pair<std::string, std::string>> fact_table_statements() {
  std::vector<std::pair<std::string, std::string>> statements;
  Facts{}.for_each_type([&]<class F>(std::type_identity<F>, const auto&) {
    statements.emplace_back(table_of(F::info), table_sql<F>());
  });
  return statements;
}

std::vector<std::string> fact_tables(const Database& database) {
  std::vector<std::string> names;
  Facts{}.for_each_type([&]<class F>(std::type_identity<F>, const auto&) {
    if (is_kept<F>(database)) names.push_back(table_of(F::info));
  });
  return names;
}

void write_facts(const Database& database, std::size_t run, const Facts& facts) {
  facts.for_each_type([&]<class F>(std::type_identity<F>, const std::vector<Noted<F>>& column) {
    if (column.empty()) return;
    if (!is_kept<F>(database)) make_table<F>(database);
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
