#include "core/child/wardens.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/child/child.hpp"
#include "core/child/children.hpp"
#include "core/child/own_program.hpp"

namespace rhizome::core {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds patience{5000};  // a busy machine takes part of a second

// Children of this process that must be left alone: its wardens, and processes begun before the
// first warden, such as the other processes of a run.
class Known {
 public:
  int begin(const ProcessLaunch& launch, std::vector<std::string> words) {
    const std::scoped_lock lock(mutex_);
    if (!std::exchange(is_subreaper_, true)) {
      known_ = children_of_this();
      prctl(PR_SET_CHILD_SUBREAPER, 1);
    }
    const int warden = launch.begin(held_warden(), std::move(words));
    known_.insert(warden);
    return warden;
  }
  void forget(pid_t warden) {
    const std::scoped_lock lock(mutex_);
    known_.erase(warden);
  }
  // Waits until all inherited processes have ended.
  void end_others() {
    const std::scoped_lock lock(mutex_);
    const Clock::time_point last = Clock::now() + patience;
    for (bool some = true; some && Clock::now() < last; usleep(500)) {
      some = false;
      for (const pid_t process : children_of_this()) {
        if (known_.contains(process)) continue;
        some = true;
        kill(process, SIGKILL);
        waitpid(process, nullptr, WNOHANG);
      }
    }
  }

 private:
  std::mutex mutex_;
  bool is_subreaper_ = false;
  std::set<pid_t> known_;
};

Known& known() {
  static Known all;
  return all;
}

// False where it goes on for longer.
bool ends_within(pid_t process, milliseconds time) {
  // As a call of the system: the header of glibc 2.36 does not know C++.
  const int end = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  if (end < 0) return true;  // it is waited for, however long
  const Clock::time_point last = Clock::now() + time;
  pollfd seen{.fd = end, .events = POLLIN, .revents = 0};
  int ready = -1;
  do {
    const auto left = std::chrono::ceil<milliseconds>(last - Clock::now());
    ready = poll(&seen, 1, static_cast<int>(std::max<milliseconds::rep>(left.count(), 0)));
  } while (ready < 0 && errno == EINTR);
  close(end);
  return ready > 0;
}

}  // namespace

int begin_warden(const ProcessLaunch& launch, std::vector<std::string> words) {
  return known().begin(launch, std::move(words));
}

void end_warden(int warden) {
  if (!ends_within(warden, patience)) kill(warden, SIGKILL);
  int status = 0;
  while (waitpid(warden, &status, 0) < 0 && errno == EINTR) continue;
  known().forget(warden);
  if (WIFSIGNALED(status)) known().end_others();
}

namespace {

// The environment without the variable of the launcher: a child that is rhizome itself would take
// itself for a process of this run.
std::vector<char*> environment_of_child() {
  std::vector<char*> kept;
  for (char** each = environ; *each != nullptr; ++each)
    if (!std::string_view(*each).starts_with(std::string(launched_variable) + "="))
      kept.push_back(*each);
  kept.push_back(nullptr);
  return kept;
}

}  // namespace

ProcessLaunch::ProcessLaunch(int line, const std::array<int, 3>& streams) {
  constexpr int line_of_warden = 3;
  posix_spawn_file_actions_init(&files_);
  for (int stream = 0; stream < 3; ++stream) {
    const int given = streams.at(static_cast<std::size_t>(stream));
    if (given < 0)
      posix_spawn_file_actions_addopen(&files_, stream, "/dev/null", O_RDWR, 0);
    else
      posix_spawn_file_actions_adddup2(&files_, given, stream);
  }
  posix_spawn_file_actions_adddup2(&files_, line, line_of_warden);
  posix_spawnattr_init(&attributes_);
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes_, &none);
  posix_spawnattr_setsigdefault(&attributes_, &all);
  // A session of its own: what a terminal or a shell does to our group does not reach it.
  posix_spawnattr_setflags(&attributes_,
                           POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

ProcessLaunch::~ProcessLaunch() {
  posix_spawn_file_actions_destroy(&files_);
  posix_spawnattr_destroy(&attributes_);
}

int ProcessLaunch::begin(const std::string& program, std::vector<std::string> words) const {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t made = 0;
  const std::vector<char*> environment = environment_of_child();
  const int error =
      posix_spawn(&made, program.c_str(), &files_, &attributes_, argv.data(), environment.data());
  if (error != 0)
    throw std::runtime_error(words.front() + ": " + std::generic_category().message(error));
  return made;
}

}  // namespace rhizome::core
