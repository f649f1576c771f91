#include "overlay/t_man.hpp"

#include <algorithm>

namespace rhizome::overlay {

namespace {

void keep_best(std::vector<Descriptor>& all, const Descriptor& base, const Ranking& ranking,
               std::size_t most) {
  std::sort(all.begin(), all.end(),
            [&](const Descriptor& a, const Descriptor& b) { return ranking.prefers(base, a, b); });
  if (all.size() > most) all.resize(most);
}

}  // namespace

void TMan::start(Env& env) {
  begins_ = env.now() + options_.begin_after;
  env.after(core::Duration(env.rng().between(0, options_.period.count())), ExchangeDue{});
}

// A descriptor of a silent peer is outdated unless it is younger than the exchange it did not
// answer.
bool TMan::is_outdated(const Env& env, const Descriptor& descriptor) const {
  if (env.now() - descriptor.taken > options_.forget_after) return true;
  const auto silent = silent_.find(descriptor.peer);
  return silent != silent_.end() && descriptor.taken <= silent->second;
}

std::vector<Descriptor> TMan::fresh(const Env& env, std::vector<Descriptor> all) const {
  std::erase_if(all, [&](const Descriptor& d) { return is_outdated(env, d); });
  return all;
}

std::vector<Descriptor> TMan::best_for(const Env& env, const Descriptor& partner,
                                       std::vector<Descriptor> known) const {
  known.insert(known.end(), view_.begin(), view_.end());
  std::erase_if(known, [&partner](const Descriptor& d) { return d.peer == partner.peer; });
  known = newest(fresh(env, std::move(known)));
  known.push_back(random_.describe(env.self(), env.now()));
  keep_best(known, partner, ranking_, options_.view);
  return known;
}

void TMan::merge(const Env& env, std::vector<Descriptor> all) {
  all.insert(all.end(), view_.begin(), view_.end());
  view_ = newest(fresh(env, std::move(all)));
  keep_best(view_, random_.describe(env.self(), env.now()), ranking_, options_.view);
}

// The partner's present descriptors are outdated from now on. Silence is remembered as long as
// older descriptors might come back.
void TMan::give_up_partner(const Env& env) {
  std::erase_if(silent_, [&](const auto& silent) {
    return env.now() - silent.second > options_.forget_after;
  });
  if (awaited_ != core::no_peer) silent_[awaited_] = asked_;
  awaited_ = core::no_peer;
}

void TMan::hear_from(PeerId peer) {
  silent_.erase(peer);
  if (peer == awaited_) awaited_ = core::no_peer;
}

// The peer's own utility may have changed since, so the peer ranks again before it chooses.
// Descriptors that came before it began are also forgotten in time.
void TMan::on(Env& env, const ExchangeDue&) {
  env.after(options_.period, ExchangeDue{});
  for (Descriptor& descriptor : view_) descriptor.grow_older();
  give_up_partner(env);
  const bool begun = env.now() >= begins_;
  merge(env, begun ? random_.view() : std::vector<Descriptor>{});
  if (!begun || view_.empty()) return;
  const std::size_t choices = std::min<std::size_t>(options_.best, view_.size());
  const Descriptor partner = view_[env.rng().below(choices)];
  awaited_ = partner.peer;
  asked_ = env.now();
  env.send(partner.peer, Exchange{random_.describe(env.self(), env.now()),
                                  best_for(env, partner, random_.view())});
}

void TMan::on(Env& env, PeerId from, const Exchange& message) {
  if (message.sender.peer != from || !is_credible(message.sender, credence(env))) return;
  hear_from(from);
  env.send(from, ExchangeReply{best_for(env, message.sender, {})});
  merge(env, credible(message.best, credence(env)));
}

void TMan::on(Env& env, PeerId from, const ExchangeReply& message) {
  hear_from(from);
  merge(env, credible(message.best, credence(env)));
}

}  // namespace rhizome::overlay
