// The warden of one child process: a small program of one thread, which starts the child in a
// process group of its own, enforces its limits and its rate, and reports how it ended. Descendants
// that leave the group become children of the warden when their parents end, since it is their
// subreaper, so that none of them escapes. The warden kills all of them when the child has ended,
// and when the line closes: the process at its other end has cancelled the work or has died. A
// warden may be killed itself: its parent is a second warden, which inherits all that the first
// leaves behind; without the second the first gives up the child as well.
//
// rhizome_warden MILLISECONDS BYTES INPUT OUTPUT DIRECTORY PROGRAM [ARGUMENT ...]
//
// INPUT and OUTPUT are files; "-" is the stream that the warden was begun with. Descriptor 3 is the
// line. Over the line come rates, each a double in a packet of its own; the warden sends back in
// words how the child ended.
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "core/child/child_file.hpp"
#include "core/child/search_path.hpp"
#include "core/child/sweep.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int line = 3;

struct Order {
  milliseconds time_limit;  // 0: none
  rlim_t memory;            // 0: any
  const char* input;
  const char* output;
  const char* directory;
  const char* links;  // "0": links are not followed
  char** words;
};

// "-" is the stream that the warden was given itself.
bool open_as(int stream, const char* file, int flags, bool plain) {
  if (std::strcmp(file, "-") == 0) return true;
  const int opened = *file == '\0' ? open("/dev/null", flags | O_CLOEXEC)
                                   : rhizome::core::open_child_file(file, flags, plain);
  return opened >= 0 && dup2(opened, stream) >= 0;
}

bool enter(const char* directory, bool plain) {
  if (*directory == '\0') return true;
  const int opened = rhizome::core::open_child_file(directory, O_RDONLY | O_DIRECTORY, plain);
  return opened >= 0 && fchdir(opened) == 0;
}

// A harder limit of the user stays.
bool limit_memory(rlim_t bytes) {
  rlimit limit{};
  if (bytes == 0) return true;
  if (getrlimit(RLIMIT_AS, &limit) != 0) return false;
  const rlim_t least = std::min(bytes, limit.rlim_max);
  limit = {least, least};
  return setrlimit(RLIMIT_AS, &limit) == 0;
}

// Runs in the child: returns only if it could not become the program.
void become(const Order& order) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const bool plain = *order.links == '0';
  if (plain) rhizome::core::look_elsewhere_than_here();
  if (open_as(0, order.input, O_RDONLY, plain) && enter(order.directory, plain) &&
      open_as(1, order.output, O_WRONLY | O_TRUNC, plain) && limit_memory(order.memory))
    execvp(order.words[0], order.words);
}

// A child that has been forked, and the pipe by which it says why it could not become its program,
// which closes once it has. A negative number is an error.
struct Start {
  pid_t child;
  int trouble = -1;
};
Start start(const Order& order) {
  std::array<int, 2> trouble{};
  if (pipe2(trouble.data(), O_CLOEXEC) != 0) return {-errno};
  const pid_t child = fork();
  if (child < 0) return {-errno};
  if (child == 0) {
    become(order);
    const int error = errno;
    const bool told = write(trouble[1], &error, sizeof error) == sizeof error;
    _exit(told ? 0 : 1);
  }
  setpgid(child, child);
  close(trouble[1]);
  return {child, trouble[0]};
}

// The time that the child is given, and whether it goes on at this moment.
class Ration {
 public:
  Ration(pid_t child, milliseconds limit) : child_(child), limit_(limit) {}

  void set(double rate) {
    account();
    rate_ = std::clamp(rate, 0.0, 1.0);
    turn_ = {};
    let(rate_ > 0);
  }
  [[nodiscard]] bool used_up() {
    account();
    return limit_.count() > 0 && given_ >= limit_;
  }
  // Stops or continues it where its turn is over, and says how long the next lasts; nothing: until
  // something happens.
  std::optional<milliseconds> next() {
    account();
    std::optional<milliseconds> wait;
    if (rate_ > 0 && rate_ < 1) {
      if (turn_ >= length()) {
        turn_ = {};
        let(!going_);
      }
      wait = std::chrono::ceil<milliseconds>(length() - turn_);
    }
    if (going_ && limit_.count() > 0) {
      const auto left = std::chrono::ceil<milliseconds>(limit_ - given_);
      wait = wait ? std::min(*wait, left) : left;
    }
    return wait;
  }

 private:
  // The length of the present turn, in which the child runs or is stopped.
  [[nodiscard]] Clock::duration length() const {
    constexpr std::chrono::duration<double, std::milli> both{100};
    return std::chrono::duration_cast<Clock::duration>(both * (going_ ? rate_ : 1 - rate_));
  }
  void account() {
    const Clock::time_point now = Clock::now();
    if (going_) given_ += now - since_;
    turn_ += now - since_;
    since_ = now;
  }
  void let(bool go) {
    if (go == going_) return;
    going_ = go;
    const int order = go ? SIGCONT : SIGSTOP;
    kill(-child_, order);
    kill(child_, order);  // it may have left its group
  }

  pid_t child_;
  milliseconds limit_;
  double rate_ = 1;
  bool going_ = true;
  Clock::time_point since_ = Clock::now();
  Clock::duration given_{};
  Clock::duration turn_{};
};

enum class Why { ended, over_time, unwanted };

