// Needs between the tasks of a served job: a task begins once all tasks that it needs are done.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rhizome::tools {

// Pairs of a task and a task that it needs, sorted, each once.
using TaskNeeds = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// "2:0 2:1", as the store keeps them.
[[nodiscard]] std::string text_of(const TaskNeeds& needs);
// The inverse of text_of; words that are no such pairs are left out.
[[nodiscard]] TaskNeeds needs_in(const std::string& text);
// A task on a cycle; none if there is no cycle. All numbers are below `tasks`.
[[nodiscard]] std::optional<std::uint32_t> task_on_cycle(const TaskNeeds& needs,
                                                         std::uint32_t tasks);

}  // namespace rhizome::tools
