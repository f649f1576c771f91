#include "scenarios/live/view_table.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace rhizome::scenarios::live {

namespace {

void write(const std::vector<core::PeerId>& view, std::vector<std::uint64_t>& changes) {
  changes.push_back(view.size());
  std::uint64_t next = 0;
  for (const core::PeerId peer : view) {
    changes.push_back(peer.value - next);
    next = std::uint64_t{peer.value} + 1;
  }
}

// Reads so many numbers as a view among so many peers; nothing for an invalid view.
std::optional<std::vector<core::PeerId>> read(std::span<const std::uint64_t> gaps,
                                              std::uint32_t peers) {
  std::vector<core::PeerId> view;
  view.reserve(gaps.size());
  std::uint64_t next = 0;
  for (const std::uint64_t gap : gaps) {
    if (gap >= peers - next) return {};
    next += gap;
    view.push_back({static_cast<std::uint32_t>(next++)});
  }
  return view;
}

}  // namespace

const std::vector<core::PeerId>& ViewTable::of(core::PeerId peer, core::ViewKind kind) const {
  static const std::vector<core::PeerId> none;
  const auto found = places_.find(place_of(peer, kind));
  return found == places_.end() ? none : found->second.view;
}

std::size_t ViewTable::in_degree(core::PeerId peer, core::ViewKind kind) const {
  const auto knows = [&](const auto& each) {
    return each.first % core::view_kinds == static_cast<std::size_t>(kind) &&
           std::ranges::binary_search(each.second.view, peer);
  };
  return static_cast<std::size_t>(std::ranges::count_if(places_, knows));
}

void ViewTable::set(core::PeerId peer, core::ViewKind kind, std::vector<core::PeerId> view,
                    std::uint64_t frame) {
  if (of(peer, kind) == view) return;
  places_[place_of(peer, kind)] = {std::move(view), frame};
}

std::vector<std::uint64_t> ViewTable::changed_after(std::uint64_t frame) const {
  return those([frame](const Place& place) { return place.changed > frame; });
}

std::vector<std::uint64_t> ViewTable::whole() const {
  return those([](const Place& place) { return !place.view.empty(); });
}

template <class Wanted>
std::vector<std::uint64_t> ViewTable::those(Wanted wanted) const {
  std::vector<std::uint64_t> changes;
  std::size_t next = 0;
  for (const auto& [number, place] : places_) {
    if (!wanted(place)) continue;
    changes.push_back(number - std::exchange(next, number + 1));
    write(place.view, changes);
  }
  return changes;
}

bool ViewTable::apply(std::span<const std::uint64_t> changes, std::uint64_t frame) {
  const std::size_t places = std::size_t{peers_} * core::view_kinds;
  latest_.clear();
  for (std::size_t place = 0; !changes.empty(); ++place) {
    if (changes.size() < 2 || changes[0] >= places - place) return false;
    place += changes[0];
    const std::uint64_t length = changes[1];
    changes = changes.subspan(2);
    if (length > changes.size()) return false;
    auto view = read(changes.first(length), peers_);
    if (!view) return false;
    places_[place] = {std::move(*view), frame};
    latest_.push_back(place);
    changes = changes.subspan(length);
  }
  return true;
}

std::size_t ViewTable::bytes() const {
  std::size_t bytes = sizeof(ViewTable) + places_.size() * sizeof(*places_.begin());
  for (const auto& [number, place] : places_) bytes += place.view.capacity() * sizeof(core::PeerId);
  return bytes;
}

}  // namespace rhizome::scenarios::live
