// The burdens of one peer while it runs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "core/peer/burden.hpp"
#include "core/peer/fields.hpp"
#include "core/peer/packet.hpp"
#include "core/peer/prefetch.hpp"
#include "core/peer/small_vector.hpp"

namespace rhizome::core {

// A peer has few kinds of messages, so rows are found by looking through their keys, which are
// apart from them to be close together.
class BurdenTable {
 public:
  void sent(const PacketHeader& header, std::size_t bytes) {
    row(header).sent += one(header, bytes);
  }
  void received(const PacketHeader& header, std::size_t bytes) {
    row(header).received += one(header, bytes);
  }
  // Prefetches the row for a message of that header.
  void prefetch(const PacketHeader& header) const {
    const std::size_t place = place_of(header);
    if (place < rows_.size()) core::prefetch(&rows_[place], sizeof(BurdenRow));
  }
  [[nodiscard]] std::span<const BurdenRow> rows() const { return rows_; }
  // Whether each row has a key of its own, which a decoded table may lack.
  [[nodiscard]] bool whole() const { return keys_.size() == rows_.size(); }

 private:
  friend struct Fields;
  template <class Self>
  static auto fields(Self& self) {
    return std::tie(self.keys_, self.rows_);
  }

  static Burden one(const PacketHeader& header, std::size_t bytes) {
    return {1, bytes, header.units};
  }
  static std::uint32_t key(const PacketHeader& header) {
    return (std::uint32_t{header.service} << 16U) | (std::uint32_t{header.type} << 8U) |
           static_cast<std::uint32_t>(header.cause);
  }
  // The index of the row; the size if there is none.
  [[nodiscard]] std::size_t place_of(const PacketHeader& header) const {
    const auto found = std::find(keys_.begin(), keys_.end(), key(header));
    return static_cast<std::size_t>(found - keys_.begin());
  }
  BurdenRow& row(const PacketHeader& header) {
    const std::size_t place = place_of(header);
    if (place < keys_.size()) return rows_[place];
    keys_.push_back(key(header));
    return rows_.emplace_back(
        BurdenRow{header.service, header.type, header.message_class, header.cause, {}, {}});
  }
  SmallVector<std::uint32_t, 24> keys_;  // of the rows
  std::vector<BurdenRow> rows_;
};

}  // namespace rhizome::core
