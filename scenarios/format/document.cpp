#include "scenarios/format/document.hpp"

#include <fmt/core.h>

// toml++ 3.3 asserts that a key begins with a key's character and, without assertions, tells the
// compiler that it always does. A user's file may begin a key with any character. These two lines
// turn off both, so that the parser reaches its own error message. Only this file includes toml++.
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <tuple>

#include "scenarios/format/range.hpp"
#include "scenarios/outcome/most.hpp"
#include "scenarios/text/objections.hpp"
#include "scenarios/text/plain_text.hpp"
#include "scenarios/text/shortest.hpp"

namespace rhizome::scenarios {

void refuse(const Position& at, const std::string& message) {
  throw InputError(at.file, at.line, at.column, message);
}

namespace {

Position position_of(const toml::source_region& source, const std::string& name) {
  return {name, std::max<std::size_t>(source.begin.line, 1),
          std::max<std::size_t>(source.begin.column, 1)};
}

// Turns toml++'s tree into entries.
class Flattener {
 public:
  Flattener(Document& document, const std::string& name) : document_(document), name_(name) {}

  // A scenario nests tables two deep. A file with much deeper tables is refused before it overflows
  // the stack.
  void table(const toml::table& table, const std::string& section, int depth = 0) {
    if (depth > 4)
      refuse(position_of(table.source(), name_), "tables are nested deeper than a scenario's are");
    for (const auto& each : table)
      objections_.attempt([&] { item(section, each.first, each.second, depth); });
  }
  // Throws InputError for a document that has not the shape of a scenario.
  void raise() const { objections_.raise(); }

 private:
  void item(const std::string& section, const toml::key& key, const toml::node& node, int depth) {
    // The program marks the items of a list of tables with "#".
    if (key.str().find('#') != std::string_view::npos)
      refuse(position_of(key.source(), name_), "a name cannot hold \"#\"");
    // Every key repeats the name of its table.
    constexpr std::size_t longest = 200;
    if (key.str().size() > longest)
      refuse(position_of(key.source(), name_),
             fmt::format("a name is longer than {} bytes", longest));
    const std::string inner =
        section.empty() ? std::string(key.str()) : section + "." + std::string(key.str());
    if (const toml::table* nested = node.as_table()) {
      document_.tables.push_back({inner, {position_of(nested->source(), name_)}});
      table(*nested, inner, depth + 1);
    } else if (node.is_array_of_tables()) {
      tables(*node.as_array(), inner, depth + 1);
    } else {
      entry(section, key, node);
    }
  }

  void tables(const toml::array& array, const std::string& section, int depth) {
    WrittenTable& written = document_.tables.emplace_back(WrittenTable{section, {}});
    for (const toml::node& each : array) written.items.push_back(position_of(each.source(), name_));
    for (std::size_t i = 0; i < array.size(); ++i)
      table(*array.get_as<toml::table>(i), section + "#" + std::to_string(i), depth);
  }

  void entry(const std::string& section, const toml::key& key, const toml::node& node) {
    Entry made{.section = section,
               .key = std::string(key.str()),
               .at = position_of(key.source(), name_),
               .list = node.is_array(),
               .layer = 0};
    if (const toml::array* list = node.as_array()) {
      if (list->empty()) refuse(made.at, "\"" + made.key + "\" is an empty list");
      for (const toml::node& item : *list)
        made.values.push_back({scalar(item, made.key), position_of(item.source(), name_)});
    } else {
      made.values.push_back({scalar(node, made.key), made.at});
    }
    document_.entries.push_back(std::move(made));
  }

  [[nodiscard]] Scalar scalar(const toml::node& node, const std::string& key) const {
    if (const auto* boolean = node.as_boolean()) return boolean->get();
    if (const auto* integer = node.as_integer()) return integer->get();
    if (const auto* real = node.as_floating_point()) return real->get();
    if (const auto* text = node.as_string()) {
      if (text->get().find('\0') != std::string::npos)
        refuse(position_of(node.source(), name_),
               "\"" + key + "\" has a zero, which ends every name");
      return text->get();
    }
    refuse(position_of(node.source(), name_),
           "\"" + key + "\" must be a number, a text, true or false");
  }

  Document& document_;
  const std::string& name_;
  Objections objections_;
};

// The end of the text or comment that begins at `at`; `at` where none does.
std::size_t end_of_text(std::string_view text, std::size_t at) {
  const char quote = text[at];
  if (quote == '#') return std::min(text.find('\n', at), text.size());
  if (quote != '"' && quote != '\'') return at;
  const std::string whole(text.substr(at, 3) == std::string(3, quote) ? 3 : 1, quote);
  for (std::size_t i = at + whole.size(); i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;  // an escaped character never ends the text
      continue;
    }
    if (text.substr(i, whole.size()) == whole) {
      std::size_t end = i + whole.size();
      // One or two quotes before the closing three belong to the text.
      while (whole.size() == 3 && end < i + 5 && end < text.size() && text[end] == quote) ++end;
      return end;
    }
    if (text[i] == '\n' && whole.size() == 1) return i;
  }
  return text.size();
}

// A key of a million parts would make a million nested tables, which toml++ destroys by recursion.
// So the dots of each key are counted first, outside of texts and comments.
void check_depth(std::string_view text, const std::string& name) {
  constexpr std::size_t most = 100;
  std::size_t dots = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (const std::size_t end = end_of_text(text, i); end > i) {
      i = end - 1;
      continue;
    }
    if (text[i] == '\n' || text[i] == '=' || text[i] == ',') dots = 0;
    if (text[i] != '.' || ++dots <= most) continue;
    const auto lines =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n');
    refuse({name, static_cast<std::size_t>(lines) + 1, 1},
           fmt::format("a key has more than {} parts", most));
  }
}

