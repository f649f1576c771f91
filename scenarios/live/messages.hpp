// What a monitor and a run tell each other, version 1. The monitor asks, and the run answers when
// there is something new: a slow monitor asks less, and is owed nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/peer/codec.hpp"
#include "core/peer/message.hpp"
#include "scenarios/live/frame.hpp"
#include "scenarios/live/steering.hpp"

namespace rhizome::scenarios::live {

inline constexpr std::uint32_t protocol_version = 1;

// The first that a monitor says.
struct Hello {
  std::uint32_t version = protocol_version;
};
// The answer: whom it has reached.
struct Welcome {
  std::uint32_t version = protocol_version;
  std::uint64_t process = 0;
  std::string scenario{};
  std::uint64_t runs = 0;                 // of the experiment, all in all
  std::vector<std::string> fact_kinds{};  // by number
  friend bool operator==(const Welcome&, const Welcome&) = default;
};
// What has changed? Answered by a frame, as soon as there is a newer one.
struct Ask {
  std::optional<std::uint32_t> run{};  // none: the one that began last
  std::uint32_t known_run = 0;         // that the next is about
  std::uint64_t since = 0;             // the frame that the monitor has; 0: none
  std::uint64_t next_fact = 0;         // 0: the last that are kept
  std::uint32_t most_facts = 0;        // that are to come with it
  bool past = false;                   // whether totals of the past are
};
// No frame will be.
struct Refused {
  std::string reason;
  friend bool operator==(const Refused&, const Refused&) = default;
};
// The experiment has ended, and nothing is answered any more.
struct Over {
  std::string directory;  // of the run; empty: nothing was kept
  friend bool operator==(const Over&, const Over&) = default;
};

using Request = core::OneOf<Hello, Ask, Steer>;
using Answer = core::OneOf<Welcome, Frame, Refused, Over, Done>;

// The largest request that is read.
inline constexpr core::CodecLimits request_limits{.bytes = 4096, .elements = 64, .depth = 4};
// 100,000 peers with all their values are 1.6 million elements.
inline constexpr core::CodecLimits answer_limits{
    .bytes = std::size_t{64} << 20U, .elements = std::size_t{1} << 22U, .depth = 8};

[[nodiscard]] core::Bytes encode(const Request& request);
[[nodiscard]] core::Bytes encode(const Answer& answer);
// Nothing where it cannot be read. Texts have been made plain (plain_text.hpp).
[[nodiscard]] std::optional<Request> decode_request(std::span<const std::byte> bytes);
[[nodiscard]] std::optional<Answer> decode_answer(std::span<const std::byte> bytes);

}  // namespace rhizome::scenarios::live
