#include "core/history/track_reader.hpp"

#include <bit>
#include <limits>
#include <string>

namespace rhizome::core {

namespace {

[[noreturn]] void refuse() { throw DamagedTrack("an entry cannot have been written"); }

Duration unfolded(std::uint64_t value) {
  return Duration(static_cast<std::int64_t>(value >> 1U ^ (~(value & 1U) + 1U)));
}

// No run lasts so long, and times up to this one can be added without overflow.
constexpr std::int64_t latest = std::int64_t{1} << 61U;

}  // namespace

void TrackReader::enter() { event_.reset(); }

bool TrackReader::leave() {
  if (!rest_.empty() && std::to_integer<std::uint8_t>(rest_.front()) >
                            static_cast<std::uint8_t>(HostEvent::Kind::last))
    return false;
  read_event();
  return true;
}

void TrackReader::read_event() {
  using Kind = HostEvent::Kind;
  if (rest_.empty()) return;
  const std::uint64_t kind = fixed(1);
  if (kind > static_cast<std::uint64_t>(Kind::last)) refuse();
  const Duration step = unfolded(number());
  const std::int64_t now = now_.time_since_epoch().count();
  if (step.count() > latest - now || step.count() < -now) refuse();
  now_ += step;
  RecordedEvent& event = event_.emplace();
  event.kind = static_cast<Kind>(kind);
  if (event.kind == Kind::arrival || event.kind == Kind::packet) event.from = {small()};
  if (event.has_packet() || event.kind == Kind::input) event.number = number();
  if (event.may_be_void()) event.id = {.service = small(), .slot = small(), .generation = small()};
  if (event.kind == Kind::result) event.result = read_result();
}

Result TrackReader::read_result() {
  const std::uint64_t verdict = number();
  if (verdict > static_cast<std::uint64_t>(Result::Verdict::wrong)) refuse();
  const std::uint64_t size = number();
  if (size > Result::longest || size > rest_.size()) refuse();
  const auto* text = reinterpret_cast<const char*>(rest_.data());
  rest_ = rest_.subspan(size);
  return {.value = std::string(text, size), .verdict = static_cast<Result::Verdict>(verdict)};
}

bool TrackReader::next_is(Mark mark) const {
  return !event_ && !rest_.empty() && rest_.front() == static_cast<std::byte>(mark);
}

bool TrackReader::take(Mark mark) {
  if (!next_is(mark)) return false;
  rest_ = rest_.subspan(1);
  return true;
}

std::optional<std::uint32_t> TrackReader::wants() {
  if (!take(Mark::wants)) return {};
  return static_cast<std::uint32_t>(fixed(sizeof(std::uint32_t)));
}

std::optional<bool> TrackReader::change() {
  if (take(Mark::changed)) return true;
  if (take(Mark::same)) return false;
  return {};
}

std::optional<double> TrackReader::share() {
  if (!take(Mark::share)) return {};
  const auto share = std::bit_cast<double>(fixed(sizeof(std::uint64_t)));
  if (!(share > 0 && share <= 1)) refuse();
  return share;
}

std::optional<Incarnation> TrackReader::life(PeerId peer) {
  const std::span<const std::byte> before = rest_;
  if (!take(Mark::life)) return {};
  const bool of_that = small() == peer.value;
  const Incarnation life{small()};
  if (of_that) return life;
  rest_ = before;
  return {};
}

std::uint64_t TrackReader::number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint64_t byte = fixed(1);
    if (shift > 63 || (shift == 63 && byte > 1)) refuse();
    value |= (byte & 0x7fU) << shift;
    if (byte < 0x80) return value;
  }
}

std::uint32_t TrackReader::small() {
  const std::uint64_t value = number();
  if (value > std::numeric_limits<std::uint32_t>::max()) refuse();
  return static_cast<std::uint32_t>(value);
}

std::uint64_t TrackReader::fixed(std::size_t bytes) {
  if (rest_.size() < bytes) refuse();
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i)
    value |= std::to_integer<std::uint64_t>(rest_[i]) << (8 * i);
  rest_ = rest_.subspan(bytes);
  return value;
}

}  // namespace rhizome::core
