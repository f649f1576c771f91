// Churn: each peer that takes part alternates between lives and outages, whose durations are drawn
// from distributions or read from a file.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/peer/rng.hpp"
#include "core/peer/time.hpp"
#include "scenarios/world/faults/outages.hpp"
#include "scenarios/world/model.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// How long peers stay and how long they are away: durations drawn by inverse transform from streams
// of our own, so that the same draws with another mean give the same history, stretched.
// A distribution of the catalogue, for lives and for outages: a line in distribution.cpp.
struct Distribution {
  std::string_view word;     // in a scenario
  std::string_view meaning;  // of lives that are so distributed
  double usual_shape = 0;    // which stands for a shape of 0, as in the sources; 0: it has no shape
  // Seconds, bent from the quantile of a standard exponential.
  double (*bend)(double standard, double mean, double shape) = nullptr;
  std::string_view (*refusal)(double shape) = nullptr;  // "must be above 1", or empty
};
[[nodiscard]] std::span<const Distribution> distributions();
// One that there is.
[[nodiscard]] const Distribution& distribution(std::string_view word);

struct Spread {
  const Distribution* law = nullptr;  // none: always the mean; draws nothing
  core::Duration mean{0};
  double shape = 0;  // pareto: above 1, more is lighter a tail; weibull: below 1 is heavy; 0: usual

  // Positive, at least a microsecond, so that no history is without end.
  [[nodiscard]] core::Duration draw(core::Rng& rng) const;
};

// A model of lives or of the outages between them: a distribution, or something else that the
// model's word names.
struct LifetimeModel : Model {
  const Distribution* law = nullptr;
};

// Indexed by LifetimeKind and DowntimeKind. Every distribution is in both.
[[nodiscard]] std::span<const LifetimeModel> lifetime_models();
[[nodiscard]] std::span<const LifetimeModel> downtime_models();
[[nodiscard]] const LifetimeModel& lifetime_model(LifetimeKind kind);
[[nodiscard]] const LifetimeModel& downtime_model(DowntimeKind kind);

// The most lives of all peers of a run.
inline constexpr std::uint64_t most_lives = 5'000'000;

// Adds the outages of those peers. Each peer has two random streams, derived from the seed and its
// id: one for lives and one for outages. So the history of a peer does not depend on the number of
// other peers, and the lengths of lives do not depend on those of outages. Only lives that end
// before `end` are added. False if more than `most_lives` of all peers do: then the rest is left
// out.
[[nodiscard]] bool add_lifetimes(Outages& outages, const LifetimesSection& section,
                                 std::span<const core::PeerId> peers, core::Time end,
                                 std::uint64_t seed);

// Lifetimes that were measured or made elsewhere: a CSV file, plain or gzipped, with the header
// "peer,up_at,down_at" and times in seconds. A down_at that is left out stands for the end of the
// run. A peer has a line for every life, in any order; lives that touch are one, and a peer without
// any line is always there. Times since 1970, which are all above 1e9 s, count from the first.
// Throws InputError with the file's line for anything else, and for peers that there are not.
[[nodiscard]] std::map<core::PeerId, std::vector<Outage>> read_lifetime_file(
    const std::string& file, std::uint32_t peers, core::Fault::Kind how);

}  // namespace rhizome::scenarios
