#include "tools/serve/task_needs.hpp"

#include <sstream>

namespace rhizome::tools {

std::string text_of(const TaskNeeds& needs) {
  std::string text;
  for (const auto& [task, needed] : needs)
    text += (text.empty() ? "" : " ") + std::to_string(task) + ":" + std::to_string(needed);
  return text;
}

TaskNeeds needs_in(const std::string& text) {
  TaskNeeds needs;
  std::istringstream in(text);
  std::uint32_t task = 0;
  std::uint32_t needed = 0;
  for (char colon = 0; in >> task >> colon >> needed && colon == ':';)
    needs.emplace_back(task, needed);
  return needs;
}

// Removes tasks that need nothing until none is left, or only tasks that need each other.
std::optional<std::uint32_t> task_on_cycle(const TaskNeeds& needs, std::uint32_t tasks) {
  std::vector<std::uint32_t> missing(tasks);
  std::vector<std::vector<std::uint32_t>> followers(tasks);
  for (const auto& [task, needed] : needs) {
    ++missing[task];
    followers[needed].push_back(task);
  }
  std::vector<std::uint32_t> free;
  for (std::uint32_t task = 0; task < tasks; ++task)
    if (missing[task] == 0) free.push_back(task);
  for (std::size_t at = 0; at < free.size(); ++at)
    for (const std::uint32_t follower : followers[free[at]])
      if (--missing[follower] == 0) free.push_back(follower);
  if (free.size() == tasks) return {};
  for (std::uint32_t task = 0;; ++task)
    if (missing[task] > 0) return task;
}

}  // namespace rhizome::tools
