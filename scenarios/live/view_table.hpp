// A view table: whom every peer knows in each overlay. What has changed travels as rows do, and who
// reads it trusts nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/peer/ids.hpp"
#include "core/peer/views.hpp"

namespace rhizome::scenarios::live {

class ViewTable {
 public:
  explicit ViewTable(std::uint32_t peers) : peers_(peers), places_(peers * core::view_kinds) {}

  // Ascending, each once.
  [[nodiscard]] const std::vector<core::PeerId>& of(core::PeerId peer, core::ViewKind kind) const {
    return places_[place_of(peer, kind)].view;
  }
  // How many know a peer in that overlay.
  [[nodiscard]] std::size_t in_degree(core::PeerId peer, core::ViewKind kind) const;

  // What a view has come to by that frame, which is none before the last one that was told:
  // ascending, each once, and peers of the table.
  void set(core::PeerId peer, core::ViewKind kind, std::vector<core::PeerId> view,
           std::uint64_t frame);
  // Of each view that has changed, ascending by peer and kind: how many views are left out before
  // it, how many peers it has, and of each how many are left out before it. Since 0: all but those
  // that never were other than empty.
  [[nodiscard]] std::vector<std::uint64_t> changed_after(std::uint64_t frame) const;
  // All that are not empty, in the same way.
  [[nodiscard]] std::vector<std::uint64_t> whole() const;
  // Overwrites what has changed by that frame. False, and the table is valid but unspecified, where
  // the changes are not what changed_after() makes for so many peers.
  [[nodiscard]] bool apply(std::span<const std::uint64_t> changes, std::uint64_t frame);
  // Calls f(peer, kind, view) with each that changed after that frame.
  template <class F>
  void for_each_changed(std::uint64_t after, F&& f) const {
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (places_[i].changed > after)
        f(core::PeerId{static_cast<std::uint32_t>(i / core::view_kinds)},
          static_cast<core::ViewKind>(i % core::view_kinds), places_[i].view);
  }

  // About how much memory it takes.
  [[nodiscard]] std::size_t bytes() const;
  friend bool operator==(const ViewTable&, const ViewTable&) = default;

 private:
  struct Place {
    std::vector<core::PeerId> view{};
    std::uint64_t changed = 0;  // in that frame; 0: never
    // When it was says nothing of what it is.
    friend bool operator==(const Place& a, const Place& b) { return a.view == b.view; }
  };
  [[nodiscard]] static std::size_t place_of(core::PeerId peer, core::ViewKind kind) {
    return peer.value * core::view_kinds + static_cast<std::size_t>(kind);
  }

  template <class Wanted>
  [[nodiscard]] std::vector<std::uint64_t> those(Wanted wanted) const;

  std::uint32_t peers_;
  std::vector<Place> places_;
};

}  // namespace rhizome::scenarios::live
