// The message bill of a run: the purposes of its messages, the peers that carried them, and whether
// every message is accounted for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/outcome/outcome.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// The messages of one class for one cause.
struct BillItem {
  core::Cause cause{};
  core::MessageClass message_class{};
  core::Burden sent;
};

// The messages at one depth of the tree. The burden of a peer that moved is shared among its depths
// by the time spent at each, so `peers` is a mean over the run; no depth: outside of the tree.
struct BillLevel {
  std::optional<std::uint32_t> depth;
  double peers = 0;
  core::Burden carried;  // sent and received
};

struct BillPeer {
  core::PeerId peer;
  std::optional<std::uint32_t> depth;  // last
  double speed = 1;
  core::Burden carried;
};

// Sent and duplicated = received, dropped or in flight.
struct Conservation {
  std::uint64_t sent = 0;
  std::uint64_t duplicated = 0;
  std::uint64_t received = 0;
  std::array<std::uint64_t, core::drops> dropped{};
  std::uint64_t in_flight = 0;
  bool partial = false;  // without what the peers of lost processes did
  [[nodiscard]] bool balanced() const;
};

struct Bill {
  std::uint64_t completed = 0;  // tasks
  bool results_known = true;    // else `completed` is not known
  core::Burden total;           // sent
  std::vector<BillItem> items;  // most messages first
  // Data that tasks give each other where locators find them, and what locators sent for these.
  std::uint64_t data = 0;
  std::vector<BillItem> for_data;
  std::array<core::Burden, core::message_classes> classes{};  // sent
  std::vector<BillLevel> levels;                              // the root first, outsiders last
  std::vector<BillPeer> peers;                                // most loaded first
  double hot_spot = 0;  // messages of the most loaded peer over those of the median
  Conservation conservation;
};

[[nodiscard]] Bill bill_of(const Outcome& outcome);

// The bill for people, with the `most` most loaded peers.
[[nodiscard]] std::string text_of(const Bill& bill, std::size_t most);
[[nodiscard]] std::string markdown_of(const Bill& bill, std::size_t most);
// The bill for programs, with all peers.
[[nodiscard]] std::string csv_of(const Bill& bill);
[[nodiscard]] std::string json_of(const Bill& bill);

}  // namespace rhizome::tools
