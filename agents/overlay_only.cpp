#include "agents/overlay_only.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "agents/overlay_facts.hpp"
#include "agents/server.hpp"
#include "overlay/cyclon.hpp"
#include "overlay/t_man.hpp"

namespace rhizome::agents {

namespace {

using core::PeerId;
using overlay::Descriptor;

enum class Topology : std::uint8_t { random, ring, gradient, last = gradient };

struct Options {
  Topology topology = Topology::random;
  std::uint32_t cycles = 100;
  std::uint32_t warm_up = 20;
  std::uint32_t view_size = 10;
  std::uint32_t shuffle_length = 5;
  std::uint32_t similar_size = 10;
  std::uint32_t similar_best = 5;
  std::uint32_t shuffles_per_exchange = 1;
  core::Duration period = std::chrono::milliseconds(250);
};

core::Settings<Options> settings() {
  using O = Options;
  return core::Settings<O>{}
      .add("topology", &O::topology, {"random", "ring", "gradient"},
           {"What T-Man builds beside Cyclon's random views: nothing, a ring by address, or a "
            "gradient in which the address is the utility.",
            "Jelasity, Montresor and Babaoglu 2009"})
      .add("cycles", &O::cycles,
           {"Periods until the overlay is measured and the run ends.", "our choice", 1, 1e6})
      .add("warm_up", &O::warm_up,
           {"Periods of Cyclon alone before T-Man begins, so that views are random and know whom "
            "they lead to; not counted in cycles.",
            "our choice", 0, 1e6})
      .add("view_size", &O::view_size,
           {"Random links of a peer (c).", "Voulgaris, Gavidia and van Steen 2005", 1, 1000})
      .add("shuffle_length", &O::shuffle_length,
           {"Links swapped in a shuffle.", "Voulgaris, Gavidia and van Steen 2005", 1, 1000})
      .add("similar_size", &O::similar_size,
           {"Similar links of a peer (m).", "Jelasity, Montresor and Babaoglu 2009", 1, 1000})
      .add("similar_best", &O::similar_best,
           {"Best similar links among which a partner is drawn.",
            "Jelasity, Montresor and Babaoglu 2009", 1, 1000})
      .add("shuffles_per_exchange", &O::shuffles_per_exchange,
           {"Shuffles in the time between two exchanges; more gives T-Man fresher random links: "
            "one renews about half of a view.",
            "our choice", 1, 1000})
      .add("period", &O::period,
           {"Time between exchanges, and between shuffles if there is one for each.",
            "Sparrow course report: 250 ms", 0.001, 1e6});
}

overlay::Ranking ranking_of(const Options& options, const World& world) {
  return options.topology == Topology::ring ? overlay::Ranking::ring(world.peers())
                                            : overlay::Ranking::gradient();
}

core::Duration forget_after(const Options& options, const World& world) {
  return overlay::forget_after(options.period, world.longest_way());
}

Descriptor described(std::uint32_t peer) {
  Descriptor descriptor{.peer = PeerId{peer}};
  descriptor.advert.utility = peer;
  return descriptor;
}

// The neighbours that T-Man should find for a peer.
std::vector<PeerId> best_neighbours(PeerId self, const Options& options, const World& world) {
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
  return {core::nobody, view.size() > promise.most ? "too many links" : ""};
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

  Onlooker(PeerId self, const Options& options, const World& world, const overlay::Cyclon& random,
           const overlay::TMan* similar)
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

  const Options options_;
  const World& world_;
  const overlay::Cyclon& random_;
  const overlay::TMan* similar_;
  Server server_;
  std::vector<PeerId> best_;
  bool looked_ = false;
  bool drained_ = false;
};

void equip(core::Peer& peer, const Options& options, const World& world) {
  auto& random = peer.add<overlay::Cyclon>(
      overlay::CyclonOptions{.view = options.view_size,
                             .shuffle = options.shuffle_length,
                             .period = options.period / options.shuffles_per_exchange,
                             .peers = world.peers()},
      world.graph.of(peer.id()));
  random.advertise(described(peer.id().value).advert);
  const overlay::TMan* similar = nullptr;
  if (options.topology != Topology::random)
    similar = &peer.add<overlay::TMan>(
        overlay::TManOptions{.view = options.similar_size,
                             .best = options.similar_best,
                             .period = options.period,
                             .begin_after = options.warm_up * options.period,
                             .forget_after = forget_after(options, world),
                             .peers = world.peers()},
        ranking_of(options, world), random);
  peer.add<Onlooker>(peer.id(), options, world, random, similar);
}

std::string refusal(const Options& options, const World&) {
  const Options defaults;
  if (options.shuffle_length > options.view_size)
    return "shuffle_length cannot be more than view_size";
  if (options.similar_best > options.similar_size)
    return "similar_best cannot be more than similar_size";
  if (options.topology == Topology::random &&
      (options.similar_size != defaults.similar_size ||
       options.similar_best != defaults.similar_best || options.warm_up != defaults.warm_up ||
       options.shuffles_per_exchange != defaults.shuffles_per_exchange))
    return "similar_size, similar_best, warm_up and shuffles_per_exchange have an effect only with "
           "topology = \"ring\" or \"gradient\"";
  return {};
}

}  // namespace

Scheduler overlay_only() {
  return make_scheduler<Options>(
      {.name = overlay_only_name,
       .summary = "runs Cyclon, and T-Man if asked, to be measured; the source does all work",
       .in_time = {0, "since one peer does all the work"},
       .settings = settings(),
       .equip = equip,
       .refusal = refusal});
}

}  // namespace rhizome::agents
