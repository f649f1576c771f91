// Which task a fact is about.
#pragma once

#include <concepts>
#include <optional>
#include <string_view>

#include "agents/task.hpp"
#include "scenarios/live/fact_kinds.hpp"

namespace rhizome::scenarios::live {

template <class F>
concept about_a_task = requires(const F& fact) {
  { fact.task } -> std::convertible_to<agents::TaskId>;
};

// Nothing for a fact that concerns no task, or that cannot be read.
[[nodiscard]] std::optional<agents::TaskId> task_of(std::string_view kind,
                                                    const core::Bytes& payload);

}  // namespace rhizome::scenarios::live
