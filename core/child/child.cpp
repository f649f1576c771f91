#include "core/child/child.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace rhizome::core {

namespace {

constexpr int line_of_warden = 3;

// What a process is begun with: the line as descriptor 3, and nothing else of ours. posix_spawn
// copies no memory, which makes it safe and quick in a process of a thousand threads.
class Launch {
 public:
  explicit Launch(int line) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_adddup2(&files_, line, line_of_warden);
    for (const int stream : {0, 1, 2})
      posix_spawn_file_actions_addopen(&files_, stream, "/dev/null", O_RDWR, 0);
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
  ~Launch() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  // The number of the process.
  [[nodiscard]] int begin(std::vector<std::string> words) const {
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t made = 0;
    const int error = posix_spawn(&made, argv[0], &files_, &attributes_, argv.data(), environ);
    if (error != 0)
      throw std::runtime_error(words.front() + ": " + std::generic_category().message(error));
    return made;
  }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

std::vector<std::string> words_for_warden(const ChildOptions& options) {
  using Milliseconds = std::chrono::milliseconds;
  std::vector<std::string> words{
      warden_program(),
      std::to_string(std::chrono::ceil<Milliseconds>(options.time_limit).count()),
      std::to_string(options.memory),
      options.input,
      options.output,
      options.directory};
  words.insert(words.end(), options.words.begin(), options.words.end());
  return words;
}

}  // namespace

std::string warden_program() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  return (self.parent_path() / "rhizome_warden").string();
}

void Child::begin(Done done) {
  const int warden = start();
  if (warden == 0) {
    done({});
    return;
  }
  const std::string end = await(warden);
  done(judged(end, end == "exit status " + std::to_string(options_.status)));
}

int Child::start() {
  const std::scoped_lock lock(mutex_);
  if (cancelled_) return 0;
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw std::system_error(errno, std::generic_category(), "no line to a child process");
  int warden = 0;
  try {
    warden = Launch(ends[1]).begin(words_for_warden(options_));
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[1]);
  line_ = ends[0];
  if (rate_ != 1) tell_rate();
  return warden;
}

// The warden tells the end when nothing of the child is left, and ends itself.
std::string Child::await(int warden) {
  std::array<char, Result::longest> text{};
  std::string end = "its warden was killed";
  for (;;) {
    const ssize_t size = recv(line_, text.data(), text.size(), 0);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    end.assign(text.data(), static_cast<std::size_t>(size));
  }
  while (waitpid(warden, nullptr, 0) < 0 && errno == EINTR) continue;
  const std::scoped_lock lock(mutex_);
  close(std::exchange(line_, -1));
  return end;
}

void Child::pace(double rate) {
  const std::scoped_lock lock(mutex_);
  rate_ = rate;
  if (line_ >= 0 && !cancelled_) tell_rate();
}

void Child::tell_rate() const {
  static_cast<void>(send(line_, &rate_, sizeof rate_, MSG_NOSIGNAL | MSG_DONTWAIT));
}

void Child::cancel() {
  const std::scoped_lock lock(mutex_);
  cancelled_ = true;
  if (line_ >= 0) shutdown(line_, SHUT_WR);
}

}  // namespace rhizome::core
