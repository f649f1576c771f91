// A scenario file as a flat list of keys with positions, before it means anything. The one door to
// toml++ lies behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

using Scalar = std::variant<bool, std::int64_t, double, std::string>;

// The scalar as TOML writes it.
[[nodiscard]] std::string toml_text(const Scalar& scalar);

struct Value {
  Scalar scalar;
  Position at;  // of a list its own, otherwise that of its key

  // Null where it is none.
  [[nodiscard]] const std::string* text() const { return std::get_if<std::string>(&scalar); }
};

struct Entry {
  std::string section{};  // "" at the top, "workload", "network.partition#0", "scheduler#1"
  std::string key;
  Position at;
  std::vector<Value> values{};  // several: a list was written
  bool list = false;
  int layer = 0;        // 0 the file, 1 the environment, 2 the command line
  std::string typed{};  // outside of a file, what may be meant as a text though it is a number
};

// A table, or a list of tables, such as the two of "scheduler".
struct WrittenTable {
  std::string name;
  std::vector<Position> items;  // at least one

  [[nodiscard]] const Position& at() const { return items.front(); }
};

struct Document {
  std::vector<Entry> entries;
  std::vector<WrittenTable> tables;

  [[nodiscard]] std::size_t count(std::string_view table) const;
  // The list of tables whose items are compared: "protocol" where there is one, or "scheduler".
  [[nodiscard]] std::string compared() const;
  // Null where the key is not written.
  [[nodiscard]] const Entry* find(std::string_view section, std::string_view key) const;
};

// Throws InputError on anything that is not TOML of the shape of a scenario.
[[nodiscard]] Document read_document(std::string_view text, const std::string& name);

// One `key=value` of the command line or the environment; a bare word stands for a string, and
// a range for the list of its values.
struct Assignment {
  std::string path;  // dotted
  Entry entry;       // without section and key
};
[[nodiscard]] Assignment read_assignment(std::string_view text, const std::string& origin,
                                         int layer);

}  // namespace rhizome::scenarios
