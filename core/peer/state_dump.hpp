// A state dump: the state of a protocol as named texts, between two events. Users read it when a
// replay stops, and an explorer recognises by it a state that it has been in before. A protocol
// that shows its state has
//   void dump_state(core::StateDump& dump) const;
// and names there all state that its further behaviour depends on.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/peer/codec.hpp"
#include "core/peer/fields.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

// Whether a state dump includes times: without them, two states that differ only in times look the
// same.
enum class Times : std::uint8_t { told, left_out };

class StateDump {
 public:
  struct Field {
    std::string name;
    std::string value;
    friend bool operator==(const Field&, const Field&) = default;
  };

  explicit StateDump(Times times = Times::told) : times_(times) {}

  // Numbers, texts, times, ids, and optionals, variants, pairs, ranges and plain structs of them.
  template <class T>
  void tell(std::string_view name, const T& value) {
    begin(name);
    write(value);
  }
  // Dumps a part of the protocol, under its name.
  template <class P>
  void part(std::string_view name, const P& part) {
    const std::size_t outer = prefix_.size();
    prefix_.append(name).push_back('.');
    part.dump_state(*this);
    prefix_.resize(outer);
  }

  // One value as it is dumped.
  template <class T>
  [[nodiscard]] static std::string text_of(const T& value, Times times = Times::told) {
    StateDump dump(times);
    dump.tell({}, value);
    return std::move(dump.fields_.front().value);
  }

  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }
  [[nodiscard]] Times times() const { return times_; }
  // A line for each field: "name = value".
  [[nodiscard]] std::string text() const;

 private:
  void begin(std::string_view name) { fields_.push_back({prefix_ + std::string(name), {}}); }
  void put(std::string_view text) { fields_.back().value.append(text); }
  void natural(std::uint64_t value);
  void integer(std::int64_t value);
  void real(double value);
  void duration(Duration value);
  void peer(PeerId value);

  template <class T>
  void write(const T& value);
  template <class T>
  void write_all(const T& values);
  template <class T>
  void write_fields(const T& value);

  Times times_;
  std::string prefix_;
  std::vector<Field> fields_;
};

// The content of a packet, or of other bytes of the codec: the fields in order, without their
// names.
[[nodiscard]] std::string text_of(std::span<const std::byte> payload);

template <class P>
concept portrayed = requires(const P& protocol, StateDump& dump) {
  protocol.dump_state(dump);
};

// The name of a type without its namespaces: of a timer "ShuffleDue".
template <class T>
[[nodiscard]] constexpr std::string_view type_name();

namespace detail {

[[nodiscard]] constexpr std::string_view unqualified(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

template <class T>
inline constexpr bool is_optional_value = false;
template <class T>
inline constexpr bool is_optional_value<std::optional<T>> = true;
template <class T>
inline constexpr bool is_variant = false;
template <class... T>
inline constexpr bool is_variant<std::variant<T...>> = true;
template <class T>
inline constexpr bool is_pair = false;
template <class A, class B>
inline constexpr bool is_pair<std::pair<A, B>> = true;

}  // namespace detail

// Both compilers that build this end the signature of a function template with "T = NAME" and a
// bracket, GCC perhaps with more after a semicolon.
template <class T>
constexpr std::string_view type_name() {
  const std::string_view signature = __PRETTY_FUNCTION__;
  const std::size_t first = signature.find("T = ") + 4;
  const std::size_t last = signature.find_first_of(";]", first);
  return detail::unqualified(signature.substr(first, last - first));
}

template <class T>
void StateDump::write(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    put(value ? "yes" : "no");
  } else if constexpr (std::is_same_v<T, PeerId>) {
    peer(value);
  } else if constexpr (std::is_same_v<T, TimerId> || std::is_same_v<T, WorkId>) {
    put(value == T{} ? "none" : "some");  // their numbers depend on earlier events
  } else if constexpr (std::is_same_v<T, Time>) {
    if (times_ == Times::told) duration(value.time_since_epoch());
  } else if constexpr (std::is_same_v<T, Duration>) {
    duration(value);
  } else if constexpr (std::is_enum_v<T>) {
    natural(static_cast<std::uint64_t>(value));
  } else if constexpr (std::unsigned_integral<T>) {
    natural(value);
  } else if constexpr (std::signed_integral<T>) {
    integer(value);
  } else if constexpr (std::floating_point<T>) {
    real(value);
  } else if constexpr (std::convertible_to<const T&, std::string_view>) {
    put(value);
  } else if constexpr (detail::is_optional_value<T>) {
    value ? write(*value) : put("none");
  } else if constexpr (detail::is_variant<T>) {
    std::visit(
        [this]<class Held>(const Held& held) {
          put(type_name<Held>());
          write(held);
        },
        value);
  } else if constexpr (detail::is_pair<T>) {
    write(value.first);
    put(": ");
    write(value.second);
  } else if constexpr (requires(Writer out) { value.write(out); }) {
    Bytes bytes;
    encode(value, bytes);
    put(core::text_of(bytes));
  } else if constexpr (std::ranges::range<const T>) {
    write_all(value);
  } else {
    write_fields(value);
  }
}

template <class T>
void StateDump::write_all(const T& values) {
  put("[");
  bool first = true;
  for (const auto& value : values) {
    if (!std::exchange(first, false)) put(", ");
    write(value);
  }
  put("]");
}

template <class T>
void StateDump::write_fields(const T& value) {
  put("{");
  bool first = true;
  const auto write_one = [&](const auto& field) {
    if (!std::exchange(first, false)) put(", ");
    write(field);
  };
  if constexpr (names_fields<const T>)
    std::apply([&](const auto&... field) { (write_one(field), ...); }, Fields::of(value));
  else
    with_fields(value, [&](const auto&... field) { (write_one(field), ...); });
  put("}");
}

}  // namespace rhizome::core
