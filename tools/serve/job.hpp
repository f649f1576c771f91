// Jobs of the server: a client's order over HTTP, and its state.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "tools/serve/task_needs.hpp"

namespace rhizome::tools {

// Milliseconds since 1970.
[[nodiscard]] inline std::int64_t milliseconds_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

// The order of a client.
struct JobOrder {
  std::string work{};  // the words of a job list: "count file=a.txt"; empty: emulated
  std::uint32_t tasks = 1;
  double seconds = 0.1;  // duration of each task; for real work an estimate
  std::string key{};     // identifies an order that is sent twice; empty: none
  TaskNeeds needs{};     // which tasks wait for which others
  friend bool operator==(const JobOrder&, const JobOrder&) = default;
};

enum class JobState : std::uint8_t { open, done, cancelled, last = cancelled };
[[nodiscard]] std::string name_of(JobState state);
// None for an unknown word.
[[nodiscard]] std::optional<JobState> job_state(const std::string& name);

struct ServedJob {
  std::uint64_t id = 0;  // from 1
  JobOrder order{};
  JobState state = JobState::open;
  std::uint32_t done = 0;      // tasks
  std::uint32_t wrong = 0;     // of these, with a wrong result
  std::int64_t submitted = 0;  // milliseconds since 1970, as all times here
  std::int64_t finished = 0;   // 0: not yet
};

// A finished task.
struct ServedTask {
  std::uint32_t task = 0;  // number within its job, from 0
  std::uint32_t peer = 0;  // the executor
  std::string result{};    // empty for emulated work
  bool right = true;
  std::int64_t finished = 0;
};

}  // namespace rhizome::tools
