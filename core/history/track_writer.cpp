#include "core/history/track_writer.hpp"

#include <bit>
#include <utility>

#include "core/history/history_writer.hpp"
#include "core/history/print.hpp"

namespace rhizome::core {

namespace {

// Small ones of either sign become small ones.
std::uint64_t folded(Duration step) {
  const std::int64_t value = step.count();
  return static_cast<std::uint64_t>(value) << 1U ^ static_cast<std::uint64_t>(value >> 63);
}

}  // namespace

void TrackWriter::begins(Time now, const HostEvent& event, const Matter& matter) {
  using Kind = HostEvent::Kind;
  if (bytes_.size() >= piece) close();
  begun_ = bytes_.size();
  before_ = std::exchange(now_, now);
  bytes_.push_back(static_cast<std::byte>(event.kind));
  number(folded(now_ - before_));
  if (event.kind == Kind::arrival || event.kind == Kind::packet)
    number(matter.packet->header.from.value);
  if (event.has_packet() || event.kind == Kind::input) number(matter.number);
  if (event.may_be_void()) {
    number(event.id.service);
    number(event.id.slot);
    number(event.id.generation);
  }
  if (event.kind == Kind::result) result(*matter.result);
}

void TrackWriter::was_void() {
  bytes_.resize(begun_);
  now_ = before_;
}

void TrackWriter::close() {
  if (!bytes_.empty()) file_.add(host_, std::exchange(bytes_, {}));
}

void TrackWriter::wants(const Effects& effects) {
  if (effects.list.empty()) return;
  mark(Mark::wants);
  fixed(print_of(effects), sizeof(std::uint32_t));
}

Incarnation TrackWriter::sees_life(PeerId peer, Incarnation seen) {
  if (seen == Incarnation{} && lives_.empty()) return seen;
  Incarnation& before = lives_[peer];
  if (std::exchange(before, seen) == seen) return seen;
  mark(Mark::life);
  number(peer.value);
  number(seen.value);
  return seen;
}

bool TrackWriter::sees_change(bool seen) {
  mark(seen ? Mark::changed : Mark::same);
  return seen;
}

double TrackWriter::sees_share(double seen) {
  mark(Mark::share);
  fixed(std::bit_cast<std::uint64_t>(seen), sizeof(std::uint64_t));
  return seen;
}

// Seven bits in each byte, the lowest first; the highest bit says that more follow.
void TrackWriter::number(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) bytes_.push_back(static_cast<std::byte>(value | 0x80U));
  bytes_.push_back(static_cast<std::byte>(value));
}

void TrackWriter::fixed(std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i, value >>= 8U)
    bytes_.push_back(static_cast<std::byte>(value));
}

void TrackWriter::result(const Result& result) {
  number(static_cast<std::uint64_t>(result.verdict));
  number(result.value.size());
  const auto text = std::as_bytes(std::span(result.value));
  bytes_.insert(bytes_.end(), text.begin(), text.end());
}

}  // namespace rhizome::core
