// A view table: the peers that every peer knows in each overlay. Changes are sent as for rows, and
// the receiver checks everything that it reads. Only views that were set take memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/peer/ids.hpp"
#include "core/peer/views.hpp"

namespace rhizome::scenarios::live {

class ViewTable {
 public:
  explicit ViewTable(std::uint32_t peers) : peers_(peers) {}

  // Ascending, each once.
  [[nodiscard]] const std::vector<core::PeerId>& of(core::PeerId peer, core::ViewKind kind) const;
  // How many peers know `peer` in that overlay.
  [[nodiscard]] std::size_t in_degree(core::PeerId peer, core::ViewKind kind) const;

  // Sets a view as of that frame. Frame numbers must not decrease. The view is ascending, without
  // duplicates, and holds only peers of the table.
  void set(core::PeerId peer, core::ViewKind kind, std::vector<core::PeerId> view,
           std::uint64_t frame);
  // For each view that changed after that frame, ascending by peer and kind: the number of
  // unchanged views before it, its number of peers, and for each of them the number of peers left
  // out before it. After 0: all views except those that were always empty.
  [[nodiscard]] std::vector<std::uint64_t> changed_after(std::uint64_t frame) const;
  // All views that are not empty, in the same encoding.
  [[nodiscard]] std::vector<std::uint64_t> whole() const;
  // Overwrites the views that changed by that frame. Returns false, and leaves the table valid but
  // unspecified, where `changes` is not what changed_after() makes for so many peers.
  [[nodiscard]] bool apply(std::span<const std::uint64_t> changes, std::uint64_t frame);
  // Calls f(peer, kind, view) for each view that the latest apply() has overwritten.
  template <class F>
  void for_each_latest(F&& f) const {
    for (const std::size_t number : latest_)
      f(core::PeerId{static_cast<std::uint32_t>(number / core::view_kinds)},
        static_cast<core::ViewKind>(number % core::view_kinds), places_.at(number).view);
  }

  // About how much memory the table takes.
  [[nodiscard]] std::size_t bytes() const;
  // Two tables are equal if their views are, whenever these changed.
  friend bool operator==(const ViewTable& a, const ViewTable& b) {
    return a.peers_ == b.peers_ && a.whole() == b.whole();
  }

 private:
  struct Place {
    std::vector<core::PeerId> view{};
    std::uint64_t changed = 0;  // the frame of the last change
  };
  [[nodiscard]] static std::size_t place_of(core::PeerId peer, core::ViewKind kind) {
    return std::size_t{peer.value} * core::view_kinds + static_cast<std::size_t>(kind);
  }

  template <class Wanted>
  [[nodiscard]] std::vector<std::uint64_t> those(Wanted wanted) const;

  std::uint32_t peers_;
  std::map<std::size_t, Place> places_;  // by peer and kind
  std::vector<std::size_t> latest_;      // of the places, ascending
};

}  // namespace rhizome::scenarios::live
