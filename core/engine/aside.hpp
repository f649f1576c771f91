// What shares tell each other aside, for the sake of whoever watches the run or steers it: share 0
// asks, and the others answer. Nothing of it decides how the run goes on.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/engine/fault.hpp"
#include "core/engine/steering.hpp"
#include "core/peer/message.hpp"
#include "core/peer/views.hpp"
#include "core/peer/vitals.hpp"

namespace rhizome::core::aside {

// By share 0: what is new with your peers?
struct Call {
  bool views = false;  // also whom they know in overlays
};

// The answer, in which everything stands that has changed since the one before. A share of many
// peers tells of some at a time.
struct PeerCounts {
  PeerId peer{};
  Vitals::Numbers counts{};
};
struct FactReport {
  Time at{};
  PeerId peer{};
  std::uint32_t type = 0;  // its place among those that the program knows
  Bytes payload{};
};
struct ViewReport {
  PeerId peer{};
  ViewKind kind{};
  std::vector<PeerId> links{};
};
struct News {
  bool last = false;  // the share is done, and tells no more
  std::array<std::uint64_t, fault_kinds> faults{};
  std::vector<PeerCounts> peers{};
  std::vector<FactReport> facts{};  // those of one peer in their order
  std::vector<ViewReport> views{};
};

// By share 0: do that to a peer of yours. Answered by what came of it.
struct Charge {
  std::uint64_t number = 0;
  OperatorCommand operator_command{};
};
struct ChargeResult {
  std::uint64_t number = 0;
  std::optional<OperatorCommand> done{};  // with its time; none: it was not
  std::string reason{};                   // why it was not
};

using Message = OneOf<Call, News, Charge, ChargeResult>;

// More than any message has that a share makes.
inline constexpr CodecLimits limits{
    .bytes = std::size_t{2} << 20U, .elements = std::size_t{1} << 19U, .depth = 8};

[[nodiscard]] Bytes encode(const Message& message);
// Nothing where it cannot be read.
[[nodiscard]] std::optional<Message> decode(std::span<const std::byte> bytes);

}  // namespace rhizome::core::aside
