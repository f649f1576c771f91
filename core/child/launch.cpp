#include "core/child/launch.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "core/child/child.hpp"

namespace rhizome::core {

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

int ProcessLaunch::begin(std::vector<std::string> words) const {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t made = 0;
  const std::vector<char*> environment = environment_of_child();
  const int error =
      posix_spawn(&made, argv[0], &files_, &attributes_, argv.data(), environment.data());
  if (error != 0)
    throw std::runtime_error(words.front() + ": " + std::generic_category().message(error));
  return made;
}

}  // namespace rhizome::core
