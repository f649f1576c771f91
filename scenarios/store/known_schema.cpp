#include "scenarios/store/checks.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "scenarios/store/fact_tables.hpp"
#include "scenarios/store/schema.hpp"
#include "scenarios/text/plain_text.hpp"

namespace rhizome::scenarios {

namespace {

// A statement without its comments, which programs of one version of the tables may word
// differently, and with one blank for several. No text in the statements of our tables looks like a
// comment, so a statement with such a text belongs to another program.
std::string bare(std::string_view sql) {
  std::string words;
  while (!sql.empty()) {
    if (sql.starts_with("--")) {
      sql.remove_prefix(std::min(sql.find('\n'), sql.size()));
      continue;
    }
    const char c = sql.front();
    sql.remove_prefix(1);
    const bool blank = c == ' ' || c == '\n';
    if (!blank)
      words += c;
    else if (!words.empty() && words.back() != ' ')
      words += ' ';
  }
  while (words.ends_with(' ') || words.ends_with(';')) words.pop_back();
  return words;
}

// Known tables by name.
std::map<std::string, std::string> known_tables() {
  std::map<std::string, std::string> tables;
  for (const auto& [name, sql] : table_statements()) tables.emplace(name, bare(sql));
  for (const auto& [name, sql] : fact_table_statements()) tables.emplace(name, bare(sql));
  return tables;
}

bool is_known(const std::string& type, const std::string& name, const std::string& sql) {
  static const std::map<std::string, std::string> tables = known_tables();
  if (type == "view") {
    for (const std::string_view view : view_names)
      if (name == view) return sql.starts_with("CREATE VIEW " + name + " AS ");
    return false;
  }
  const auto found = tables.find(name);
  return type == "table" && found != tables.end() && found->second == bare(sql);
}

}  // namespace

void check_schema(const Database& database) {
  Statement query = database.prepare("SELECT type, name, sql FROM sqlite_schema");
  query.start();
  while (query.next()) {
    const std::string type = query.text(0);
    const std::string name = query.text(1);
    if (!is_known(type, name, query.text(2)))
      throw DatabaseError("it has a " + plain_text(type) + " " + plain_text(name) +
                          " that no results store of this version has");
  }
}

}  // namespace rhizome::scenarios
