// Rows as messages: only changed values are sent, and the receiver checks everything that it reads.
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
  // Sets the row of a peer as of that frame. Frame numbers must not decrease.
  void set(core::PeerId peer, const Row& row, std::uint64_t frame);
  // The changes after that frame, as a frame holds them. After 0: every row, with all values except
  // those that were always 0. The first value is always there, so that a frame is as long as the
  // rows that its receiver makes room for.
  [[nodiscard]] std::vector<std::uint64_t> changed_after(std::uint64_t frame) const;

 private:
  std::vector<Row> rows_;
  std::vector<std::array<std::uint64_t, columns>> changed_;  // frames; 0: never
};

struct ChangedRows {
  std::vector<core::PeerId> peers{};  // ascending
  std::vector<Row> before{};          // the former row of each
};

// Overwrites the changed values. Takes as long as `changes` is, however many rows there are.
// Returns nothing, and leaves the rows valid but unspecified, where `changes` is not what Rows
// makes for so many rows.
[[nodiscard]] std::optional<ChangedRows> apply_changes(std::span<const std::uint64_t> changes,
                                                       std::vector<Row>& rows);

}  // namespace rhizome::scenarios::live
