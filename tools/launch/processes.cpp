#include "tools/launch/processes.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "tools/launch/launched.hpp"

namespace rhizome::tools {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience{10};  // with processes that are to end

[[noreturn]] void refuse(const std::string& what) {
  throw core::Unreachable("the system refused " + what + ": " + std::strerror(errno));
}

// Of this process, as they were given.
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

// Between the fork and the program: only what may be called there.
[[noreturn]] void become(char* const* words, char* const* environment, int socket) {
  for (const int ignored : {SIGINT, SIGHUP, SIGQUIT}) signal(ignored, SIG_IGN);
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  fcntl(socket, F_SETFD, 0);
  execve("/proc/self/exe", words, environment);
  _exit(127);
}

// False where it has not ended by then.
bool wait_for(pid_t process, Clock::time_point deadline) {
  for (;;) {
    const pid_t ended = waitpid(process, nullptr, WNOHANG);
    if (ended == process || (ended < 0 && errno != EINTR)) return true;
    if (Clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace

Processes::Processes(std::uint32_t size) {
  for (std::uint32_t rank = 1; rank < size; ++rank) launch(rank, size);
}

void Processes::launch(std::uint32_t rank, std::uint32_t size) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) refuse("a pipe");
  std::vector<std::string> words = own_words();
  std::vector<std::string> environment =
      environment_with(environment_of({{rank, size}, {ends[1], ends[1]}}));
  const auto word_pointers = pointers_to(words);
  const auto environment_pointers = pointers_to(environment);
  const pid_t id = fork();
  if (id == 0) become(word_pointers.data(), environment_pointers.data(), ends[1]);
  close(ends[1]);
  if (id < 0) {
    close(ends[0]);
    refuse("a process");
  }
  others_.push_back({id, ends[0]});
}

// Those that end by themselves do so with the mesh; the pipe ends whoever has not come so far.
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
