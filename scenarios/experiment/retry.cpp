#include "scenarios/experiment/retry.hpp"

namespace rhizome::scenarios {

namespace {

bool worth_another(const Outcome& outcome) {
  return outcome.validity.level == Validity::Level::invalid &&
         outcome.ending != core::Ending::interrupted;
}

}  // namespace

Outcome until_not_invalid(std::uint32_t more, const std::function<Outcome()>& run,
                          const std::function<void(const Outcome&)>& put_aside) {
  for (std::uint32_t repeated = 0;; ++repeated) {
    Outcome outcome = run();
    outcome.repeated = repeated;
    if (repeated == more || !worth_another(outcome)) return outcome;
    put_aside(outcome);
  }
}

}  // namespace rhizome::scenarios
