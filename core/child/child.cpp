#include "core/child/child.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <system_error>
#include <utility>

#include "core/child/exchangeable_program.hpp"
#include "core/child/own_program.hpp"
#include "core/child/wardens.hpp"

namespace rhizome::core {

namespace {

std::vector<std::string> words_for_warden(const ChildOptions& options) {
  using Milliseconds = std::chrono::milliseconds;
  std::vector<std::string> words{
      warden_program(),
      std::to_string(std::chrono::ceil<Milliseconds>(options.time_limit).count()),
      std::to_string(options.memory),
      options.input,
      options.output,
      options.directory,
      options.links ? "1" : "0"};
  words.insert(words.end(), options.words.begin(), options.words.end());
  return words;
}

}  // namespace

void Child::begin(Done done) {
  if (!options_.links && is_exchangeable_program(options_.words.front())) {
    done(judged("not begun: other users could exchange " + options_.words.front(), false));
    return;
  }
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
    warden = begin_warden(ProcessLaunch(ends[1]), words_for_warden(options_));
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

// The warden reports the end of the child when no descendant is left, and ends itself. A warden
// that was told to kill the child reports nothing more, and must not.
std::string Child::await(int warden) {
  std::array<char, Result::longest> text{};
  std::string end = "its warden was killed";
  for (;;) {
    const ssize_t size = recv(line_, text.data(), text.size(), 0);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    end.assign(text.data(), static_cast<std::size_t>(size));
  }
  end_warden(warden);
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
  if (line_ >= 0) shutdown(line_, SHUT_RDWR);
}

}  // namespace rhizome::core
