// Jobs as they are served: what somebody asks for over HTTP, and what has become of it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace rhizome::tools {

// Since 1970.
[[nodiscard]] inline std::int64_t milliseconds_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

// What a job is to be.
struct JobOrder {
  std::string work{};  // the words of a job list: "count file=a.txt"; empty: emulated
  std::uint32_t tasks = 1;
  double seconds = 0.1;  // that each takes; of real work an estimate
  std::string key{};     // by which an order that is sent twice is known again; empty: none
  friend bool operator==(const JobOrder&, const JobOrder&) = default;
};

enum class JobState : std::uint8_t { open, done, cancelled, last = cancelled };
[[nodiscard]] std::string name_of(JobState state);
// Nothing for another word.
[[nodiscard]] std::optional<JobState> job_state(const std::string& name);

struct ServedJob {
  std::uint64_t id = 0;  // from 1
  JobOrder order{};
  JobState state = JobState::open;
  std::uint32_t done = 0;      // tasks
  std::uint32_t wrong = 0;     // of them, with a result that is not right
  std::int64_t submitted = 0;  // milliseconds since 1970, as all times here
  std::int64_t finished = 0;   // 0: not yet
};

// A task that is done.
struct ServedTask {
  std::uint32_t task = 0;  // of its job, from 0
  std::uint32_t peer = 0;  // that executed it
  std::string result{};    // "" of emulated work
  bool right = true;
  std::int64_t finished = 0;
};

}  // namespace rhizome::tools
