// The one door to msgpack: plain structs to bytes and back. Decoding trusts no packet: every bound
// is checked before memory is asked for, and a bad packet yields an error, never an exception.
//
// A struct is an array of its fields, a struct of one field is that field, a vector is an array.
// Fields may be integers, bools, floating point, strings, durations, times, enums that end in
// `last`, bytes, vectors, arrays and optionals of these, and structs of them; an optional is an
// array of at most one. A type with `write(Writer&) const` and `read(Reader&)` encodes itself.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/peer/fields.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

using Bytes = std::vector<std::byte>;

// Why bytes were refused.
enum class DecodeError : std::uint8_t {
  none,
  malformed,
  truncated,
  oversized,
  mismatched,
  last = mismatched
};

// The bounds of a packet. More allows larger messages and costs an attacker's packet more memory.
struct CodecLimits {
  std::size_t bytes = std::size_t{1} << 20U;     // of a whole payload
  std::size_t elements = std::size_t{1} << 16U;  // tokens in a payload, so also of any array
  std::size_t depth = 16;                        // of nested arrays
};

inline constexpr CodecLimits codec_limits{};
// For data that this program has written itself.
inline constexpr CodecLimits no_limits{std::numeric_limits<std::size_t>::max(),
                                       std::numeric_limits<std::size_t>::max(), 16};

// Appends msgpack tokens to a buffer.
class Writer {
 public:
  explicit Writer(Bytes& out) : out_(out) {}
  void natural(std::uint64_t);
  void integer(std::int64_t);
  void real(double);
  void boolean(bool);
  void text(std::string_view);
  void array(std::size_t elements);

 private:
  Bytes& out_;
};

// A number, a text, or the head of an array.
struct Token {
  enum class Kind : std::uint8_t { natural, negative, real, boolean, text, array };
  Kind kind;
  std::uint32_t size;  // of text in bytes, of an array in elements
  union {
    std::uint64_t natural;
    std::int64_t integer;
    double real;
    const char* text;
  };
};
using Tokens = std::vector<Token>;

// Parses a whole payload into tokens at construction; then hands them out in order. Text refers to
// the payload. The payload and the memory for the tokens must outlive the reader.
class Reader {
 public:
  Reader(std::span<const std::byte> payload, Tokens& tokens,
         const CodecLimits& limits = codec_limits);

  [[nodiscard]] DecodeError error() const { return error_; }
  [[nodiscard]] bool natural(std::uint64_t&);
  [[nodiscard]] bool integer(std::int64_t&);
  [[nodiscard]] bool real(double&);
  [[nodiscard]] bool boolean(bool&);
  [[nodiscard]] bool text(std::string_view&);
  [[nodiscard]] bool array(std::size_t& elements);
  // True once every token has been taken.
  [[nodiscard]] bool exhausted() const { return next_ == tokens_.size(); }

 private:
  class Scanner;
  class Visitor;

  const Token* take(Token::Kind kind);

  Tokens& tokens_;
  std::size_t next_ = 0;
  DecodeError error_ = DecodeError::none;
};

