#include "core/peer/fact_log.hpp"

#include <algorithm>

namespace rhizome::core {

void FactLog::add(Time at, const EncodedFact& fact) {
  const auto known = std::find(kinds_.begin(), kinds_.end(), fact.info);
  const auto kind = static_cast<std::uint32_t>(known - kinds_.begin());
  if (known == kinds_.end()) kinds_.push_back(fact.info);
  entries_.push_back({at, kind, static_cast<std::uint32_t>(fact.payload.size())});
  payloads_.insert(payloads_.end(), fact.payload.begin(), fact.payload.end());
}

}  // namespace rhizome::core
