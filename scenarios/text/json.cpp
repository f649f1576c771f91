#include "scenarios/text/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "scenarios/text/source_text.hpp"

namespace rhizome::scenarios {

namespace {

using Parsed = nlohmann::ordered_json;

Json value_of(const Parsed& parsed) {
  if (parsed.is_object()) {
    Json object = Json::object();
    for (const auto& [key, value] : parsed.items()) object[key] = value_of(value);
    return object;
  }
  if (parsed.is_array()) {
    Json list = Json::array();
    for (const Parsed& item : parsed) list.push_back(value_of(item));
    return list;
  }
  if (parsed.is_string()) return parsed.get_ref<const std::string&>();
  if (parsed.is_boolean()) return parsed.get<bool>();
  if (parsed.is_number_unsigned()) return parsed.get<std::uint64_t>();
  if (parsed.is_number_integer()) return parsed.get<std::int64_t>();
  if (parsed.is_number_float()) return parsed.get<double>();
  return nullptr;
}

// Limits keys, depth and values, because lookup of a key is linear, nested values are read by
// recursion, and a value takes forty times the memory of its text.
// A reader of events: with a callback the library's parser takes a time that grows with the square
// of the objects in a list.
class Bounds final : public nlohmann::json_sax<Parsed> {
 public:
  bool null() override { return count(); }
  bool boolean(bool) override { return count(); }
  bool number_integer(number_integer_t) override { return count(); }
  bool number_unsigned(number_unsigned_t) override { return count(); }
  bool number_float(number_float_t, const string_t&) override { return count(); }
  bool string(string_t&) override { return count(); }
  bool binary(binary_t&) override { return count(); }
  bool start_object(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_array() override { return leave(); }
  bool key(string_t&) override {
    if (++keys_.back() > most_keys) throw JsonError("this JSON has an object of too many keys");
    if ((lookups_ += keys_.back()) > most_lookups)
      throw JsonError("this JSON has too many objects of very many keys");
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

 private:
  bool enter() {
    if (keys_.size() > most_depth) throw JsonError("this JSON is nested too deep");
    keys_.push_back(0);
    return count();
  }
  bool leave() {
    keys_.pop_back();
    return true;
  }
  bool count() {
    if (++values_ > most_values) throw JsonError("this JSON has too many values");
    return true;
  }
  static constexpr std::size_t most_depth = 50;
  static constexpr std::uint64_t most_keys = 1000;
  static constexpr std::uint64_t most_lookups = 200'000'000;  // keys, each among those before it
  static constexpr std::size_t most_values = 5'000'000;
  std::size_t values_ = 0;
  std::uint64_t lookups_ = 0;
  std::vector<std::uint64_t> keys_;  // of each open object, and 0 for each open list
};

// Throws JsonError beyond the bounds. For text that is not JSON, throws Parsed::parse_error where
// throws is set; else the result is discarded.
Parsed parsed_within_bounds(std::string_view text, bool throws) {
  Bounds bounds;
  static_cast<void>(Parsed::sax_parse(text, &bounds));
  return Parsed::parse(text, nullptr, throws);
}

}  // namespace

// Writes lists and objects itself, so that a large document need not be in memory twice.
class JsonWriter {
 public:
  explicit JsonWriter(bool indented) : indented_(indented) {}

  std::string text(const Json& json) && {
    put(json);
    return std::move(out_);
  }

 private:
  void put(const Json& json) {
    std::visit([this](const auto& value) { put_value(value); }, json.value_);
  }
  template <class T>
  void put_value(const T& scalar) {
    out_ += nlohmann::json(scalar).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  void put_value(const Json::List& list) {
    put_parts(list, '[', ']', [this](const Json& item) { put(item); });
  }
  void put_value(const Json::Object& object) {
    put_parts(object, '{', '}', [this](const Json::Member& member) {
      put_value(member.name);
      out_ += indented_ ? ": " : ":";
      put(member.value);
    });
  }
  template <class Parts, class Put>
  void put_parts(const Parts& parts, char open, char close, Put put_part) {
    out_ += open;
    ++depth_;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i > 0) out_ += ',';
      break_line();
      put_part(parts[i]);
    }
    --depth_;
    if (!parts.empty()) break_line();
    out_ += close;
  }
  void break_line() {
    if (indented_) out_.append("\n").append(2 * depth_, ' ');
  }

