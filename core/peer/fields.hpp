// The fields of a plain struct as a tuple of references, so that a message needs no serialisation
// code at all: an aggregate of up to twelve fields is its own description.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace rhizome::core {

namespace detail {

// Converts to anything in an unevaluated braced initialiser; that is how fields are counted.
struct Anything {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor)
};

template <class T, std::size_t... I>
consteval bool takes(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), Anything{})...}; };
}

template <class T, std::size_t N = 12>
consteval std::size_t count_fields() {
  if constexpr (N == 0 || takes<T>(std::make_index_sequence<N>{})) {
    return N;
  } else {
    return count_fields<T, N - 1>();
  }
}

}  // namespace detail

template <class T>
inline constexpr std::size_t field_count = detail::count_fields<T>();

// A class with private members befriends this, and names those that travel in
//   template <class Self> static auto fields(Self& self) { return std::tie(self.a_, self.b_); }
struct Fields {
  template <class T>
  static constexpr auto of(T& value) -> decltype(std::remove_const_t<T>::fields(value)) {
    return std::remove_const_t<T>::fields(value);
  }
};

template <class T>
concept names_fields = requires(T& value) {
  Fields::of(value);
};

// Calls f(field...) with every field of `value`, in order of declaration.
template <class T, class F>
constexpr decltype(auto) with_fields(T& value, F&& f) {
  constexpr std::size_t n = field_count<std::remove_const_t<T>>;
  static_assert(n <= 12, "a message has at most twelve fields: nest a struct");
  if constexpr (n == 0) {
    return f();
  } else if constexpr (n == 1) {
    auto& [a] = value;
    return f(a);
  } else if constexpr (n == 2) {
    auto& [a, b] = value;
    return f(a, b);
  } else if constexpr (n == 3) {
    auto& [a, b, c] = value;
    return f(a, b, c);
  } else if constexpr (n == 4) {
    auto& [a, b, c, d] = value;
    return f(a, b, c, d);
  } else if constexpr (n == 5) {
    auto& [a, b, c, d, e] = value;
    return f(a, b, c, d, e);
  } else if constexpr (n == 6) {
    auto& [a, b, c, d, e, g] = value;
    return f(a, b, c, d, e, g);
  } else if constexpr (n == 7) {
    auto& [a, b, c, d, e, g, h] = value;
    return f(a, b, c, d, e, g, h);
  } else if constexpr (n == 8) {
    auto& [a, b, c, d, e, g, h, i] = value;
    return f(a, b, c, d, e, g, h, i);
  } else if constexpr (n == 9) {
    auto& [a, b, c, d, e, g, h, i, j] = value;
    return f(a, b, c, d, e, g, h, i, j);
  } else if constexpr (n == 10) {
    auto& [a, b, c, d, e, g, h, i, j, k] = value;
    return f(a, b, c, d, e, g, h, i, j, k);
  } else if constexpr (n == 11) {
    auto& [a, b, c, d, e, g, h, i, j, k, l] = value;
    return f(a, b, c, d, e, g, h, i, j, k, l);
  } else {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m] = value;
    return f(a, b, c, d, e, g, h, i, j, k, l, m);
  }
}

}  // namespace rhizome::core
