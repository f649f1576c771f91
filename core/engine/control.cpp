#include "core/engine/control.hpp"

#include <algorithm>

namespace rhizome::core {

// A peer that is cut off cannot hear of the end.
Time deadline_of(const EngineSetup& setup, std::optional<Time> first_finish) {
  const Time limit = Time{} + setup.limit;
  if (!first_finish) return limit;
  return std::min(limit, std::max(*first_finish, setup.healed) + setup.grace);
}

std::optional<Ending> ended_by_time(const EngineSetup& setup, Time now,
                                    std::optional<Time> first_finish) {
  if (setup.duration > Duration::zero() && now >= Time{} + setup.duration) return Ending::open;
  if (now >= deadline_of(setup, first_finish)) return Ending::limit;
  return {};
}

std::optional<Control::RealTime> LoneControl::start(const std::string& failure) {
  if (!failure.empty()) return {};
  return std::chrono::steady_clock::now();
}

std::optional<End> LoneControl::look(const Sight& sight) {
  const Tally& tally = sight.tally;
  const auto end = [&sight](Ending ending) { return End{ending, sight.now, sight.failure}; };
  if (tally.all_finished() && tally.finished > 0) return end(Ending::finished);
  if (sight.stop) return end(Ending::interrupted);
  if (const auto ending = ended_by_time(setup_, sight.now, tally.first_finish)) return end(*ending);
  if (!sight.failure.empty()) return end(Ending::interrupted);
  return {};
}

}  // namespace rhizome::core
