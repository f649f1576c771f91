#include "tools/cli/streams.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

namespace rhizome::tools {

// The system gives the lowest free number, which is that of the closed stream.
void open_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    static_cast<void>(open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY));
  }
}

void outlive_full_files() { std::signal(SIGXFSZ, SIG_IGN); }

void hear_all_signals() {
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGCHLD, SIG_DFL);
}

void keep_writing_to_user() { umask(umask(S_IRWXG | S_IRWXO) | S_IWGRP | S_IWOTH); }

std::optional<std::uint64_t> too_small_stack() {
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  const std::uint64_t size = limit.rlim_cur / 1024;
  if (size >= least_stack) return {};
  return size;
}

bool output_is_written() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

}  // namespace rhizome::tools
