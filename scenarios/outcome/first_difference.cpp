#include "scenarios/outcome/fact_watch.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "scenarios/outcome/fact_text.hpp"

namespace rhizome::scenarios {

namespace {

// A fact that one of the outcomes has at that place, and its text in both.
struct FactDifference {
  FactPlace place{};
  std::string was = "nothing";
  std::string is = "nothing";
};

template <class F>
std::optional<FactDifference> difference_in(const std::vector<Noted<F>>& was,
                                            const std::vector<Noted<F>>& is) {
  const auto [a, b] = std::mismatch(was.begin(), was.end(), is.begin(), is.end());
  if (a == was.end() && b == is.end()) return {};
  FactDifference found;
  if (a != was.end()) {
    found.place = *a;
    found.was = text_of(*a);
  }
  if (b != is.end()) {
    found.place = a == was.end() ? *b : std::min<FactPlace>(*a, *b);
    found.is = text_of(*b);
  }
  return found;
}

std::optional<std::string> difference_of_facts(const Facts& was, const Facts& is) {
  std::optional<FactDifference> first;
  was.for_each_type([&]<class F>(std::type_identity<F>, const std::vector<Noted<F>>& column) {
    const auto found = difference_in(column, is.of<F>());
    if (found && (!first || found->place < first->place)) first = found;
  });
  if (!first) return {};
  return "of facts it was " + first->was + ", and is " + first->is;
}

// The counters of a peer, in words.
std::string counts_of(const PeerOutcome& peer) {
  return fmt::format("sent {}, received {}, {} copies, {} under way, {} restarts, {}", peer.sent,
                     peer.received, peer.duplicated, peer.in_flight, peer.restarts,
                     peer.alive ? "alive" : "down");
}

std::optional<std::string> difference_of_peers(const Outcome& was, const Outcome& is) {
  if (was.peers.size() != is.peers.size())
    return fmt::format("there were {} peers, and are {}", was.peers.size(), is.peers.size());
  for (std::size_t i = 0; i < was.peers.size(); ++i) {
    const PeerOutcome& before = was.peers[i];
    const PeerOutcome& now = is.peers[i];
    if (before == now) continue;
    if (before.burdens != now.burdens)
      return fmt::format("the burdens of peer {} differ: it was {}, and is {}", i,
                         counts_of(before), counts_of(now));
    return fmt::format("peer {} differs: it was {}, and is {}", i, counts_of(before),
                       counts_of(now));
  }
  return {};
}

// The outcome without the values that no store keeps.
Outcome comparable(Outcome outcome) {
  outcome.wall = {};
  outcome.repeated = 0;
  outcome.steered = {};
  return outcome;
}

Outcome without_bytes(Outcome outcome) {
  for (PeerOutcome& peer : outcome.peers)
    for (core::BurdenRow& row : peer.burdens) row.sent.bytes = row.received.bytes = 0;
  for (MessageOutcome& message : outcome.messages) message.bytes = 0;
  return outcome;
}

}  // namespace

bool differ_in_bytes_alone(const Outcome& was, const Outcome& is) {
  return !first_difference(without_bytes(was), without_bytes(is));
}

std::optional<std::string> first_difference(const Outcome& was, const Outcome& is) {
  if (auto facts = difference_of_facts(was.facts, is.facts)) return facts;
  if (auto peers = difference_of_peers(was, is)) return peers;
  if (was.ended != is.ended)
    return "it ended at " + text_of(was.ended) + ", and does at " + text_of(is.ended);
  if (was.events != is.events)
    return fmt::format("there were {} events, and are {}", was.events, is.events);
  if (comparable(was) == comparable(is)) return {};
  return "facts and burdens are the same, and something else that is stored is not";
}

}  // namespace rhizome::scenarios
