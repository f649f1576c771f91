#include "scenarios/world/faults/lifetimes.hpp"

#include <string>
#include <utility>

namespace rhizome::scenarios {

namespace {

using core::Rng;
using core::Time;

// A model for each distribution, with a key for its shape where it has one.
void add_drawn(std::vector<LifetimeModel>& models, const std::vector<std::string>& keys,
               const std::string& shape) {
  for (const Distribution& law : distributions()) {
    LifetimeModel model{{std::string(law.word), std::string(law.meaning), keys}, &law};
    if (law.usual_shape > 0) model.keys.push_back(shape);
    models.push_back(std::move(model));
  }
}

std::vector<LifetimeModel> make_lifetimes() {
  std::vector<LifetimeModel> models{{{"none", "no peer comes or goes"}}};
  add_drawn(models, {"mean", "share", "until", "ends_by", "downtime"}, "shape");
  models.push_back({{"file", "a line for every life", {"file", "until", "ends_by"}}});
  return models;
}

std::vector<LifetimeModel> make_downtimes() {
  std::vector<LifetimeModel> models{{{"never", "who is gone stays away"}},
                                    {{"constant", "all the same", {"downtime_mean"}}}};
  add_drawn(models, {"downtime_mean"}, "downtime_shape");
  return models;
}

Spread lives_of(const LifetimesSection& section) {
  return {lifetime_model(section.distribution).law, section.mean, section.shape};
}

Spread outages_of(const LifetimesSection& section) {
  return {downtime_model(section.downtime).law, section.downtime_mean, section.downtime_shape};
}

core::Fault::Kind ending_of(const LifetimesSection& section) {
  return section.ends_by == LifetimeEnd::leave ? core::Fault::Kind::leave
                                               : core::Fault::Kind::crash;
}

}  // namespace

std::span<const LifetimeModel> lifetime_models() {
  static const std::vector<LifetimeModel> models = make_lifetimes();
  return models;
}

std::span<const LifetimeModel> downtime_models() {
  static const std::vector<LifetimeModel> models = make_downtimes();
  return models;
}

const LifetimeModel& lifetime_model(LifetimeKind kind) {
  return lifetime_models()[static_cast<std::size_t>(kind)];
}

const LifetimeModel& downtime_model(DowntimeKind kind) {
  return downtime_models()[static_cast<std::size_t>(kind)];
}

// Durations are compared with the remaining time, since sums with the longest durations would
// overflow.
bool add_lifetimes(Outages& outages, const LifetimesSection& section,
                   std::span<const core::PeerId> peers, Time end, std::uint64_t seed) {
  std::uint64_t ended = 0;
  const Spread lives = lives_of(section);
  const Spread gaps = outages_of(section);
  const bool returns = downtime_model(section.downtime).has("downtime_mean");
  for (const core::PeerId peer : peers) {
    Rng life_rng = Rng::derive({seed, peer.value}, "lifetimes");
    Rng gap_rng = Rng::derive({seed, peer.value}, "downtimes");
    for (Time at{}; at < end;) {
      const Duration life = lives.draw(life_rng);
      if (life >= end - at) break;
      if (++ended > most_lives) return false;
      const Time gone = at + life;
      const Duration gap = returns ? gaps.draw(gap_rng) : for_good - gone;
      if (gap >= for_good - gone) {
        outages.add(peer, {gone, for_good, ending_of(section)});
        break;
      }
      outages.add(peer, {gone, gone + gap, ending_of(section)});
      at = gone + gap;
    }
  }
  return true;
}

}  // namespace rhizome::scenarios
