#include "scenarios/live/telling.hpp"

#include <algorithm>

#include "core/engine/mirror.hpp"

namespace rhizome::scenarios::live {

namespace {

constexpr std::size_t most_violations = 10;     // violations told of a run at most
constexpr std::size_t longest_violation = 400;  // bytes of its first line

}  // namespace

RunTitle title_of(const Identity& identity, std::uint32_t number) {
  return {.number = number,
          .scenario = identity.scenario,
          .scheduler = identity.scheduler,
          .label = identity.label,
          .engine = identity.engine,
          .cell = cell_text(identity),
          .time_scale = identity.time_scale,
          .seed = identity.seed,
          .repetition = identity.repetition};
}

std::vector<ProcessSeen> processes_of(const core::Board& board) {
  std::vector<ProcessSeen> processes;
  if (board.mirror() == nullptr) return processes;
  for (const core::Mirror::Part& part : board.mirror()->parts())
    processes.push_back(
        {part.process, part.host, part.lost, !part.lost && (part.silent || !part.heard)});
  return processes;
}

RunEnd end_of(const Outcome& outcome, std::uint32_t number) {
  RunEnd end{.run = number,
             .label = outcome.identity.label,
             .repetition = outcome.identity.repetition,
             .ending = outcome.ending,
             .ended = outcome.ended,
             .judged = outcome.identity.engine == "threads",
             .validity = outcome.validity.level,
             .reason = outcome.failure.empty() ? outcome.validity.reason : outcome.failure};
  for (const Violation& violation : outcome.violations) {
    if (end.violations.size() == most_violations) break;
    end.violations.push_back(
        violation.invariant + ": " +
        violation.text.substr(0, std::min(violation.text.find('\n'), longest_violation)));
  }
  return end;
}

}  // namespace rhizome::scenarios::live
