#include "scenarios/text/key_positions.hpp"

#include <tuple>

namespace rhizome::scenarios {

Position KeyPositions::of(const std::string& path, const std::string& file) const {
  if (keys_ == nullptr) return {file, 1, 1};
  if (const auto key = keys_->find(path); key != keys_->end()) return key->second;
  const Position* first = nullptr;
  const std::string table = path + ".";
  for (auto key = keys_->lower_bound(table); key != keys_->end() && key->first.starts_with(table);
       ++key)
    if (first == nullptr ||
        std::tie(key->second.line, key->second.column) < std::tie(first->line, first->column))
      first = &key->second;
  return first != nullptr ? *first : Position{file, 1, 1};
}

}  // namespace rhizome::scenarios
