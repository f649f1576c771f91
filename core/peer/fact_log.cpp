#include "core/peer/fact_log.hpp"

#include <algorithm>

namespace rhizome::core {

void FactLog::add(Time at, const Fact& fact) {
  entries_.push_back(
      {at, fact.subject, fact.value, fact.other, number_of({fact.name, fact.reason})});
}

std::uint32_t FactLog::number_of(const Words& words) {
  const auto known = std::find(words_.begin(), words_.end(), words);
  if (known != words_.end()) return static_cast<std::uint32_t>(known - words_.begin());
  words_.push_back(words);
  return static_cast<std::uint32_t>(words_.size() - 1);
}

RecordedFact FactLog::operator[](std::size_t i) const {
  const Entry& entry = entries_[i];
  const auto& [name, reason] = words_[entry.words];
  return {entry.at, {name, entry.subject, entry.other, entry.value, reason}};
}

}  // namespace rhizome::core
