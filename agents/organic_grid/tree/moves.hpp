// How a node changes its parent: because it is promoted or evicted, or has lost its parent. One
// move at a time, committed on acceptance only.
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "agents/organic_grid/tree/downstream.hpp"
#include "agents/organic_grid/tree/lineage.hpp"
#include "agents/organic_grid/tree/upstream.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/message.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::grid {

// A re-parenting under way: the peer that the node has asked, and those that it will ask next.
class Reparenting {
 public:
  Reparenting(std::deque<core::PeerId> candidates, std::string_view reason)
      : reason_(reason), candidates_(std::move(candidates)) {}

  [[nodiscard]] std::string_view reason() const { return reason_; }
  [[nodiscard]] core::Cause cause() const {
    if (reason_ == "promotion") return core::Cause::promotion;
    return reason_ == "eviction" ? core::Cause::eviction : core::Cause::recovery;
  }
  // The next candidate for which `fits` holds; no candidate is asked twice.
  template <class Fits>
  [[nodiscard]] std::optional<core::PeerId> next(Fits fits) {
    constexpr std::size_t most = 32;  // tries in one move
    while (!candidates_.empty() && tried_.size() < most) {
      const core::PeerId candidate = candidates_.front();
      candidates_.pop_front();
      if (fits(candidate) && tried_.insert(candidate).second) return candidate;
    }
    return {};
  }
  void add(core::PeerId candidate) { candidates_.push_back(candidate); }

  // Records that `host` was asked, in a request of that epoch, and must answer by `until`.
  void ask(core::PeerId host, std::uint64_t epoch, core::Time until) {
    host_ = host;
    epoch_ = epoch;
    until_ = until;
  }
  [[nodiscard]] bool asked(core::PeerId host, std::uint64_t epoch) const {
    return host == host_ && epoch == epoch_;
  }
  void wait(core::Time until) { until_ = until; }
  [[nodiscard]] bool unanswered(core::Time now) const { return now > until_; }

 private:
  std::string_view reason_;
  std::deque<core::PeerId> candidates_;
  std::set<core::PeerId> tried_;
  core::PeerId host_ = core::no_peer;
  std::uint64_t epoch_ = 0;
  core::Time until_{};
};

class Moves {
 public:
  using Messages = core::OneOf<Move, Evict, Wait, Accept, Reject>;

  Moves(Lineage& lineage, Home& home, Upstream& up, Downstream& down)
      : lineage_(lineage), home_(home), up_(up), down_(down) {}

  [[nodiscard]] bool under_way() const { return moving_.has_value(); }
  // The first parent, which sent a clone here.
  void join(Env& env, PeerId parent, const Clone& clone);
  // The parent is lost: looks for another.
  void orphan(Env& env, std::string_view reason);
  // Takes a parent's list of ancestors, which may show that this node is its own ancestor.
  void learn_ancestors(Env& env, const std::vector<PeerId>& ancestors);
  // Called every heartbeat.
  void tick(Env& env);

  void on(Env& env, PeerId from, const Move& message);
  void on(Env& env, PeerId from, const Evict& message);
  void on(Env& env, PeerId from, const Wait& message);
  void on(Env& env, PeerId from, const Accept& message);
  void on(Env& env, PeerId from, const Reject& message);

 private:
  void begin(Env& env, std::deque<PeerId> candidates, std::string_view reason);
  void try_next(Env& env);
  void seek_parent(Env& env);

  Lineage& lineage_;
  Home& home_;
  Upstream& up_;
  Downstream& down_;
  std::optional<Reparenting> moving_;
};

}  // namespace rhizome::agents::grid
