#include "agents/organic_grid/tree/child_ranking.hpp"

namespace rhizome::agents::grid {

void ChildRanking::on(Env& env, PeerId from, const Results& message) {
  Child* child = parts_.down.heard(env, from, Downstream::report_of(message));
  if (child == nullptr) return;
  const std::size_t old = child->results.take(message.first, message.list.size());
  const auto fresh = std::span(message.list).subspan(old);
  for (Result result : fresh) {
    const Books::Entry* loan = parts_.stock.lent(result.task);
    if (loan == nullptr || loan->borrower != Books::Borrower{from, message.epoch})
      result.strayed = true;
    parts_.stock.take_result(env, result);
  }
  if (fresh.empty()) return;
  parts_.down.children().count_results(fresh.size());
  results_since_offer_ += static_cast<std::uint32_t>(fresh.size());
  if (child == parts_.down.children().find(from)) judge(env, *child, fresh);  // else sent away
}

void ChildRanking::judge(Env& env, Child& child, std::span<const Result> fresh) {
  Children& children = parts_.down.children();
  children.count_burst(child, fresh, env.now());
  if (const auto slowest = children.surplus()) parts_.down.send_away(env, *slowest);
  if (results_since_offer_ >= home_.options.full_window()) offer_best(env);
}

void ChildRanking::offer_best(Env& env) {
  results_since_offer_ = 0;
  if (!home_.options.promotion || !parts_.up.attached() || parts_.moves.under_way()) return;
  const Child* best = parts_.down.children().best();
  if (best == nullptr) return;
  if (home_.options.only_faster && Children::metric(*best) >= pace_) return;
  env.send(parts_.up.parent(), Offer{lineage_.root(), best->id});
}

void ChildRanking::on(Env& env, PeerId from, const OfferAccepted& message) {
  Child* child = parts_.down.children().find(message.child);
  if (from != parts_.up.parent() || child == nullptr || child->epoch == 0) return;
  child->promoted = true;
  env.send(message.child, Move{lineage_.root(), parts_.up.parent()});
}

}  // namespace rhizome::agents::grid
