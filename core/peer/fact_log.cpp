#include "core/peer/fact_log.hpp"

#include <algorithm>

namespace rhizome::core {

void FactLog::add(Time at, const EncodedFact& fact) {
  const auto known = std::find_if(kinds_.begin(), kinds_.end(),
                                  [&fact](const Kind& kind) { return kind.info == fact.info; });
  const auto kind = static_cast<std::uint32_t>(known - kinds_.begin());
  if (known == kinds_.end()) kinds_.push_back({fact.info, 0});
  ++kinds_[kind].facts;
  const Head head{at, kind, static_cast<std::uint32_t>(fact.payload.size())};
  const auto bytes = std::as_bytes(std::span(&head, 1));
  log_.insert(log_.end(), bytes.begin(), bytes.end());
  log_.insert(log_.end(), fact.payload.begin(), fact.payload.end());
  ++size_;
}

}  // namespace rhizome::core
