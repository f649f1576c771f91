// T-Man (Jelasity, Montresor and Babaoglu, Computer Networks 53, 2009): from random links to any
// topology that a ranking describes. The peer that begins an exchange also draws on its random
// links. With the gradient ranking it is the Gradient topology (Sacha, Dowling, Cunningham and
// Meier 2006), whose peers know peers of like and higher utility.
#pragma once

#include <map>
#include <vector>

#include "core/peer/env.hpp"
#include "core/peer/views.hpp"
#include "overlay/cyclon.hpp"
#include "overlay/descriptor.hpp"
#include "overlay/ranking.hpp"

namespace rhizome::overlay {

// Our choice: news of a living neighbour is seldom half as old, and comes over a few peers.
[[nodiscard]] constexpr core::Duration forget_after(core::Duration period,
                                                    core::Duration longest_delay = {}) {
  return 20 * period + 4 * longest_delay;
}

struct TManOptions {
  std::uint32_t view = 10;  // links, and descriptors in a message (m)
  std::uint32_t best = 5;   // links among which the partner is drawn (psi)
  core::Duration period = std::chrono::milliseconds(250);
  core::Duration begin_after{0};  // until random links carry news of their peers
  // A peer without news for so long is forgotten. More keeps dead peers longer, less forgets living
  // peers whose news travels far.
  core::Duration forget_after = overlay::forget_after(std::chrono::milliseconds(250));
  std::uint32_t peers = any_address;  // in the world; links to higher addresses are not believed
};

struct Exchange {
  static constexpr core::MessageInfo info{"exchange", core::MessageClass::information,
                                          core::Cause::maintenance};
  Descriptor sender;
  std::vector<Descriptor> best;
};
struct ExchangeReply {
  static constexpr core::MessageInfo info{"exchange-reply", core::MessageClass::information,
                                          core::Cause::maintenance};
  std::vector<Descriptor> best;
};
struct ExchangeDue {};

// Dead peers leave every view for good. A partner that has not answered by the next period is
// removed, and its adverts from before it was asked are not believed any more, whichever peer sends
// them: only a later sign of life brings it back. And as a partner is drawn from the best only,
// while a view with room keeps every peer that it has heard of, the last advert of a dead peer
// grows old and is forgotten everywhere.
class TMan {
 public:
  using Messages = core::OneOf<Exchange, ExchangeReply>;
  using Env = core::Env<Messages, core::OneOf<ExchangeDue>>;
  static constexpr std::string_view name = "t-man";
  static constexpr bool perpetual = true;
  static constexpr core::ViewKind view_kind = core::ViewKind::similar;

  // `random` gives the random links beside the similar ones and the advert of this peer, and
  // outlives this object.
  TMan(const TManOptions& options, Ranking ranking, const Cyclon& random)
      : options_(options), ranking_(ranking), random_(random) {}

  void start(Env& env);
  void on(Env& env, const ExchangeDue& due);
  void on(Env& env, PeerId from, const Exchange& message);
  void on(Env& env, PeerId from, const ExchangeReply& message);

  // The best known neighbour first, as ranked when the view last changed.
  [[nodiscard]] const std::vector<Descriptor>& view() const { return view_; }

 private:
  [[nodiscard]] bool is_outdated(const Env& env, const Descriptor& descriptor) const;
  [[nodiscard]] std::vector<Descriptor> fresh(const Env& env, std::vector<Descriptor> all) const;
  [[nodiscard]] std::vector<Descriptor> best_for(const Env& env, const Descriptor& partner,
                                                 std::vector<Descriptor> known) const;
  void give_up_partner(const Env& env);
  void hear_from(PeerId peer);
  void merge(const Env& env, std::vector<Descriptor> all);
  [[nodiscard]] Credence credence(const Env& env) const {
    return {env.self(), options_.peers, options_.view, env.now()};
  }

  TManOptions options_;
  Ranking ranking_;
  const Cyclon& random_;
  std::vector<Descriptor> view_;
  core::Time begins_{};
  PeerId awaited_ = core::no_peer;
  core::Time asked_{};                   // when awaited_ was asked
  std::map<PeerId, core::Time> silent_;  // peers that did not answer, and when each was asked
};

}  // namespace rhizome::overlay
