// Values of any plain struct, drawn by chance: mostly such as a protocol uses, now and then the
// ends of their ranges.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "agents/amounts.hpp"
#include "core/peer/codec.hpp"
#include "core/peer/fields.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/recipe.hpp"
#include "core/peer/rng.hpp"

namespace rhizome::test {

// Small numbers, the ends of the range, and any.
inline std::uint64_t arbitrary_number(core::Rng& rng) {
  switch (rng.below(8)) {
    case 0:
      return std::numeric_limits<std::uint64_t>::max() >> rng.below(64);
    case 1:
      return rng.bits();
    default:
      return rng.below(6);
  }
}

inline double arbitrary_real(core::Rng& rng) {
  constexpr double odd[] = {std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::max(),
                            -1.0,
                            0.0};
  return rng.chance(0.3) ? odd[rng.below(std::size(odd))] : rng.uniform(0, 4);
}

inline core::Duration arbitrary_duration(core::Rng& rng) {
  if (rng.chance(0.2)) return core::Duration(static_cast<std::int64_t>(arbitrary_number(rng)));
  return std::chrono::milliseconds(rng.between(-10, 5'000));
}

template <class T>
void fill_arbitrarily(T& value, core::Rng& rng) {
  if constexpr (std::is_same_v<T, bool>) {
    value = rng.chance(0.5);
  } else if constexpr (std::integral<T>) {
    value = static_cast<T>(arbitrary_number(rng));
  } else if constexpr (std::floating_point<T>) {
    value = static_cast<T>(arbitrary_real(rng));
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = std::string(rng.below(20), 'x');
  } else if constexpr (std::is_same_v<T, core::Duration>) {
    value = arbitrary_duration(rng);
  } else if constexpr (std::is_same_v<T, core::Time>) {
    value = core::Time(arbitrary_duration(rng));
  } else if constexpr (std::is_enum_v<T>) {
    value = static_cast<T>(rng.below(static_cast<std::uint64_t>(T::last) + 1));
  } else if constexpr (std::is_same_v<T, core::Recipe>) {
    if (rng.chance(0.3))
      value = {static_cast<core::WorkKindId>(rng.below(256)), std::string(rng.below(20), 'x')};
  } else if constexpr (std::is_same_v<T, agents::Amounts>) {
    for (std::size_t name = 0; name < T::most_names; ++name)
      if (rng.chance(0.1)) value.set(name, static_cast<std::uint32_t>(rng.below(T::most)));
  } else if constexpr (requires { value.push_back(value.front()); }) {
    value.resize(rng.below(rng.chance(0.05) ? 60 : 4));
    for (auto& item : value) fill_arbitrarily(item, rng);
  } else {
    core::with_fields(value, [&rng](auto&... field) { (fill_arbitrarily(field, rng), ...); });
  }
}

// An encoded message from a closed set.
struct ArbitraryMessage {
  std::uint8_t type = 0;
  core::Bytes payload;
};

template <class... M>
ArbitraryMessage arbitrary_of(core::Rng& rng, const std::variant<M...>*) {
  ArbitraryMessage made;
  made.type = static_cast<std::uint8_t>(rng.below(sizeof...(M)));
  std::uint8_t type = 0;
  const auto try_type = [&]<class T>(T message) {
    if (type++ != made.type) return;
    fill_arbitrarily(message, rng);
    core::encode(message, made.payload);
  };
  (try_type(M{}), ...);
  return made;
}

template <class Messages>
ArbitraryMessage arbitrary_message(core::Rng& rng) {
  return arbitrary_of(rng, static_cast<const Messages*>(nullptr));
}

// The same message with some of its numbers changed, and as well formed as it was.
inline core::Bytes altered(std::span<const std::byte> payload, core::Rng& rng) {
  core::Tokens tokens;
  const core::Reader reader(payload, tokens);
  core::Bytes made;
  core::Writer out(made);
  const double share = rng.uniform(0, 0.5);
  for (const core::Token& token : tokens) {
    const bool changes = rng.chance(share);
    switch (token.kind) {
      case core::Token::Kind::natural:
        out.natural(changes ? arbitrary_number(rng) : token.natural);
        break;
      case core::Token::Kind::negative:
        out.integer(token.integer);
        break;
      case core::Token::Kind::real:
        out.real(changes ? arbitrary_real(rng) : token.real);
        break;
      case core::Token::Kind::boolean:
        out.boolean(changes ? rng.chance(0.5) : token.natural != 0);
        break;
      case core::Token::Kind::text:
        out.text({token.text, token.size});
        break;
      case core::Token::Kind::array:
        out.array(token.size);
        break;
    }
  }
  return made;
}

}  // namespace rhizome::test
