#include "scenarios/live/fact_kinds.hpp"

#include <algorithm>

namespace rhizome::scenarios::live {

namespace {

template <class... F>
constexpr std::array<const core::FactInfo*, sizeof...(F)> list(const core::OneOf<F...>*) {
  return {&F::info...};
}

constexpr auto infos = list(static_cast<const KnownFacts*>(nullptr));

}  // namespace

const std::array<const core::FactInfo*, fact_kinds>& fact_infos() { return infos; }

std::vector<std::string> fact_kind_names() {
  std::vector<std::string> names;
  for (const core::FactInfo* info : infos) names.emplace_back(info->name);
  return names;
}

std::uint32_t fact_kind_of(const core::FactInfo& info) {
  return static_cast<std::uint32_t>(std::ranges::find(infos, &info) - infos.begin());
}

}  // namespace rhizome::scenarios::live
