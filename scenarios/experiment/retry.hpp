// Runs that were judged invalid, done again. An invalid run says how busy the machine was and not
// how good the scheduler is; but whoever keeps only some of the runs chooses, and must say so.
#pragma once

#include <cstdint>
#include <functional>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// Does a run, and again up to `more` times for as long as it was invalid; `put_aside` hears of each
// that is to be done again. Returns the first that was not invalid, else the last, with the count
// of those put aside in `repeated`. One that was interrupted is not done again.
[[nodiscard]] Outcome until_not_invalid(std::uint32_t more, const std::function<Outcome()>& run,
                                        const std::function<void(const Outcome&)>& put_aside);

}  // namespace rhizome::scenarios
