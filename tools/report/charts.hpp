// The charts of a report.
#pragma once

#include <vector>

#include "tools/names.hpp"
#include "tools/report/material.hpp"

namespace rhizome::tools {

// The share of the tasks that had completed, over time, with the band of the repetitions.
[[nodiscard]] Chart completion_chart(const std::vector<Contestant>& contestants);
// When the k-th task was completed: completion_chart() with exchanged axes.
[[nodiscard]] Chart order_chart(const std::vector<Contestant>& contestants);
// The messages of one class that each peer carried, most loaded first, on logarithmic scales; a
// null, which draws nothing, if there were no such messages.
[[nodiscard]] Chart burden_chart(const std::vector<Contestant>& contestants,
                                 core::MessageClass message_class);
// Messages for each completed task, by cause; likewise.
[[nodiscard]] Chart cause_chart(const std::vector<Contestant>& contestants);

}  // namespace rhizome::tools
