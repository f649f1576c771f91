// Runs one scenario and reports failures.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rhizome::fuzz {

// One failure. Runs fail alike when the kinds of their first failures agree.
struct Failure {
  std::string kind;  // an invariant ("tree"), "hangs", "slow", "gave up", ...
  std::string text;  // a sentence
};

struct Verdict {
  std::string refusal;  // why the scenario was not run; empty if it was
  std::vector<Failure> failures;
  double ratio = 0;            // of the makespan to its bound
  double promised = 0;         // of the makespan to what the scheduler promises
  std::size_t executions = 0;  // of the task that was executed most often
  [[nodiscard]] bool refused() const { return !refusal.empty(); }
  [[nodiscard]] std::string kind() const { return failures.empty() ? "" : failures.front().kind; }
};

[[nodiscard]] Verdict judge(const std::string& scenario);

}  // namespace rhizome::fuzz