std::string_view line_of(std::string_view text, std::size_t number) {
  for (; number > 1 && !text.empty(); --number)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text.substr(0, text.find('\n'));
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// A value that begins with digits and goes on with letters is mostly meant as a duration.
std::string in_words(const toml::parse_error& error, std::string_view text) {
  std::string words(error.description());
  if (words.find("expected digit, saw") == std::string::npos) return words;
  const std::string_view line = line_of(text, error.source().begin.line);
  const std::size_t equals = line.find('=');
  const std::string_view key = trimmed(line.substr(0, equals));
  const std::string_view value =
      equals == std::string_view::npos ? "" : trimmed(line.substr(equals + 1));
  const bool simple = !value.empty() && value.find_first_of("=,#\"'[]{}") == std::string_view::npos;
  return "texts and durations stand in quotes: " +
         (simple ? fmt::format("{} = \"{}\"", key, value) : "delay = \"20ms\"");
}

Document parse(std::string_view text, const std::string& name) {
  check_depth(text, name);
  Document document;
  try {
    const toml::table table = toml::parse(text, name);
    Flattener flattener(document, name);
    flattener.table(table, "");
    flattener.raise();
  } catch (const toml::parse_error& error) {
    refuse(position_of(error.source(), name), in_words(error, text));
  }
  // toml++ sorts keys by name, but sweeps need them in the order of the file.
  std::ranges::stable_sort(document.entries, [](const Entry& a, const Entry& b) {
    return std::tie(a.at.line, a.at.column) < std::tie(b.at.line, b.at.column);
  });
  return document;
}

// The key under which a single value is parsed, as in an assignment.
constexpr std::string_view lone = "x";

// Parses a single value. Empty for a value that a scenario cannot have.
Document lone_value(const std::string& value, const std::string& origin) {
  try {
    return parse(std::string(lone) + " = " + value, origin);
  } catch (const InputError&) {
    return {};
  }
}

bool is_toml_value(const std::string& text) {
  try {
    static_cast<void>(toml::parse("x = " + text));
    return true;
  } catch (const toml::parse_error&) {
    return false;
  }
}

// Characters that are unfit to be shown are escaped, too: a value is a part of a cell's name.
std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return plain_text(out) + "\"";
}

// Users leave out the digit that TOML requires before a point: ".5" is 0.5, while ".5.csv" is a
// text.
std::string with_leading_zero(const std::string& text) {
  const std::size_t point = text.find_first_not_of("+-");
  if (point > 1 || text[point] != '.') return text;
  const std::string number = std::string(text).insert(point, "0");
  return is_toml_value(number) ? number : text;
}

// A word without quotes stands for a text inside a list, too: "[1ms, none]" is ["1ms", "none"].
// Lists that have quotes or lists in them stay as they are.
std::string with_quoted_items(const std::string& value) {
  if (!value.starts_with('[') || value.find_first_of("\"'[]{}", 1) != value.size() - 1 ||
      !value.ends_with(']'))
    return in_quotes(value);
  std::string list;
  std::istringstream items(value.substr(1, value.size() - 2));
  for (std::string item; std::getline(items, item, ',');) {
    item.erase(0, item.find_first_not_of(' '));
    item.erase(item.find_last_not_of(' ') + 1);
    item = with_leading_zero(item);
    if (!list.empty()) list += ", ";
    list += is_toml_value(item) ? item : in_quotes(item);
  }
  return "[" + list + "]";
}

std::string real_text(double value) {
  std::string out = shortest(value);
  if (std::isfinite(value) && out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

}  // namespace

std::string toml_text(const Scalar& scalar) {
  if (const auto* boolean = std::get_if<bool>(&scalar)) return *boolean ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&scalar)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&scalar)) return real_text(*real);
  return in_quotes(std::get<std::string>(scalar));
}

std::size_t Document::count(std::string_view table) const {
  for (const WrittenTable& each : tables)
    if (each.name == table) return each.items.size();
  return 0;
}

std::string Document::compared() const { return count("protocol") > 0 ? "protocol" : "scheduler"; }

const Entry* Document::find(std::string_view section, std::string_view key) const {
  for (const Entry& entry : entries)
    if (entry.section == section && entry.key == key) return &entry;
  return nullptr;
}

Document read_document(std::string_view text, const std::string& name) {
  if (text.size() > most_document)
    throw InputError(name, 1, 1,
                     fmt::format("this has more than {} MiB, and no scenario has so many",
                                 most_document >> 20U));
  return parse(text, name);
}

Assignment read_assignment(std::string_view text, const std::string& origin, int layer) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    refuse({origin, 0, 0}, fmt::format("\"{}\" is not of the form key=value", text));
  const std::string path(text.substr(0, equals));
  const std::string typed(text.substr(equals + 1));
  std::string value = with_leading_zero(typed);
  check_depth(value, origin);
  if (!is_toml_value(value)) {
    const Position at{origin, 0, 0};
    if (const auto values = range_values(value, at)) {
      Entry entry{.key = std::string(lone), .at = at, .list = true, .layer = layer};
      for (const Scalar& each : *values) entry.values.push_back({each, at});
      return {path, std::move(entry)};
    }
    value = with_quoted_items(value);
  }
  Document document = lone_value(value, origin);
  if (document.entries.size() != 1 || document.entries.front().key != lone)
    refuse({origin, 0, 0},
           value + " is no number, no text, neither true nor false, nor a list of such");
  Entry entry = std::move(document.entries.front());
  entry.at = {origin, 0, 0};
  for (Value& each : entry.values) each.at = entry.at;
  entry.layer = layer;
  if (!entry.list && entry.values.front().text() == nullptr) entry.typed = typed;
  return {path, std::move(entry)};
}

}  // namespace rhizome::scenarios
