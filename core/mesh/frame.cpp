#include "core/mesh/frame.hpp"

#include "core/mesh/little_endian.hpp"

namespace rhizome::core {

namespace {

void put_time(Bytes& out, ClockTime time) {
  put_number(out, static_cast<std::uint64_t>(time.count()));
}

bool take_time(std::span<const std::byte>& from, ClockTime& time) {
  std::uint64_t bits = 0;
  if (!take_number(from, bits)) return false;
  time = ClockTime(static_cast<std::int64_t>(bits));
  return true;
}

template <std::size_t n>
std::optional<std::array<ClockTime, n>> times_of(std::span<const std::byte> body) {
  std::array<ClockTime, n> times{};
  for (ClockTime& time : times)
    if (!take_time(body, time)) return {};
  if (!body.empty()) return {};
  return times;
}

std::optional<ClockTime> time_of(const LinkFrame& frame) {
  const auto times = times_of<1>(frame.body);
  return times ? std::optional(times->front()) : std::nullopt;
}

Bytes with_time(LinkFrame::Kind kind, ClockTime time) {
  Bytes bytes = head_of(kind, 0);
  put_time(bytes, time);
  return bytes;
}

}  // namespace

Bytes head_of(LinkFrame::Kind kind, std::uint32_t number) {
  Bytes bytes;
  put_number(bytes, static_cast<std::uint8_t>(kind));
  put_number(bytes, number);
  return bytes;
}

Bytes frame_of(LinkFrame::Kind kind, std::uint32_t number, std::span<const std::byte> body) {
  Bytes bytes = head_of(kind, number);
  bytes.insert(bytes.end(), body.begin(), body.end());
  return bytes;
}

std::optional<LinkFrame> read_frame(std::span<const std::byte> bytes) {
  std::uint8_t kind = 0;
  LinkFrame frame;
  if (!take_number(bytes, kind) || kind > static_cast<std::uint8_t>(LinkFrame::Kind::last))
    return {};
  if (!take_number(bytes, frame.number)) return {};
  frame.kind = static_cast<LinkFrame::Kind>(kind);
  frame.body = bytes;
  return frame;
}

Bytes ping_of(ClockTime sent) { return with_time(LinkFrame::Kind::ping, sent); }

Bytes ready_of(ClockTime clock_bound) { return with_time(LinkFrame::Kind::ready, clock_bound); }

Bytes pong_of(const PongTimes& times) {
  Bytes bytes = head_of(LinkFrame::Kind::pong, 0);
  for (const ClockTime time : times) put_time(bytes, time);
  return bytes;
}

std::optional<ClockTime> read_ping(const LinkFrame& frame) { return time_of(frame); }

std::optional<ClockTime> read_ready(const LinkFrame& frame) {
  const auto bound = time_of(frame);
  return bound && *bound >= ClockTime::zero() ? bound : std::nullopt;
}

std::optional<PongTimes> read_pong(const LinkFrame& frame) { return times_of<3>(frame.body); }

}  // namespace rhizome::core