  bool indented_;
  std::size_t depth_ = 0;
  std::string out_;
};

// A variant of libstdc++ 12 that is itself copied is left in no state where memory ends in the
// midst of it; a part that is copied beside it is not.
Json::Json(const Json& other) {
  std::visit(
      [this](const auto& part) {
        auto copy = part;
        value_ = std::move(copy);
      },
      other.value_);
}

Json::Json(std::initializer_list<Json> parts) {
  const bool members = std::ranges::all_of(parts, [](const Json& part) {
    const List* pair = std::get_if<List>(&part.value_);
    return pair != nullptr && pair->size() == 2 &&
           std::holds_alternative<std::string>(pair->front().value_);
  });
  if (!members) {
    value_ = List(parts);
    return;
  }
  value_ = Object();
  for (const Json& part : parts) {
    const List& pair = std::get<List>(part.value_);
    (*this)[std::get<std::string>(pair.front().value_)] = pair.back();
  }
}

Json Json::array(std::initializer_list<Json> items) {
  Json made;
  made.value_ = List(items);
  return made;
}

Json Json::object() {
  Json made;
  made.value_ = Object();
  return made;
}

bool Json::is_number() const {
  return std::holds_alternative<std::int64_t>(value_) ||
         std::holds_alternative<std::uint64_t>(value_) || std::holds_alternative<double>(value_);
}

const Json* Json::find(std::string_view key) const {
  const Object* object = std::get_if<Object>(&value_);
  if (object == nullptr) return nullptr;
  const auto found =
      std::ranges::find_if(*object, [&](const Member& member) { return member.name == key; });
  return found == object->end() ? nullptr : &found->value;
}

bool Json::contains(std::string_view key) const { return find(key) != nullptr; }

const Json& Json::at(std::string_view key) const {
  if (const Json* value = find(key)) return *value;
  throw JsonError("there is no \"" + std::string(key) + "\" in this JSON value");
}

const Json::Object& Json::members() const {
  if (const Object* object = std::get_if<Object>(&value_)) return *object;
  throw JsonError("this JSON value is no object");
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_ = Object();
  if (const Json* value = find(key)) return const_cast<Json&>(*value);
  if (!is_object()) throw JsonError("this JSON value is no object");
  return std::get<Object>(value_).emplace_back(Member{std::string(key), nullptr}).value;
}

const Json::List& Json::items() const {
  if (const List* list = std::get_if<List>(&value_)) return *list;
  throw JsonError("this JSON value is no list");
}

const Json& Json::at(std::size_t i) const {
  if (i < items().size()) return items()[i];
  throw JsonError("this JSON list has no item " + std::to_string(i));
}

Json::List& Json::items() {
  if (is_null()) value_ = List();
  return const_cast<List&>(std::as_const(*this).items());
}

void Json::push_back(Json item) { items().push_back(std::move(item)); }

std::size_t Json::size() const {
  if (const List* list = std::get_if<List>(&value_)) return list->size();
  if (const Object* object = std::get_if<Object>(&value_)) return object->size();
  return 0;
}

bool operator==(const Json& a, const Json& b) {
  return std::visit(
      []<class A, class B>(const A& left, const B& right) {
        constexpr bool numbers = JsonNumber<A> && JsonNumber<B>;
        constexpr bool truths = std::same_as<A, bool> || std::same_as<B, bool>;
        if constexpr (std::same_as<A, B>)
          return left == right;
        else if constexpr (numbers && !truths && std::integral<A> && std::integral<B>)
          return std::cmp_equal(left, right);
        else if constexpr (numbers && !truths)
          return static_cast<double>(left) == static_cast<double>(right);
        else
          return false;
      },
      a.value_, b.value_);
}

std::string text_of(const Json& json) { return JsonWriter(true).text(json) + "\n"; }

std::string line_of(const Json& json) { return JsonWriter(false).text(json); }

std::optional<Json> parse_json(const std::string& text) {
  try {
    const Parsed parsed = parsed_within_bounds(text, false);
    if (parsed.is_discarded()) return {};
    return value_of(parsed);
  } catch (const JsonError&) {
    return {};
  }
}

Json parse_json(const SourceText& source) {
  try {
    return value_of(parsed_within_bounds(source.text(), true));
  } catch (const Parsed::parse_error& error) {
    source.refuse(error.byte == 0 ? 0 : error.byte - 1, "this is no JSON");
  } catch (const Parsed::exception&) {
    source.refuse(0, "this JSON has a number that is too large");
  } catch (const JsonError& error) {
    source.refuse(0, error.what());
  }
}

}  // namespace rhizome::scenarios
