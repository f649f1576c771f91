#include "scenarios/world/faults/lifetimes.hpp"

#include "scenarios/world/faults/distribution.hpp"

namespace rhizome::scenarios {

namespace {

using core::Rng;
using core::Time;

Spread lives_of(const LifetimesSection& section) {
  Spread spread{.mean = section.mean, .shape = section.shape};
  if (section.distribution == LifetimeKind::pareto) spread.kind = Spread::Kind::pareto;
  if (section.distribution == LifetimeKind::weibull) spread.kind = Spread::Kind::weibull;
  return spread;
}

Spread outages_of(const LifetimesSection& section) {
  Spread spread{.mean = section.downtime_mean, .shape = section.downtime_shape};
  if (section.downtime == DowntimeKind::constant) spread.kind = Spread::Kind::constant;
  if (section.downtime == DowntimeKind::pareto) spread.kind = Spread::Kind::pareto;
  if (section.downtime == DowntimeKind::weibull) spread.kind = Spread::Kind::weibull;
  return spread;
}

core::Fault::Kind ending_of(const LifetimesSection& section) {
  return section.ends_by == LifetimeEnd::leave ? core::Fault::Kind::leave
                                               : core::Fault::Kind::crash;
}

std::vector<Model> make_models() {
  const std::vector<std::string> drawn{"mean", "share", "until", "ends_by", "downtime"};
  std::vector<std::string> shaped = drawn;
  shaped.push_back("shape");
  return {{"none", "nobody comes or goes", {}},
          {"exponential", "memoryless", drawn},
          {"pareto", "heavy-tailed: most of the time is of few", shaped},
          {"weibull", "many short sessions and a few long ones, as measured", shaped},
          {"file", "a line for every life", {"file", "until", "ends_by"}}};
}

}  // namespace

std::span<const Model> lifetime_models() {
  static const std::vector<Model> models = make_models();
  return models;
}

// Durations are compared with what is left, since sums with the longest of them would overflow.
void add_lifetimes(Outages& outages, const LifetimesSection& section,
                   std::span<const core::PeerId> peers, Time end, std::uint64_t seed) {
  const Spread lives = lives_of(section);
  const Spread gaps = outages_of(section);
  for (const core::PeerId peer : peers) {
    Rng life_rng = Rng::derive({seed, peer.value}, "lifetimes");
    Rng gap_rng = Rng::derive({seed, peer.value}, "downtimes");
    for (Time at{}; at < end;) {
      const Duration life = lives.draw(life_rng);
      if (life >= end - at) break;
      const Time gone = at + life;
      const bool returns = section.downtime != DowntimeKind::never;
      const Duration gap = returns ? gaps.draw(gap_rng) : for_good - gone;
      if (gap >= for_good - gone) {
        outages.add(peer, {gone, for_good, ending_of(section)});
        break;
      }
      outages.add(peer, {gone, gone + gap, ending_of(section)});
      at = gone + gap;
    }
  }
}

}  // namespace rhizome::scenarios
