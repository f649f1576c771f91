// Frames: the messages of a link between two processes. The first byte is the kind, four more a
// number, and the rest depends on the kind.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/peer/codec.hpp"

namespace rhizome::core {

struct LinkFrame {
  enum class Kind : std::uint8_t {
    batch,    // records; number: the run
    letter,   // a message of control; number: the run
    parcel,   // a piece of a message larger than a frame; 1 if more follows, else 0
    ping,     // a time
    pong,     // three times
    broken,   // to process 0: my link to the process of that number is broken
    without,  // by process 0: the process of that number is lost for the run
    ready,    // to process 0: my clock is known; a time, that it may be off by
    bye,      // I leave, and nothing comes after it
    heard,    // all that was said before the bye
    last = heard
  };
  Kind kind{};
  std::uint32_t number = 0;
  std::span<const std::byte> body{};  // refers to the bytes that it was read from
};

inline constexpr std::size_t frame_head = 5;  // bytes

// A frame without its body, which is to follow.
[[nodiscard]] Bytes head_of(LinkFrame::Kind kind, std::uint32_t number);
[[nodiscard]] Bytes frame_of(LinkFrame::Kind kind, std::uint32_t number,
                             std::span<const std::byte> body = {});
// Nothing for bytes that are no frame.
[[nodiscard]] std::optional<LinkFrame> read_frame(std::span<const std::byte> bytes);

// A time on a steady clock, from any origin.
using ClockTime = std::chrono::nanoseconds;

// When a ping was sent, when it was received, and when it was answered.
using PongTimes = std::array<ClockTime, 3>;

[[nodiscard]] Bytes ping_of(ClockTime sent);
[[nodiscard]] Bytes ready_of(ClockTime clock_bound);
[[nodiscard]] Bytes pong_of(const PongTimes& times);
// Nothing where the body holds something else.
[[nodiscard]] std::optional<ClockTime> read_ping(const LinkFrame& frame);
[[nodiscard]] std::optional<ClockTime> read_ready(const LinkFrame& frame);
[[nodiscard]] std::optional<PongTimes> read_pong(const LinkFrame& frame);

}  // namespace rhizome::core
