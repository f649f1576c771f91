#include "scenarios/live/rows.hpp"

namespace rhizome::scenarios::live {

void Rows::set(core::PeerId peer, const Row& row, std::uint64_t frame) {
  Row& present = rows_[peer.value];
  for (std::size_t i = 0; i < columns; ++i) {
    if (present[i] == row[i]) continue;
    present[i] = row[i];
    changed_[peer.value][i] = frame;
  }
}

std::vector<std::uint64_t> Rows::changed_after(std::uint64_t frame) const {
  std::vector<std::uint64_t> changes;
  std::uint64_t gap = 0;
  for (std::size_t peer = 0; peer < rows_.size(); ++peer) {
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < columns; ++i)
      if (changed_[peer][i] > frame) mask |= std::uint64_t{1} << i;
    if (frame == 0) mask |= 1U;
    if (mask == 0) {
      ++gap;
      continue;
    }
    changes.push_back(gap);
    changes.push_back(mask);
    for (std::size_t i = 0; i < columns; ++i)
      if ((mask >> i & 1U) != 0) changes.push_back(rows_[peer][i]);
    gap = 0;
  }
  return changes;
}

std::optional<ChangedRows> apply_changes(std::span<const std::uint64_t> changes,
                                         std::vector<Row>& rows) {
  ChangedRows changed;
  std::size_t at = 0;
  for (std::size_t peer = 0; at < changes.size(); ++peer) {
    if (changes.size() - at < 2 || changes[at] >= rows.size() - peer) return {};
    peer += changes[at++];
    const std::uint64_t mask = changes[at++];
    if (mask == 0 || mask >> columns != 0) return {};
    changed.before.push_back(rows[peer]);
    for (std::size_t i = 0; i < columns; ++i) {
      if ((mask >> i & 1U) == 0) continue;
      if (at == changes.size()) return {};
      rows[peer][i] = changes[at++];
    }
    changed.peers.push_back({static_cast<std::uint32_t>(peer)});
  }
  return changed;
}

}  // namespace rhizome::scenarios::live
