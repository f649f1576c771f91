#include "overlay/t_man.hpp"

#include <algorithm>

namespace rhizome::overlay {

namespace {

// The newest descriptor of every peer but one.
std::vector<Descriptor> united(std::vector<Descriptor> all, PeerId without) {
  std::sort(all.begin(), all.end(), [](const Descriptor& a, const Descriptor& b) {
    return std::pair(a.peer, b.taken) < std::pair(b.peer, a.taken);
  });
  const auto same = [](const Descriptor& a, const Descriptor& b) { return a.peer == b.peer; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  std::erase_if(all, [without](const Descriptor& d) { return d.peer == without; });
  return all;
}

void keep_best(std::vector<Descriptor>& all, const Descriptor& base, const Ranking& ranking,
               std::size_t most) {
  std::sort(all.begin(), all.end(),
            [&](const Descriptor& a, const Descriptor& b) { return ranking.prefers(base, a, b); });
  if (all.size() > most) all.resize(most);
}

}  // namespace

void TMan::start(Env& env) {
  env.after(options_.begin_after + core::Duration(env.rng().between(0, options_.period.count())),
            ExchangeDue{});
}

Descriptor TMan::self_descriptor(const Env& env) const {
  return {.peer = env.self(), .age = 0, .taken = env.now(), .advert = board_ ? *board_ : Advert{}};
}

std::vector<Descriptor> TMan::best_for(const Env& env, const Descriptor& partner) const {
  std::vector<Descriptor> all = view_;
  all.insert(all.end(), random_.view().begin(), random_.view().end());
  all.push_back(self_descriptor(env));
  all = united(std::move(all), partner.peer);
  keep_best(all, partner, ranking_, options_.view);
  return all;
}

void TMan::merge(const Env& env, const std::vector<Descriptor>& received) {
  std::vector<Descriptor> all = view_;
  all.insert(all.end(), received.begin(), received.end());
  view_ = united(std::move(all), env.self());
  keep_best(view_, self_descriptor(env), ranking_, options_.view);
}

// Its own utility may have changed since, so it ranks anew before it chooses.
void TMan::on(Env& env, const ExchangeDue&) {
  env.after(options_.period, ExchangeDue{});
  for (Descriptor& descriptor : view_) ++descriptor.age;
  std::erase_if(view_, [this](const Descriptor& d) { return d.peer == awaited_; });
  awaited_ = core::nobody;
  merge(env, random_.view());
  if (view_.empty()) return;
  const std::size_t choices = std::min<std::size_t>(options_.best, view_.size());
  const Descriptor partner = view_[env.rng().below(choices)];
  awaited_ = partner.peer;
  env.send(partner.peer, Exchange{self_descriptor(env), best_for(env, partner)});
}

void TMan::on(Env& env, PeerId from, const Exchange& message) {
  env.send(from, ExchangeReply{best_for(env, message.sender)});
  merge(env, message.best);
}

void TMan::on(Env& env, PeerId from, const ExchangeReply& message) {
  if (from == awaited_) awaited_ = core::nobody;
  merge(env, message.best);
}

}  // namespace rhizome::overlay
