#include "tools/launch/together.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

#include "core/child/own_program.hpp"
#include "tools/launch/hosts.hpp"
#include "tools/launch/launched_process.hpp"

namespace rhizome::tools {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience{10};            // for processes that should end
constexpr std::chrono::seconds patience_if_stopped{1};  // for a process that is stopped

[[noreturn]] void refuse(const std::string& what) {
  throw core::Unreachable("the system refused " + what + ": " + std::strerror(errno));
}

// The arguments of this process, including its name.
std::vector<std::string> own_words() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < all.size();) {
    words.emplace_back(all.c_str() + begin);
    begin += words.back().size() + 1;
  }
  return words;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const std::vector<std::string>& more) {
  std::vector<std::string> all = more;
  for (char** each = environ; *each != nullptr; ++each) all.emplace_back(*each);
  return all;
}

// Runs between fork and exec, so it calls only functions that are allowed there.
[[noreturn]] void become(const char* file, char* const* words, char* const* environment, int socket,
                         bool speaks_to_pipe) {
  for (const int ignored : {SIGINT, SIGHUP, SIGQUIT}) signal(ignored, SIG_IGN);
  const int nothing = open("/dev/null", O_RDWR);
  dup2(speaks_to_pipe ? socket : nothing, STDIN_FILENO);
  dup2(speaks_to_pipe ? socket : nothing, STDOUT_FILENO);
  if (!speaks_to_pipe) fcntl(socket, F_SETFD, 0);
  execvpe(file, words, environment);
  _exit(127);
}

std::array<int, 2> pipe_ends() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) refuse("a pipe");
  return ends;
}

// The shell line that runs this program with the same arguments on another host.
std::string line_for(core::LaunchedRendezvous::Place place) {
  std::vector<std::string> words = own_words();
  words.erase(words.begin());
  std::vector<std::string> settings = environment_of({place, {STDIN_FILENO, STDOUT_FILENO}});
  if (const char* set = std::getenv("RHIZOME_SET"))
    settings.push_back(std::string("RHIZOME_SET=") + set);
  return shell_line({.directory = std::filesystem::current_path().string(),
                     .program = core::program_file(),
                     .words = std::move(words),
                     .settings = std::move(settings)});
}

// Whether a signal such as SIGSTOP has stopped the process; it may continue.
bool is_stopped(pid_t process) {
  siginfo_t state{};
  return waitid(P_PID, static_cast<id_t>(process), &state, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
         state.si_pid == process;
}

// Returns false if the process has not ended by the deadline, or has stayed stopped. If one signal
// stopped this process and the other one together, the other one may continue a little later than
// this one.
bool wait_for(pid_t process, Clock::time_point deadline) {
  auto moved = Clock::now();
  for (;;) {
    const pid_t ended = waitpid(process, nullptr, WNOHANG);
    if (ended == process || (ended < 0 && errno != EINTR)) return true;
    if (!is_stopped(process)) moved = Clock::now();
    if (Clock::now() > std::min(deadline, moved + patience_if_stopped)) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace

Processes::Processes(std::uint32_t size) {
  for (std::uint32_t rank = 1; rank < size; ++rank) {
    const Ends ends = pipe_ends();
    launch({.file = "/proc/self/exe",
            .words = own_words(),
            .environment = environment_with(environment_of({{rank, size}, {ends[1], ends[1]}}))},
           ends);
  }
}

Processes::Processes(const std::vector<std::string>& places, const std::string& ssh) {
  const auto size = static_cast<std::uint32_t>(places.size());
  for (std::uint32_t rank = 1; rank < size; ++rank) {
    std::vector<std::string> words = ssh_words(ssh, places[rank], line_for({rank, size}));
    const std::string file = words.front();
    launch({.file = file,
            .words = std::move(words),
            .environment = environment_with({}),
            .speaks_to_pipe = true},
           pipe_ends());
  }
}

void Processes::launch(Program program, const Ends& ends) {
  const auto words = pointers_to(program.words);
  const auto environment = pointers_to(program.environment);
  const pid_t id = fork();
  if (id == 0)
    become(program.file.c_str(), words.data(), environment.data(), ends[1], program.speaks_to_pipe);
  close(ends[1]);
  if (id < 0) {
    close(ends[0]);
    refuse("a process");
  }
  others_.push_back({id, ends[0]});
}

// Processes normally end together with the mesh. The closed pipe ends those that have not joined it
// yet, and SIGKILL ends those that do not react.
Processes::~Processes() {
  const auto deadline = Clock::now() + patience;
  for (const Process& other : others_) shutdown(other.socket, SHUT_WR);
  for (const Process& other : others_) {
    if (!wait_for(other.id, deadline)) {
      kill(other.id, SIGKILL);
      static_cast<void>(wait_for(other.id, Clock::now() + patience));
    }
    close(other.socket);
  }
}

std::vector<core::Pipe> Processes::pipes() const {
  std::vector<core::Pipe> pipes;
  for (const Process& other : others_) pipes.push_back({other.socket, other.socket});
  return pipes;
}

}  // namespace rhizome::tools
