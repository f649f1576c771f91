#include "tools/bill/bill.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "scenarios/outcome/locator_messages.hpp"
#include "scenarios/outcome/tree.hpp"
#include "tools/tree/measures.hpp"

namespace rhizome::tools {

namespace {

using core::Burden;

Burden carried_by(const PeerOutcome& peer) {
  Burden sum;
  for (const core::BurdenRow& row : peer.burdens) {
    sum += row.sent;
    sum += row.received;
  }
  return sum;
}

template <class Which>
std::vector<BillItem> items_of(const Outcome& outcome, Which which) {
  std::map<std::pair<core::Cause, core::MessageClass>, Burden> sums;
  for (const PeerOutcome& peer : outcome.peers)
    for (const core::BurdenRow& row : peer.burdens)
      if (row.sent.messages > 0 && which(row)) sums[{row.cause, row.message_class}] += row.sent;
  std::vector<BillItem> items;
  for (const auto& [key, sent] : sums) items.push_back({key.first, key.second, sent});
  std::ranges::stable_sort(items, [](const BillItem& a, const BillItem& b) {
    return a.sent.messages > b.sent.messages;
  });
  return items;
}

std::vector<BillPeer> peers_of(const Outcome& outcome, const Tree& tree) {
  std::vector<BillPeer> peers;
  for (const PeerOutcome& peer : outcome.peers)
    peers.push_back({peer.id, tree.depth[peer.id.value], peer.speed, carried_by(peer)});
  std::ranges::stable_sort(peers, [](const BillPeer& a, const BillPeer& b) {
    return a.carried.messages > b.carried.messages;
  });
  return peers;
}

// A share of a burden, in whole messages.
Burden share_of(const Burden& burden, double share) {
  const auto part = [share](std::uint64_t count) {
    return static_cast<std::uint64_t>(std::llround(share * static_cast<double>(count)));
  };
  return {part(burden.messages), part(burden.bytes), part(burden.units)};
}

std::vector<BillLevel> levels_of(const Outcome& outcome, const std::vector<BillPeer>& peers) {
  std::map<std::uint32_t, BillLevel> levels;
  const std::vector<Sojourns> sojourns = sojourns_of(outcome);
  for (const BillPeer& peer : peers)
    for (const auto& [depth, share] : sojourns[peer.peer.value]) {
      BillLevel& level = levels[depth.value_or(~std::uint32_t{0})];
      level.depth = depth;
      level.peers += share;
      level.carried += share_of(peer.carried, share);
    }
  std::vector<BillLevel> list;
  for (auto& [depth, level] : levels) list.push_back(level);
  return list;
}

double hot_spot_of(const std::vector<BillPeer>& sorted) {
  if (sorted.empty()) return 0;
  const auto at = [&](std::size_t i) { return static_cast<double>(sorted[i].carried.messages); };
  const double median = (at((sorted.size() - 1) / 2) + at(sorted.size() / 2)) / 2;
  return median > 0 ? static_cast<double>(sorted.front().carried.messages) / median : 0;
}

Conservation conservation_of(const Outcome& outcome) {
  Conservation sum{.partial = !outcome.lost.empty()};
  for (const PeerOutcome& peer : outcome.peers) {
    sum.sent += peer.sent;
    sum.duplicated += peer.duplicated;
    sum.received += peer.received;
    sum.in_flight += peer.in_flight;
    for (std::size_t i = 0; i < core::drops; ++i) sum.dropped[i] += peer.drops[i];
  }
  return sum;
}

}  // namespace

bool Conservation::balanced() const {
  const std::uint64_t ended = std::accumulate(dropped.begin(), dropped.end(), received + in_flight);
  return sent + duplicated == ended;
}

Bill bill_of(const Outcome& outcome) {
  Bill bill;
  bill.results_known = scenarios::results_known(outcome);
  for (const TaskOutcome& task : outcome.tasks) bill.completed += task.completed ? 1 : 0;
  bill.items = items_of(outcome, [](const core::BurdenRow&) { return true; });
  bill.data = outcome.facts.of<agents::locator::DatumPromised>().size();
  const scenarios::LocatorMessages of(outcome);
  bill.for_data =
      items_of(outcome, [&of](const core::BurdenRow& row) { return of.serves_data(row); });
  for (const BillItem& item : bill.items) {
    bill.total += item.sent;
    bill.classes[static_cast<std::size_t>(item.message_class)] += item.sent;
  }
  bill.peers = peers_of(outcome, tree_at(outcome, Time::max()));
  bill.levels = levels_of(outcome, bill.peers);
  bill.hot_spot = hot_spot_of(bill.peers);
  bill.conservation = conservation_of(outcome);
  return bill;
}

}  // namespace rhizome::tools
