#include "overlay/cyclon.hpp"

#include <algorithm>

namespace rhizome::overlay {

namespace {

std::vector<PeerId> peers_of(const std::vector<Descriptor>& descriptors) {
  std::vector<PeerId> peers;
  peers.reserve(descriptors.size());
  for (const Descriptor& descriptor : descriptors) peers.push_back(descriptor.peer);
  return peers;
}

auto find(std::vector<Descriptor>& view, PeerId peer) {
  return std::find_if(view.begin(), view.end(), [peer](const auto& d) { return d.peer == peer; });
}

}  // namespace

// Seeds are drawn by chance: if they were the first of an ordered list, all peers would begin with
// the same few, and stay with them where no peer shuffles.
void Cyclon::start(Env& env) {
  Drawing seeds(seeds_, env.rng());
  view_.reserve(options_.view);
  for (PeerId seed = seeds.next(); seed != core::no_peer && view_.size() < options_.view;
       seed = seeds.next())
    view_.push_back({.peer = seed});
  if (options_.asks_seeds) asked_ = peers_of(view_);
  if (options_.period.count() == 0) return;
  env.after(core::Duration(env.rng().between(0, options_.period.count())), ShuffleDue{});
}

// Takes the oldest link out of the view. While less than half of the view is filled, every second
// time takes a random seed instead.
PeerId Cyclon::take_partner(core::Rng& rng) {
  const bool poor = 2 * view_.size() < options_.view;
  if (!asked_.empty() && (view_.empty() || (poor && shuffles_ % 2 == 1)))
    return asked_[rng.below(asked_.size())];
  if (view_.empty()) return core::no_peer;
  const auto oldest =
      std::max_element(view_.begin(), view_.end(),
                       [](const Descriptor& a, const Descriptor& b) { return a.age < b.age; });
  const PeerId partner = oldest->peer;
  *oldest = view_.back();
  view_.pop_back();
  return partner;
}

// Steps 1 to 4 of the enhanced shuffle.
void Cyclon::on(Env& env, const ShuffleDue&) {
  env.after(options_.period, ShuffleDue{});
  for (Descriptor& descriptor : view_) descriptor.grow_older();
  partner_ = take_partner(env.rng());
  if (partner_ == core::no_peer) return;
  Shuffle message{draw(env.rng(), options_.shuffle - 1)};
  sent_away_ = peers_of(message.sample);
  message.sample.push_back(describe(env.self(), env.now()));
  ++shuffles_;
  env.send(partner_, message);
}

// Step 5: the answer is a sample of this peer's view, which does not age by answering.
void Cyclon::on(Env& env, PeerId from, const Shuffle& message) {
  const ShuffleReply reply{draw(env.rng(), options_.shuffle)};
  env.send(from, reply);
  merge(env, message.sample, peers_of(reply.sample));
}

// An answer that comes after the next shuffle has begun cannot use the slots of the links sent for
// it.
void Cyclon::on(Env& env, PeerId from, const ShuffleReply& message) {
  const bool awaited = from == partner_;
  if (awaited) partner_ = core::no_peer;
  merge(env, message.sample, awaited ? std::move(sent_away_) : std::vector<PeerId>{});
}

// Some links by chance, each at most once.
std::vector<Descriptor> Cyclon::draw(core::Rng& rng, std::size_t links) const {
  std::vector<Descriptor> drawn;
  links = std::min(links, view_.size());
  drawn.reserve(links + 1);
  std::size_t left = view_.size();
  for (const Descriptor& descriptor : view_) {
    if (drawn.size() == links) break;
    if (rng.below(left--) < links - drawn.size()) drawn.push_back(descriptor);
  }
  return drawn;
}

// Steps 6 and 7: fills empty slots first, then the slots of links that were sent away.
void Cyclon::merge(const Env& env, const std::vector<Descriptor>& received,
                   std::vector<PeerId> sent_away) {
  const Credence credence{env.self(), options_.peers, options_.shuffle, env.now()};
  for (const Descriptor& descriptor : credible(received, credence)) {
    if (const auto known = find(view_, descriptor.peer); known != view_.end()) {
      const bool younger = descriptor.taken > known->taken;
      if (options_.duplicates == Duplicates::keep_younger && younger) *known = descriptor;
      continue;
    }
    if (view_.size() < options_.view) {
      view_.push_back(descriptor);
      continue;
    }
    auto slot = view_.end();
    while (slot == view_.end() && !sent_away.empty()) {
      slot = find(view_, sent_away.back());
      sent_away.pop_back();
    }
    if (slot == view_.end()) continue;
    *slot = descriptor;
  }
}

}  // namespace rhizome::overlay
