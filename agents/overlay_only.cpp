// Overlays without a scheduler on them, so that they can be measured by themselves.
#include <algorithm>
#include <set>
#include <utility>

#include "agents/overlay_facts.hpp"
#include "agents/overlays.hpp"
#include "agents/schedulers.hpp"
#include "agents/server.hpp"
#include "overlay/cyclon.hpp"
#include "overlay/t_man.hpp"

namespace rhizome::agents {

namespace {

using overlay::Descriptor;

// The neighbours that T-Man should find for a peer.
std::vector<PeerId> best_neighbours(PeerId self, const OverlayOptions& options,
                                    const World& world) {
  std::vector<Descriptor> all;
  for (std::uint32_t i = 0; i < world.peers(); ++i)
    if (PeerId{i} != self) all.push_back(described(i));
  const auto wanted =
      static_cast<std::ptrdiff_t>(std::min<std::size_t>(options.similar_size, all.size()));
  const overlay::Ranking ranking = ranking_of(options, world);
  std::partial_sort(all.begin(), all.begin() + wanted, all.end(),
                    [&, me = described(self.value)](const Descriptor& a, const Descriptor& b) {
                      return ranking.prefers(me, a, b);
                    });
  std::vector<PeerId> best;
  for (auto item = all.begin(); item != all.begin() + wanted; ++item) best.push_back(item->peer);
  return best;
}

// What a view promises: so many links to others that exist, each once, none older than so long.
struct ViewPromise {
  PeerId self;
  std::uint32_t peers;
  std::size_t most;
  core::Time oldest;
};

// The first link that breaks it, and how; an empty reason if none does.
std::pair<PeerId, std::string_view> breach(const std::vector<Descriptor>& view,
                                           const ViewPromise& promise) {
  std::set<PeerId> seen;
  for (const Descriptor& link : view) {
    if (link.peer == promise.self) return {link.peer, "oneself"};
    if (link.peer.value >= promise.peers) return {link.peer, "no such peer"};
    if (!seen.insert(link.peer).second) return {link.peer, "twice"};
    if (link.taken < promise.oldest) return {link.peer, "forgotten too late"};
  }
  return {core::no_peer, view.size() > promise.most ? "too many links" : ""};
}

struct CycleDue {
  std::uint32_t cycle;
};
// Looks at the overlays of its peer; at the source it does all work itself, for a run must have
// some.
class Onlooker {
 public:
  using Messages = core::Nothing;
  using Timers = core::OneOf<CycleDue, DivideDue>;
  using Facts =
      core::OneOf<TaskStarted, TaskExecuted, TaskComputed, LinkHeld, NeighboursRight, ViewBroken>;
  using Hears = core::OneOf<Submitted, Drained>;
  using Env = core::Env<Messages, Timers, Facts>;
  static constexpr std::string_view name = "overlay-only";

  Onlooker(PeerId self, const OverlayOptions& options, const World& world,
           const overlay::Cyclon& random, const overlay::TMan* similar)
      : options_(options),
        world_(world),
        random_(random),
        similar_(similar),
        server_(world.capacities[self.value]) {
    if (similar != nullptr) best_ = best_neighbours(self, options, world);
  }

  void start(Env& env) {
    const auto past = static_cast<std::uint32_t>(
        std::max(core::Duration::zero(), env.now() - begun()) / options_.period);
    await(env, similar_ == nullptr ? options_.cycles : std::min(past + 1, options_.cycles));
  }
  void on(Env& env, const Submitted& job) {
    for (const Task& task : job.tasks) server_.accept(env, task);
  }
  void on(Env& env, const Drained&) {
    drained_ = true;
    rest(env);
  }
  void on(Env& env, const CycleDue& due) {
    check_views(env);
    if (similar_ != nullptr) env.note(NeighboursRight{due.cycle, share_right()});
    if (due.cycle < options_.cycles) {
      await(env, due.cycle + 1);
      return;
    }
    for (const Descriptor& link : random_.view()) env.note(LinkHeld{link.peer});
    looked_ = true;
    rest(env);
  }
  void on(Env& env, const DivideDue& due) { server_.on(env, due); }
  void on(Env& env, const core::WorkDone& done) {
    if (const auto task = server_.finish(env, done)) env.raise(Finished{task->id, env.self()});
  }

 private:
  void check_views(Env& env) const {
    const auto check = [&](const std::vector<Descriptor>& view, std::size_t most,
                           core::Time oldest) {
      const auto [link, reason] = breach(view, {env.self(), world_.peers(), most, oldest});
      if (!reason.empty()) env.note(ViewBroken{link, std::string(reason)});
    };
    check(random_.view(), options_.view_size, core::Time{});
    if (similar_ == nullptr) return;
    // A view is cleared of the old once in a period, and not in the same moment as this.
    const core::Duration kept = forget_after(options_, world_) + 2 * options_.period;
    check(similar_->view(), options_.similar_size, env.now() - kept);
  }
  // When the first cycle begins.
  [[nodiscard]] core::Time begun() const {
    return core::Time{} + (similar_ == nullptr ? 0 : options_.warm_up) * options_.period;
  }
  // The end of a cycle; at once where that has been.
  void await(Env& env, std::uint32_t cycle) {
    const core::Time at = begun() + cycle * options_.period;
    env.after(std::max(core::Duration::zero(), at - env.now()), CycleDue{cycle});
  }
  [[nodiscard]] double share_right() const {
    const auto& view = similar_->view();
    const auto right = std::count_if(best_.begin(), best_.end(), [&](PeerId peer) {
      return std::any_of(view.begin(), view.end(),
                         [peer](const Descriptor& link) { return link.peer == peer; });
    });
    return best_.empty() ? 1 : static_cast<double>(right) / static_cast<double>(best_.size());
  }
  void rest(Env& env) {
    if (looked_ && (drained_ || env.self() != world_.source)) env.rest();
  }

  const OverlayOptions options_;
  const World& world_;
  const overlay::Cyclon& random_;
  const overlay::TMan* similar_;
  Server server_;
  std::vector<PeerId> best_;
  bool looked_ = false;
  bool drained_ = false;
};

void equip(core::Peer& peer, const OverlayOptions& options, const World& world) {
  const auto [random, similar] = add_overlays(peer, options, world);
  peer.add<Onlooker>(peer.id(), options, world, random, similar);
}

}  // namespace

Scheduler overlay_only() {
  return make_scheduler<OverlayOptions>(
      {.name = overlay_only_name,
       .summary = "runs Cyclon, and T-Man if asked, to be measured; the source does all work",
       .in_time = {0, "since one peer does all the work"},
       .settings = overlay_settings(),
       .equip = equip,
       .refusal = overlay_refusal});
}

}  // namespace rhizome::agents
