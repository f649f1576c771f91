// T-Man (Jelasity, Montresor and Babaoglu, Computer Networks 53, 2009): from random links to any
// topology that a ranking describes. Both sides of an exchange draw on their random links, as
// there. With the gradient ranking it is the Gradient topology (Sacha, Dowling, Cunningham and
// Meier 2006), whose peers know those of like and higher utility.
#pragma once

#include <vector>

#include "core/peer/env.hpp"
#include "overlay/cyclon.hpp"
#include "overlay/descriptor.hpp"
#include "overlay/ranking.hpp"

namespace rhizome::overlay {

struct TManOptions {
  std::uint32_t view = 10;  // links, and descriptors in a message (m)
  std::uint32_t best = 5;   // links among which the partner is drawn (psi)
  core::Duration period = std::chrono::milliseconds(250);
  core::Duration begin_after{0};  // until random links say something of whom they lead to
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

// A partner that has not answered by the next period is removed.
class TMan {
 public:
  using Messages = core::OneOf<Exchange, ExchangeReply>;
  using Timers = core::OneOf<ExchangeDue>;
  using Env = core::Env<TMan>;
  static constexpr std::string_view name = "t-man";
  static constexpr bool perpetual = true;

  // `random` gives the random links beside the similar ones, and outlives this.
  TMan(const TManOptions& options, Ranking ranking, const Cyclon& random, Board board = nullptr)
      : options_(options), ranking_(ranking), random_(random), board_(std::move(board)) {}

  void start(Env& env);
  void on(Env& env, const ExchangeDue& due);
  void on(Env& env, PeerId from, const Exchange& message);
  void on(Env& env, PeerId from, const ExchangeReply& message);

  // The best known neighbour first, as ranked when the view last changed.
  [[nodiscard]] const std::vector<Descriptor>& view() const { return view_; }

 private:
  [[nodiscard]] Descriptor self_descriptor(const Env& env) const;
  [[nodiscard]] std::vector<Descriptor> best_for(const Env& env, const Descriptor& partner) const;
  void merge(const Env& env, const std::vector<Descriptor>& received);

  TManOptions options_;
  Ranking ranking_;
  const Cyclon& random_;
  Board board_;
  std::vector<Descriptor> view_;
  PeerId awaited_ = core::nobody;
};

}  // namespace rhizome::overlay
