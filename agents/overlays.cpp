#include "agents/overlays.hpp"

namespace rhizome::agents {

using core::PeerId;
using overlay::Descriptor;

core::Settings<OverlayOptions> overlay_settings() {
  using O = OverlayOptions;
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

overlay::Ranking ranking_of(const OverlayOptions& options, const World& world) {
  return options.topology == Topology::ring ? overlay::Ranking::ring(world.peers())
                                            : overlay::Ranking::gradient();
}

core::Duration forget_after(const OverlayOptions& options, const World& world) {
  return overlay::forget_after(options.period, world.longest_way());
}

Descriptor described(std::uint32_t peer) {
  Descriptor descriptor{.peer = PeerId{peer}};
  descriptor.advert.utility = peer;
  return descriptor;
}

Overlays add_overlays(core::Peer& peer, const OverlayOptions& options, const World& world) {
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
  return {random, similar};
}

std::string overlay_refusal(const OverlayOptions& options, const World&) {
  const OverlayOptions defaults;
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

}  // namespace rhizome::agents
