// Messages between shares beside the run, for a user who watches the run or steers it: share 0
// asks, and the others answer. These messages do not influence the run.
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

// From share 0: asks what is new with the receiver's peers.
struct Call {
  bool views = false;  // also the links of their overlays
};

// The answer, with all that has changed since the one before. A share of many peers reports some of
// them at a time.
struct PeerCounts {
  PeerId peer{};
  Vitals::Numbers counts{};
};
struct FactReport {
  Time at{};
  PeerId peer{};
  std::uint32_t type = 0;  // its place among the types that the program knows
  Bytes payload{};
};
struct ViewReport {
  PeerId peer{};
  ViewKind kind{};
  std::vector<PeerId> links{};
};
struct News {
  bool last = false;    // the share is done, and sends no more News
  bool behind = false;  // so far it has left something out
  std::array<std::uint64_t, fault_kinds> faults{};
  std::vector<PeerCounts> peers{};
  std::vector<FactReport> facts{};  // facts of one peer in their order
  std::vector<ViewReport> views{};
};

// From share 0: a command for a peer of the receiver. The answer is ChargeResult.
struct Charge {
  std::uint64_t number = 0;
  OperatorCommand operator_command{};
};
struct ChargeResult {
  std::uint64_t number = 0;
  std::optional<OperatorCommand> done{};  // with its time; none: it was not done
  std::string reason{};                   // why it was not
};

using Message = OneOf<Call, News, Charge, ChargeResult>;

// More than any message of a share has.
inline constexpr CodecLimits limits{
    .bytes = std::size_t{2} << 20U, .elements = std::size_t{1} << 19U, .depth = 8};

[[nodiscard]] Bytes encode(const Message& message);
// Nothing where the bytes cannot be read.
[[nodiscard]] std::optional<Message> decode(std::span<const std::byte> bytes);

}  // namespace rhizome::core::aside
