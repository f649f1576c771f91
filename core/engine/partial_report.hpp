// The report of a share: how it travels, and how those of all shares become the report of the run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/peer/fact.hpp"
#include "core/peer/message.hpp"

namespace rhizome::core {

// The results of some peers of a run: the n-th entry of each list by peer belongs to the n-th of
// them.
struct PartialReport {
  std::vector<PeerId> peers;
  EngineReport report;
};

// All types of facts that a reader knows, to find them by their names, which differ.
using FactTypes = std::vector<const FactInfo*>;
template <class... F>
[[nodiscard]] FactTypes fact_types(const OneOf<F...>*) {
  return {&F::info...};
}

[[nodiscard]] Bytes encode(const PartialReport& part);
// Nothing if the bytes cannot be decoded, are incomplete, or hold a fact of an unknown type.
[[nodiscard]] std::optional<PartialReport> decode(std::span<const std::byte> bytes,
                                                  const FactTypes& known);

// Merges the parts into the report of a run of that many peers, independent of the parts' number
// and order: the report that one engine of all peers would have returned. Lost peers are in no
// part: they count as down, and nothing is known of their work. Throws std::invalid_argument if
// another peer is in no part, a peer is in two or is not of the run, or the parts are of runs that
// ended differently.
[[nodiscard]] EngineReport merge(std::vector<PartialReport> parts, std::uint32_t peers,
                                 std::vector<LostPeers> lost = {});

}  // namespace rhizome::core
