#include "scenarios/live/fact_task.hpp"

namespace rhizome::scenarios::live {

std::optional<agents::TaskId> task_of(std::string_view kind, const core::Bytes& payload) {
  std::optional<agents::TaskId> task;
  visit_fact(kind, payload, [&task]<class F>(const F& fact) {
    if constexpr (about_a_task<F>) task = fact.task;
  });
  return task;
}

}  // namespace rhizome::scenarios::live
