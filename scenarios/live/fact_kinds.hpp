// The kinds of facts by number, as a run tells them to monitors.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/outcome/facts.hpp"

namespace rhizome::scenarios::live {

inline constexpr std::size_t fact_kinds = std::variant_size_v<KnownFacts>;

template <core::one_of<KnownFacts> F>
inline constexpr std::uint32_t fact_kind = core::position_of<F, KnownFacts>;

// The kinds of facts by number.
[[nodiscard]] const std::array<const core::FactInfo*, fact_kinds>& fact_infos();
[[nodiscard]] std::vector<std::string> fact_kind_names();
// The number of a kind; the size of `fact_kinds` for an unknown one.
[[nodiscard]] std::uint32_t fact_kind_of(const core::FactInfo& info);

namespace detail {
template <class F, class Visitor>
bool visit_as(std::string_view kind, const core::Bytes& payload, Visitor& visitor) {
  if (F::info.name != kind) return false;
  F fact{};
  if (core::decode(payload, fact) == core::DecodeError::none) visitor(std::as_const(fact));
  return true;
}
template <class Visitor, class... F>
void visit_any(std::string_view kind, const core::Bytes& payload, Visitor& visitor,
               const core::OneOf<F...>*) {
  static_cast<void>((visit_as<F>(kind, payload, visitor) || ...));
}
}  // namespace detail

// Calls visitor(fact) with a fact of a run, unless this program does not know its kind, or the fact
// does not decode as that kind.
template <class Visitor>
void visit_fact(std::string_view kind, const core::Bytes& payload, Visitor&& visitor) {
  detail::visit_any(kind, payload, visitor, static_cast<const KnownFacts*>(nullptr));
}

}  // namespace rhizome::scenarios::live
