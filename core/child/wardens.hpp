// The wardens of this process (warden.cpp), and the guard behind them. A child may kill or stop
// both of its wardens, since it is a program of the same user. Its orphaned descendants are then
// inherited by this process, which is their subreaper (prctl(2)), and are killed here.
#pragma once

#include <spawn.h>

#include <array>
#include <string>
#include <vector>

namespace rhizome::core {

// How a process is begun: with the descriptors that it is given, and no others of ours.
// posix_spawn copies no memory, which makes it safe and quick in a process of a thousand threads.
class ProcessLaunch {
 public:
  // `line` becomes descriptor 3. `streams` become 0, 1 and 2; a negative one is /dev/null.
  explicit ProcessLaunch(int line, const std::array<int, 3>& streams = {-1, -1, -1});
  ~ProcessLaunch();
  ProcessLaunch(const ProcessLaunch&) = delete;
  ProcessLaunch& operator=(const ProcessLaunch&) = delete;

  // The number of the process. `words` are its name and its arguments. Throws std::runtime_error
  // where the system refuses it.
  [[nodiscard]] int begin(const std::string& program, std::vector<std::string> words) const;

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

// The number of the process. `words` are its name and its arguments. Throws std::runtime_error
// where there is no warden, or the system refuses it. From any thread, as what follows.
[[nodiscard]] int begin_warden(const ProcessLaunch& launch, std::vector<std::string> words);

// Waits for the end of a warden that has no work left, and kills it where it takes longer than
// seconds: it may be stopped. A warden that was killed, by us or by its child, leaves processes
// behind, which are killed here.
void end_warden(int warden);

}  // namespace rhizome::core