namespace detail {

// A container that grows at its end.
template <class T>
concept sequence = requires(T items, typename T::value_type item) {
  items.push_back(std::move(item));
  items.reserve(items.size());
};
template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t n>
inline constexpr bool is_array<std::array<T, n>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class E>
concept closed_enum = std::is_enum_v<E> && requires {
  E::last;
};

template <class T>
void write(Writer& out, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    out.boolean(value);
  } else if constexpr (std::unsigned_integral<T>) {
    out.natural(value);
  } else if constexpr (std::signed_integral<T>) {
    out.integer(value);
  } else if constexpr (std::floating_point<T>) {
    out.real(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    out.text(value);
  } else if constexpr (std::is_same_v<T, Duration>) {
    out.integer(value.count());
  } else if constexpr (std::is_same_v<T, Time>) {
    out.integer(value.time_since_epoch().count());
  } else if constexpr (closed_enum<T>) {
    out.natural(static_cast<std::uint64_t>(value));
  } else if constexpr (requires { value.write(out); }) {
    value.write(out);
  } else if constexpr (std::is_same_v<T, Bytes>) {
    out.text({reinterpret_cast<const char*>(value.data()), value.size()});
  } else if constexpr (sequence<T> || is_array<T>) {
    out.array(value.size());
    for (const auto& item : value) write(out, item);
  } else if constexpr (is_optional<T>) {
    out.array(value ? 1 : 0);
    if (value) write(out, *value);
  } else if constexpr (names_fields<T>) {
    const auto fields = Fields::of(value);
    out.array(std::tuple_size_v<decltype(fields)>);
    std::apply([&out](const auto&... field) { (write(out, field), ...); }, fields);
  } else {
    static_assert(std::is_aggregate_v<T>, "only plain structs travel");
    if constexpr (field_count<T> != 1) out.array(field_count<T>);
    with_fields(value, [&out](const auto&... field) { (write(out, field), ...); });
  }
}

template <class T>
bool read_integer(Reader& in, T& value) {
  if constexpr (std::unsigned_integral<T>) {
    std::uint64_t wide = 0;
    if (!in.natural(wide) || wide > std::numeric_limits<T>::max()) return false;
    value = static_cast<T>(wide);
  } else {
    std::int64_t wide = 0;
    if (!in.integer(wide) || wide > std::numeric_limits<T>::max() ||
        wide < std::numeric_limits<T>::min())
      return false;
    value = static_cast<T>(wide);
  }
  return true;
}

template <class T>
bool read(Reader& in, T& value);

template <class T>
bool read_struct(Reader& in, T& value) {
  if constexpr (field_count<T> != 1) {
    std::size_t fields = 0;
    if (!in.array(fields) || fields != field_count<T>) return false;
  }
  return with_fields(value, [&in](auto&... field) { return (read(in, field) && ...); });
}

template <class T>
bool read_sequence(Reader& in, T& items) {
  std::size_t size = 0;
  if (!in.array(size)) return false;
  items.clear();
  items.reserve(size);  // bounded: the reader has seen this many tokens
  for (std::size_t i = 0; i < size; ++i) {
    typename T::value_type item{};
    if (!read(in, item)) return false;
    items.push_back(std::move(item));
  }
  return true;
}

template <class T, std::size_t n>
bool read_array(Reader& in, std::array<T, n>& items) {
  std::size_t size = 0;
  if (!in.array(size) || size != n) return false;
  for (T& item : items)
    if (!read(in, item)) return false;
  return true;
}

template <class T>
bool read_optional(Reader& in, std::optional<T>& value) {
  std::size_t size = 0;
  if (!in.array(size) || size > 1) return false;
  value.reset();
  return size == 0 || read(in, value.emplace());
}

template <class T>
bool read_named(Reader& in, T& value) {
  const auto into = Fields::of(value);
  std::size_t fields = 0;
  if (!in.array(fields) || fields != std::tuple_size_v<decltype(into)>) return false;
  return std::apply([&in](auto&... field) { return (read(in, field) && ...); }, into);
}

template <class T>
bool read(Reader& in, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return in.boolean(value);
  } else if constexpr (std::integral<T>) {
    return read_integer(in, value);
  } else if constexpr (std::floating_point<T>) {
    double wide = 0;
    if (!in.real(wide)) return false;
    value = static_cast<T>(wide);
    return true;
  } else if constexpr (std::is_same_v<T, std::string>) {
    std::string_view text;
    if (!in.text(text)) return false;
    value = std::string(text);  // shorter than assign() where it was empty
    return true;
  } else if constexpr (std::is_same_v<T, Duration> || std::is_same_v<T, Time>) {
    std::int64_t count = 0;
    if (!in.integer(count)) return false;
    value = T(Duration(count));
    return true;
  } else if constexpr (closed_enum<T>) {
    std::uint64_t raw = 0;
    if (!in.natural(raw) || raw > static_cast<std::uint64_t>(T::last)) return false;
    value = static_cast<T>(raw);
    return true;
  } else if constexpr (requires { value.read(in); }) {
    return value.read(in);
  } else if constexpr (std::is_same_v<T, Bytes>) {
    std::string_view text;
    if (!in.text(text)) return false;
    const auto bytes = std::as_bytes(std::span(text));
    value.assign(bytes.begin(), bytes.end());
    return true;
  } else if constexpr (is_array<T>) {
    return read_array(in, value);
  } else if constexpr (is_optional<T>) {
    return read_optional(in, value);
  } else if constexpr (sequence<T>) {
    return read_sequence(in, value);
  } else if constexpr (names_fields<T>) {
    return read_named(in, value);
  } else {
    return read_struct(in, value);
  }
}

}  // namespace detail

// For a struct that encodes itself: the first `count` of its fields, since the others say nothing.
template <class... T>
void write_first(Writer& out, std::size_t count, const T&... fields) {
  out.array(count);
  std::size_t place = 0;
  ((place++ < count ? detail::write(out, fields) : void()), ...);
}

// As many of them as came, which is one of these counts; the others say nothing again.
template <class... T>
[[nodiscard]] bool read_first(Reader& in, std::initializer_list<std::size_t> counts, T&... fields) {
  std::size_t count = 0;
  if (!in.array(count) || std::find(counts.begin(), counts.end(), count) == counts.end())
    return false;
  std::size_t place = 0;
  return ((place++ < count ? detail::read(in, fields) : (fields = T{}, true)) && ...);
}

// Appends the encoding of a struct to `out`.
template <class T>
void encode(const T& value, Bytes& out) {
  Writer writer(out);
  detail::write(writer, value);
}

// Fills `value` from a whole payload. On an error `value` is valid but unspecified. What `tokens`
// held is lost; a caller that decodes often keeps `tokens`, so as not to ask for memory again.
template <class T>
[[nodiscard]] DecodeError decode(std::span<const std::byte> payload, T& value, Tokens& tokens,
                                 const CodecLimits& limits = codec_limits) {
  Reader reader(payload, tokens, limits);
  if (reader.error() != DecodeError::none) return reader.error();
  if (!detail::read(reader, value) || !reader.exhausted()) return DecodeError::mismatched;
  return DecodeError::none;
}

template <class T>
[[nodiscard]] DecodeError decode(std::span<const std::byte> payload, T& value) {
  Tokens tokens;
  return decode(payload, value, tokens);
}

}  // namespace rhizome::core
