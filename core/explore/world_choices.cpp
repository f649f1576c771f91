// Which events may happen next.
#include <algorithm>

#include "core/explore/world.hpp"

namespace rhizome::core {

namespace {

constexpr std::uint64_t everything = ~std::uint64_t{0};
constexpr std::uint32_t bits_of_peers = 56;

// A bit for each peer; where there are too many peers, some share one, which is safe.
std::uint64_t bit_of(PeerId id) { return std::uint64_t{1} << (id.value % bits_of_peers); }
// A bit for each budget, which choices share.
std::uint64_t bit_of(Happening::Kind kind) {
  const auto first = static_cast<std::uint32_t>(Happening::Kind::early);
  return std::uint64_t{1} << (bits_of_peers + static_cast<std::uint32_t>(kind) - first);
}

}  // namespace

const Happening* Explorer::World::find(Fingerprint key) const {
  const auto found = std::find_if(choices_.begin(), choices_.end(),
                                  [key](const Choice& choice) { return choice.key == key; });
  return found == choices_.end() ? nullptr
                                 : &happenings_[static_cast<std::size_t>(found - choices_.begin())];
}

// Offers only one of several events that are equal in every respect.
void Explorer::World::offer(const Happening& happening, Fingerprint name, std::uint64_t touches) {
  const Fingerprint key = mixed(name, static_cast<Fingerprint>(happening.kind));
  if (find(key) != nullptr) return;
  happenings_.push_back(happening);
  choices_.push_back({key, touches, happening.is_rare()});
}

// Once all peers have finished, events under way still come, but no patient timers: a history is
// over when no event is under way.
void Explorer::World::look() {
  happenings_.clear();
  choices_.clear();
  if (broken_) return;
  look_at_quick();
  const bool quiet = choices_.empty();
  if (quiet && commons_.census.all_finished()) return;
  if (quiet)
    look_at_timers(Kind::timer);
  else if (left_.early > 0)
    look_at_timers(Kind::early);
  if (left_.losses > 0) look_at_packets(Kind::loss);
  if (left_.duplicates > 0) look_at_packets(Kind::duplicate);
  look_at_lives();
}

void Explorer::World::look_at_quick() {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < comings_.size(); ++i)
    if (!comings_[i].patient && is_next(comings_[i])) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    return comings_[a].due < comings_[b].due;
  });
  for (const std::size_t i : order)
    offer({comings_[i].kind, comings_[i].peer, i}, comings_[i].name, bit_of(comings_[i].peer));
}

// A timer that fires when all is quiet may end the quiet, and keeps all others waiting. Clocks go
// equally fast: a timer that is due much later than the first waits for it.
void Explorer::World::look_at_timers(Kind kind) {
  const Time last = kind == Kind::early ? Time::max() : first_patient() + options_.moment;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < comings_.size(); ++i)
    if (comings_[i].patient && comings_[i].due <= last && is_next(comings_[i])) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    return comings_[a].due < comings_[b].due;
  });
  for (const std::size_t i : order) {
    const PeerId peer = comings_[i].peer;
    offer({kind, peer, i}, comings_[i].name,
          kind == Kind::timer ? everything : bit_of(peer) | bit_of(kind));
  }
}

Time Explorer::World::first_patient() const {
  constexpr Time never = Time::max() - std::chrono::hours(1);
  Time first = never;
  for (const Coming& coming : comings_)
    if (coming.patient) first = std::min(first, coming.due);
  return first;
}

// Packets of a peer to itself do not travel.
void Explorer::World::look_at_packets(Kind fault) {
  for (std::size_t i = 0; i < comings_.size(); ++i) {
    if (comings_[i].kind != Kind::packet) continue;
    const PacketHeader& header = store_.get(comings_[i].slot).header;
    if (header.from != header.to)
      offer({fault, header.to, i}, comings_[i].name, bit_of(header.to) | bit_of(fault));
  }
}

void Explorer::World::look_at_lives() {
  for (const Host& host : hosts_) {
    const PeerId id = host.id();
    const auto& spared = options_.spared;
    const bool crashes =
        left_.crashes > 0 && std::find(spared.begin(), spared.end(), id) == spared.end();
    if (host.peer() != nullptr ? crashes : left_.restarts > 0)
      offer({host.peer() != nullptr ? Kind::crash : Kind::restart, id}, mixed(2, id.value),
            everything);
  }
}

// Inputs of a peer come in their order, and patient timers of a peer in the order of their times.
bool Explorer::World::is_next(const Coming& coming) const {
  const auto before = [&coming](const Coming& other) {
    if (other.peer != coming.peer || other.kind != coming.kind) return false;
    if (coming.kind == Kind::input) return other.slot < coming.slot;
    return coming.patient && other.patient && other.due < coming.due;
  };
  return std::none_of(comings_.begin(), comings_.end(), before);
}

}  // namespace rhizome::core