// Waits until the child has become its program, or has reported in `error` why it could not. That
// may take for ever: a named pipe among its files waits for its other end. Nothing if the child may
// go on; else the reason to kill it.
std::optional<Why> await_program(int trouble, int end_of_second, const Order& order, int& error) {
  constexpr milliseconds::rep most = 1U << 30U;
  const auto limit = static_cast<int>(std::min(order.time_limit.count(), most));
  std::array<pollfd, 3> seen{
      {{trouble, POLLIN, 0}, {line, POLLRDHUP, 0}, {end_of_second, POLLIN, 0}}};
  int ready = -1;
  do ready = poll(seen.data(), seen.size(), limit > 0 ? limit : -1);
  while (ready < 0 && errno == EINTR);
  if (ready == 0) return Why::over_time;
  if (ready < 0 || seen[1].revents != 0 || seen[2].revents != 0) return Why::unwanted;
  if (read(trouble, &error, sizeof error) != sizeof error) error = 0;
  return {};
}

// False once the other end is closed.
bool hear(Ration& ration) {
  double rate = 0;
  const ssize_t size = recv(line, &rate, sizeof rate, 0);
  if (size < 0) return errno == EINTR;
  if (size == sizeof rate) ration.set(rate);
  return size > 0;
}

// A descriptor that tells when a process has ended.
int end_of(pid_t process) {
  // As a call of the system: the header of glibc 2.36 does not know C++.
  return static_cast<int>(syscall(SYS_pidfd_open, process, 0));
}

// A descriptor that tells when children of this process have ended.
int ends_of_children() {
  sigset_t ends{};
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ends, nullptr);
  return signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
}

// Descendants that have ended after their parents, which init would reap without this warden: each
// that is left takes a number of a process. Returns true once the child itself has ended, which is
// left to end_with_all().
bool reap_orphans(int ends, pid_t child) {
  std::array<signalfd_siginfo, 16> told{};
  while (read(ends, told.data(), sizeof told) > 0) continue;
  for (siginfo_t gone{};; gone.si_pid = 0) {
    const bool seen = waitid(P_ALL, 0, &gone, WEXITED | WNOHANG | WNOWAIT) == 0;
    if (!seen || gone.si_pid == 0) return false;
    if (gone.si_pid == child) return true;
    waitpid(gone.si_pid, nullptr, WNOHANG);
  }
}

Why watch(pid_t child, int end_of_second, const Order& order) {
  constexpr milliseconds look_again(20);  // where the system tells of no ends
  constexpr milliseconds::rep longest = 3'600'000;
  Ration ration(child, order.time_limit);
  const int ends = ends_of_children();
  while (!reap_orphans(ends, child)) {
    auto wait = ration.next();
    if (ends < 0) wait = std::min(wait.value_or(look_again), look_again);
    std::array<pollfd, 3> seen{{{line, POLLIN, 0}, {end_of_second, POLLIN, 0}, {ends, POLLIN, 0}}};
    const int timeout =
        wait ? static_cast<int>(std::clamp<milliseconds::rep>(wait->count(), 1, longest)) : -1;
    if (poll(seen.data(), seen.size(), timeout) < 0 && errno != EINTR) return Why::unwanted;
    if (seen[0].revents != 0 && !hear(ration)) return Why::unwanted;
    if (seen[1].revents != 0) return Why::unwanted;
    if (ration.used_up()) return Why::over_time;
  }
  return Why::ended;
}

std::string words_for(Why why, int status, const Order& order) {
  if (why == Why::over_time)
    return "killed after its time limit of " + std::to_string(order.time_limit.count()) + " ms";
  if (WIFSIGNALED(status)) return "killed by signal " + std::to_string(WTERMSIG(status));
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

void tell(const std::string& end) {
  static_cast<void>(send(line, end.data(), end.size(), MSG_NOSIGNAL));
}

// The child alone holds the streams, so that their other ends see when it closes them.
void release_streams() {
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {0, 1, 2}) dup2(nothing, stream);
  close(nothing);
}

void guard(int end_of_second, const Order& order) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const auto [child, trouble] = start(order);
  release_streams();
  int error = child < 0 ? -child : 0;
  std::optional<Why> why;
  if (error == 0) why = await_program(trouble, end_of_second, order, error);
  if (error != 0) return tell(std::string("could not be started: ") + std::strerror(error));
  close(trouble);
  if (!why) why = watch(child, end_of_second, order);
  const int status = rhizome::core::end_with_all(child);
  if (*why != Why::unwanted) tell(words_for(*why, status, order));
}

// The line stays open until nothing is left, because its reader waits for that. A warden that is
// stopped does not enforce limits: it continues itself at once.
void stand_by(pid_t warden) {
  release_streams();
  for (int status = 0;;) {
    const pid_t seen = waitpid(warden, &status, WUNTRACED);
    if (seen < 0 && errno == EINTR) continue;
    if (seen < 0 || !WIFSTOPPED(status)) break;
    kill(warden, SIGCONT);
  }
  rhizome::core::sweep();
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int least = 8;
  constexpr int wrong_call = 64;
  if (argc < least || fcntl(line, F_SETFD, FD_CLOEXEC) != 0) return wrong_call;
  close_range(line + 1, ~0U, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const Order order{.time_limit = milliseconds(std::strtoll(argv[1], nullptr, 10)),
                    .memory = std::strtoull(argv[2], nullptr, 10),
                    .input = argv[3],
                    .output = argv[4],
                    .directory = argv[5],
                    .links = argv[6],
                    .words = argv + 7};
  const int own_end = end_of(getpid());
  const pid_t warden = fork();
  if (warden < 0)
    tell(std::string("could not be started: ") + std::strerror(errno));
  else if (warden == 0)
    guard(own_end, order);
  else
    stand_by(warden);
  return 0;
}
