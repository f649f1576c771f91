// How a process is begun: with the descriptors that it is given, and no others of ours.
#pragma once

#include <spawn.h>

#include <array>
#include <string>
#include <vector>

namespace rhizome::core {

// posix_spawn copies no memory, which makes it safe and quick in a process of a thousand threads.
class ProcessLaunch {
 public:
  // `line` becomes descriptor 3. `streams` become 0, 1 and 2; a negative one is /dev/null.
  explicit ProcessLaunch(int line, const std::array<int, 3>& streams = {-1, -1, -1});
  ~ProcessLaunch();
  ProcessLaunch(const ProcessLaunch&) = delete;
  ProcessLaunch& operator=(const ProcessLaunch&) = delete;

  // The number of the process. `words` are its path and its arguments. Throws std::runtime_error
  // where the system refuses it.
  [[nodiscard]] int begin(std::vector<std::string> words) const;

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace rhizome::core
