// JSON documents as values. Their text is read and written in json.cpp. Only that file includes
// nlohmann's JSON, because its headers take seconds to compile.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace rhizome::scenarios {

class SourceText;

// A document does not have what its reader expects: a key is missing, or a value has another type.
class JsonError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <class T>
concept JsonNumber = std::integral<T> || std::floating_point<T>;
template <class T>
concept JsonText = std::convertible_to<const T&, std::string_view>;

// One value of any type. Written in braces, {{"key", value}, ...} is an object, and any other list
// is a list; object() and array() make them where braces would be ambiguous.
class Json {
 public:
  struct Member;
  using List = std::vector<Json>;
  using Object = std::vector<Member>;  // keys keep the order in which they were added

  Json(std::nullptr_t = nullptr) {}
  Json(const Json& other);
  Json& operator=(const Json& other) { return *this = Json(other); }
  Json(Json&&) noexcept = default;
  Json& operator=(Json&&) noexcept = default;
  ~Json() = default;
  template <JsonNumber T>
  Json(T number) {
    if constexpr (std::same_as<T, bool>)
      value_ = number;
    else if constexpr (std::floating_point<T>)
      value_ = static_cast<double>(number);
    else if constexpr (std::signed_integral<T>)
      value_ = static_cast<std::int64_t>(number);
    else
      value_ = static_cast<std::uint64_t>(number);
  }
  template <JsonText T>
  Json(const T& text) : value_(std::string(std::string_view(text))) {}
  template <JsonText T>
  Json(const std::vector<T>& texts) : value_(List(texts.begin(), texts.end())) {}
  Json(std::initializer_list<Json> parts);
  [[nodiscard]] static Json array(std::initializer_list<Json> items = {});
  [[nodiscard]] static Json object();

  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
  [[nodiscard]] bool is_number() const;
  [[nodiscard]] bool is_object() const { return std::holds_alternative<Object>(value_); }

  // A number, text or boolean as a T. Throws JsonError where the value is of another type, as all
  // functions below do.
  template <class T>
  [[nodiscard]] T get() const;

  // For objects.
  [[nodiscard]] bool contains(std::string_view key) const;
  [[nodiscard]] const Json& at(std::string_view key) const;
  [[nodiscard]] const Object& members() const;
  // The value of this key, which is added as null where it is missing. A null value becomes an
  // object.
  [[nodiscard]] Json& operator[](std::string_view key);

  // For lists. The first push_back() turns a null value into a list.
  [[nodiscard]] const Json& at(std::size_t i) const;
  [[nodiscard]] const List& items() const;
  [[nodiscard]] List& items();
  void push_back(Json item);

  // The number of items or members; 0 for other values.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const { return size() == 0; }

  // Numbers are equal by value, even if their types differ.
  friend bool operator==(const Json&, const Json&);

 private:
  friend class JsonWriter;
  [[nodiscard]] const Json* find(std::string_view key) const;

  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, List, Object>
      value_;
};

struct Json::Member {
  std::string name;
  Json value;
  friend bool operator==(const Member&, const Member&) = default;
};

template <class T>
T Json::get() const {
  return std::visit(
      [](const auto& value) -> T {
        using V = std::decay_t<decltype(value)>;
        if constexpr (std::same_as<V, T>)
          return value;
        else if constexpr (JsonNumber<T> && JsonNumber<V> && !std::same_as<T, bool> &&
                           !std::same_as<V, bool>)
          return static_cast<T>(value);
        else
          throw JsonError("this JSON value is of another type");
      },
      value_);
}

// Indented text with a line end. Bytes that are not valid UTF-8 are replaced.
[[nodiscard]] std::string text_of(const Json& json);
// The same in one line, without a line end.
[[nodiscard]] std::string line_of(const Json& json);

// Nothing for text that is not JSON, and for a document that is nested deeper, or has objects of
// more keys, than any document of ours.
[[nodiscard]] std::optional<Json> parse_json(const std::string& text);

// The document in a user's file. Throws InputError, with line and column, for text that is not
// JSON, and for a document that is nested deeper, or has objects of more keys, than any document of
// ours.
[[nodiscard]] Json parse_json(const SourceText& source);

}  // namespace rhizome::scenarios
