// Pieces of real work, of the kinds of the catalogue.
#pragma once

#include <any>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "agents/work/kinds.hpp"
#include "core/work/kind.hpp"

namespace rhizome::test {

inline core::WorkKindId kind_named(core::WorkKinds kinds, std::string_view name) {
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i].name == name) return static_cast<core::WorkKindId>(i);
  throw std::logic_error("there is no such kind of work");
}

// A recipe of the kind with a value for one of its settings; the others have their defaults.
inline core::Recipe recipe(core::WorkKinds kinds, std::string_view name, std::string_view setting,
                           const core::SettingValue& value) {
  const core::WorkKindId id = kind_named(kinds, name);
  const core::WorkKind& kind = kinds[static_cast<std::size_t>(id)];
  std::vector<std::any> options(kinds.size());
  std::any& own = options[static_cast<std::size_t>(id)] = kind.defaults();
  for (const core::Setting& each : kind.settings)
    if (each.name == setting) each.assign(kind.address(own), value);
  return core::recipe_of(kinds, id, options);
}

inline core::Work matrix_work(std::int64_t order, std::uint64_t seed = 1) {
  return {.recipe = recipe(agents::work_kinds(), "matrix", "order", order),
          .duration = std::chrono::milliseconds(1),
          .seed = seed};
}

}  // namespace rhizome::test
