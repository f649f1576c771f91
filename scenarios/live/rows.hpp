// Rows on their way: only what has changed travels, and who reads it trusts nothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scenarios/live/frame.hpp"

namespace rhizome::scenarios::live {

// The present values of all peers, and in which frame each last changed.
class Rows {
 public:
  explicit Rows(std::uint32_t peers) : rows_(peers), changed_(peers) {}

  [[nodiscard]] std::uint32_t peers() const { return static_cast<std::uint32_t>(rows_.size()); }
  [[nodiscard]] const Row& row(core::PeerId peer) const { return rows_[peer.value]; }
  // What a peer has come to by that frame, which is none before the last one that was told.
  void set(core::PeerId peer, const Row& row, std::uint64_t frame);
  // As a frame holds them. Since 0: all values but those that never were other than 0.
  [[nodiscard]] std::vector<std::uint64_t> changed_after(std::uint64_t frame) const;

 private:
  std::vector<Row> rows_;
  std::vector<std::array<std::uint64_t, columns>> changed_;  // frames; 0: never
};

// Overwrites what has changed, and returns whose rows that were, ascending. Nothing, and the rows
// are valid but unspecified, where the changes are not what Rows makes for so many rows.
[[nodiscard]] std::optional<std::vector<core::PeerId>> apply_changes(
    std::span<const std::uint64_t> changes, std::vector<Row>& rows);

}  // namespace rhizome::scenarios::live
