// How a peer is equipped for the Sparrow family, and which options cannot work.
#include <algorithm>
#include <memory>
#include <string>

#include "agents/schedulers.hpp"
#include "agents/sparrow/sparrow.hpp"

namespace rhizome::agents {

namespace {

using namespace sparrow;

overlay::CyclonOptions cyclon_options(const Options& options, std::uint32_t peers) {
  return {.view = options.view_size,
          .shuffle = options.shuffle_length,
          .period = options.shuffle_period,
          .duplicates = overlay::Duplicates::keep_younger,
          .asks_seeds = true,
          .peers = peers};
}

bool climbs(const Options& options) {
  return options.view == ViewSource::gradient || options.view == ViewSource::both;
}

void equip(core::Peer& peer, const std::shared_ptr<const RunConstants>& shared,
           const World& world) {
  const Options& options = shared->options;
  auto& detector = peer.add<overlay::FailureDetector>(
      overlay::DetectorOptions{.round = options.detector_round,
                               .rounds_until_dead = options.rounds_until_dead,
                               .helpers = options.helpers,
                               .peers = world.peers()});
  overlay::Cyclon* random = nullptr;
  if (options.view != ViewSource::graph)
    random = &peer.add<overlay::Cyclon>(cyclon_options(options, world.peers()),
                                        world.graph.of(peer.id()));
  const overlay::TMan* gradient = nullptr;
  if (climbs(options))
    gradient = &peer.add<overlay::TMan>(
        overlay::TManOptions{
            .view = options.view_size,
            .period = options.shuffle_period,
            .forget_after = overlay::forget_after(options.shuffle_period, world.longest_way()),
            .peers = world.peers()},
        overlay::Ranking::gradient(options.uphill), *random);
  host_sparrow(peer, shared, world, {random, gradient, detector});
  peer.add<Client>(world.first_life(peer.id()));
}

// Jobs arrive at their master without delay (course report: the data centre is next to every peer).
Deployment prepare(const Options& options, const World& world, const std::function<bool()>&) {
  const auto shared = std::make_shared<const RunConstants>(options, world);
  return {.equip = [&world, shared](core::Peer& peer) { equip(peer, shared, world); },
          .entries = {.of =
                          [shared, source = world.source](TaskId task) {
                            return Entry{shared->ring.owner(task.job), source};
                          },
                      .keepers = {world.source}}};
}

// How many peers are probed for the largest job; no more than exist.
std::size_t largest_sample(const Options& options, const World& world) {
  const auto most = std::max<std::size_t>(options.min_probes,
                                          std::size_t{options.probes} * world.profile.largest_job);
  return std::min<std::size_t>(most, world.peers() - 1);
}

// The size of the smallest view of any peer: so many peers can be probed.
std::size_t smallest_view(const Options& options, const World& world) {
  if (options.view != ViewSource::graph) return options.view_size;
  std::size_t least = world.peers();
  for (std::uint32_t i = 0; i < world.peers(); ++i)
    least = std::min(least, world.graph.of(PeerId{i}).size());
  return least;
}

std::string refused_search(const Options& options, const World& world) {
  const Options defaults;
  const bool late = options.sampling == Sampling::late;
  const bool for_jobs =
      options.sampling == Sampling::batch || (late && options.probing == Probing::per_job);
  if (options.view != ViewSource::graph && options.probes > options.view_size)
    return "probes cannot be more than view_size: a view has no more peers to probe";
  if (options.sampling == Sampling::random && options.probes != defaults.probes)
    return "probes has no effect with sampling = \"random\"";
  if (options.answers != defaults.answers && (late || options.sampling == Sampling::random))
    return "answers has an effect only with sampling = \"per-task\" or \"batch\"";
  if (options.estimate_error > 0 && options.answers != Answers::estimated_wait)
    return "estimate_error has an effect only with answers = \"estimated-wait\"";
  if (!late && (options.self_assign || options.max_hops > 0))
    return "self_assign and max_hops have an effect only with sampling = \"late\"";
  if (!late &&
      (options.binding != defaults.binding || options.start != defaults.start ||
       options.probing != defaults.probing || options.cancellation != defaults.cancellation))
    return "binding, start, probing and cancellation have an effect only with sampling = \"late\"";
  if (!late && options.look_after_assign != defaults.look_after_assign)
    return "look_after_assign has an effect only with sampling = \"late\"";
  if (options.stays != defaults.stays && options.max_hops == 0)
    return "stays has an effect only with max_hops above 0";
  if (options.max_hops > options.hop_limit) return "max_hops cannot be more than hop_limit";
  if (!for_jobs && options.min_probes > 0)
    return "min_probes has an effect only with sampling = \"batch\" or probing = \"per-job\"";
  if (for_jobs && largest_sample(options, world) > smallest_view(options, world))
    return "a job of this workload needs more probes than a view has peers: raise view_size, or "
           "follow a complete graph";
  return {};
}

std::string refused_view(const Options& options, const World& world) {
  const Options defaults;
  const bool said =
      options.shuffle_period != in_pace(defaults.shuffle_period, world, TimeoutPurpose::freshness);
  const bool shuffles = options.shuffle_period.count() > 0;
  if (options.view == ViewSource::graph) {
    if (options.view_size != defaults.view_size || options.temperature != defaults.temperature ||
        options.shuffle_length != defaults.shuffle_length || said)
      return "view_size, temperature, shuffle_length and shuffle_period have no effect with view = "
             "\"graph\"";
    return {};
  }
  if (shuffles && options.shuffle_period < std::chrono::milliseconds(1))
    return "shuffle_period must be 0 or at least 1ms";
  if (shuffles && options.shuffle_length > options.view_size)
    return "shuffle_length cannot be more than view_size";
  if (!climbs(options) && options.uphill != defaults.uphill)
    return "uphill has an effect only with view = \"gradient\" or \"both\"";
  if (!shuffles && climbs(options))
    return "the gradient is made by shuffles: shuffle_period cannot be 0";
  return {};
}

std::string refused_leaders(const Options& options, const World& world) {
  const Options defaults;
  if (options.leaders == Leaders::graphs)
    return world.profile.graphs.edges > 0
               ? ""
               : "leaders has no effect: no tasks of this workload need each other";
  if (options.group_size != defaults.group_size ||
      options.group_hold != in_pace(defaults.group_hold, world))
    return "group_size and group_hold have an effect only with leaders = \"graphs\"";
  return {};
}

std::string refused_world(const Options& options, const World& world) {
  if (options.detector_round < 4 * world.longest_delay)
    return "detector_round must be at least four times the longest delay of the network";
  return {};
}

std::string refusal(const Options& options, const World& world) {
  for (const std::string& why : {refused_search(options, world), refused_view(options, world),
                                 refused_leaders(options, world), refused_world(options, world)})
    if (!why.empty()) return why;
  return {};
}

std::string remark(const Options& options, const World& world) {
  const std::size_t view = smallest_view(options, world);
  const std::size_t widest = world.profile.largest_job;
  if (options.max_hops > 0 || view >= std::min<std::size_t>(widest, world.peers() - 1)) return {};
  return "the master of a job asks only " + std::to_string(view) +
         " peers to run its tasks, which may be " + std::to_string(widest) +
         ": raise max_hops, so that probes are passed on, or view_size";
}

}  // namespace

Scheduler sparrow_family() {
  return make_scheduler<sparrow::Options>(
      {.name = "sparrow",
       .summary = "masters probe a few peers for each task, which binds to the first that is ready",
       .at_least_once = true,
       .hears_goodbyes = true,
       .serves = true,
       .finds_room = true,
       .in_time =
           {5, "since a task waits at the first of a few drawn peers that is ready, however slow"},
       .settings = sparrow::settings(),
       .times = {{"shuffle_period", TimeoutPurpose::freshness}},
       .prepare = prepare,
       .refusal = refusal,
       .remark = remark});
}

}  // namespace rhizome::agents
