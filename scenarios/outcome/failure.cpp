#include "scenarios/outcome/failure.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "agents/program/protocols.hpp"
#include "scenarios/text/duration_text.hpp"

namespace rhizome::scenarios {

namespace {

bool undone(const Outcome& outcome) {
  return outcome.unseen > 0 || std::ranges::any_of(outcome.tasks, [](const TaskOutcome& task) {
           return !task.completed;
         });
}

// When the last task began, ended or completed, if more time would hardly help: nothing has
// happened for most of the run, and for longer than a task can take.
std::optional<Time> end_of_progress(const Outcome& outcome) {
  Time last{};
  for (const auto& noted : outcome.facts.of<agents::TaskStarted>()) last = std::max(last, noted.at);
  for (const auto& noted : outcome.facts.of<agents::TaskExecuted>())
    last = std::max(last, noted.at);
  Duration longest{0};
  for (const TaskOutcome& task : outcome.tasks)
    last = std::max({last, task.submitted_at, task.completed_at});
  for (const JobOutcome& job : outcome.jobs) longest = std::max(longest, job.longest);
  const Duration quiet = outcome.ended - last;
  const bool stuck = quiet > (outcome.ended - Time{}) / 2 && quiet > 10 * longest;
  return stuck && outcome.unseen == 0 ? std::optional(last) : std::nullopt;
}

std::string shortage_of_time(const Outcome& outcome, Duration limit) {
  const auto done =
      std::ranges::count_if(outcome.tasks, [](const TaskOutcome& task) { return task.completed; });
  const std::string text = "time ran out after " + duration_text(limit) + "; " +
                           std::to_string(done) + " of " +
                           std::to_string(outcome.tasks.size() + outcome.unseen) + " tasks done; ";
  if (const auto last = end_of_progress(outcome))
    return text + fmt::format(
                      "no task began or ended after {:.4g} s, so the others seem lost: see "
                      "rhizome fate",
                      core::seconds(*last));
  return text + "set engine.time_limit to more";
}

}  // namespace

bool ran_out_of_time(const Outcome& outcome) {
  return outcome.ending == core::Ending::limit && !outcome.failure.empty() &&
         !outcome.facts.any<agents::RunFailed>();
}

std::string failure_of(const Outcome& outcome, Duration limit) {
  if (outcome.ending == core::Ending::interrupted) return {};
  const bool done = !undone(outcome);
  std::vector<std::pair<std::string, std::size_t>> reasons;  // in order of first mention
  for (const auto& noted : outcome.facts.of<agents::RunFailed>()) {
    // In an open run, a peer that gave up while others went on may have come back.
    if (outcome.ending == core::Ending::open && noted.peer != noted.fact.source) continue;
    // With all tasks done, only clients of a protocol can still fail the run, because of the
    // answers that they got.
    if (done && !agents::program::find_protocol(outcome.identity.scheduler)) continue;
    const auto known = std::find_if(reasons.begin(), reasons.end(), [&](const auto& reason) {
      return reason.first == noted.fact.reason;
    });
    if (known == reasons.end()) {
      reasons.emplace_back(noted.fact.reason, 1);
    } else {
      ++known->second;
    }
  }
  const auto most = std::ranges::max_element(
      reasons, [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != reasons.end()) return most->first;
  const bool late = outcome.ending == core::Ending::limit && outcome.ended >= Time{} + limit;
  return late && !done ? shortage_of_time(outcome, limit) : std::string();
}

}  // namespace rhizome::scenarios
