// Repeats runs that were judged invalid. An invalid run shows how busy the machine was and not how
// good the scheduler is. But to keep only some of the runs is a selection, which the results must
// state.
#pragma once

#include <cstdint>
#include <functional>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// Does a run, and again up to `more` times for as long as it was invalid; `put_aside` is called
// with each outcome that is to be done again. Returns the first outcome that is not invalid, else
// the last one. `repeated` counts the runs that were put aside. An interrupted run is not done
// again.
[[nodiscard]] Outcome until_not_invalid(std::uint32_t more, const std::function<Outcome()>& run,
                                        const std::function<void(const Outcome&)>& put_aside);

}  // namespace rhizome::scenarios
