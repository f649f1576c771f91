#include "core/mesh/rendezvous_pipes.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <optional>
#include <utility>

#include "core/mesh/missing.hpp"

namespace rhizome::core {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t longest_card = std::size_t{1} << 20U;  // bytes
constexpr std::size_t most_digits = 7;

// Returns false if the event does not occur by the deadline.
bool is_ready(int pipe, short events, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd item{.fd = pipe, .events = events, .revents = 0};
    constexpr std::chrono::milliseconds::rep longest = 3'600'000;
    const int ready = left < 0 ? 0 : poll(&item, 1, static_cast<int>(std::min(left, longest)));
    if (ready > 0) return true;
    if (ready == 0 ? left <= longest : errno != EINTR) return false;
  }
}

// False where nothing has come by then, or nothing ever will.
bool read_all(int from, char* to, std::size_t bytes, Clock::time_point deadline) {
  while (bytes > 0) {
    if (!is_ready(from, POLLIN, deadline)) return false;
    const ssize_t got = read(from, to, bytes);
    if (got == 0 || (got < 0 && errno != EINTR)) return false;
    if (got < 0) continue;
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

std::optional<std::string> read_descriptor(int from, Clock::time_point deadline) {
  std::size_t length = 0;
  std::size_t length_digits = 0;
  for (char next = 0; read_all(from, &next, 1, deadline); ++length_digits) {
    if (next == '\n' && length_digits > 0) {
      std::string descriptor(length, '\0');
      if (!read_all(from, descriptor.data(), length, deadline)) return {};
      return descriptor;
    }
    if (next < '0' || next > '9' || length_digits >= most_digits) return {};
    length = length * 10 + static_cast<std::size_t>(next - '0');
    if (length > longest_card) return {};
  }
  return {};
}

// The result of a write shows that the other process has gone; no signal is raised.
class WithoutPipeSignals {
 public:
  WithoutPipeSignals() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  ~WithoutPipeSignals() { std::signal(SIGPIPE, before_); }
  WithoutPipeSignals(const WithoutPipeSignals&) = delete;
  WithoutPipeSignals& operator=(const WithoutPipeSignals&) = delete;

 private:
  void (*before_)(int);
};

// Returns false if the reader has not taken it by the deadline, or has gone. A pipe that is ready
// takes a piece of this size without blocking.
bool write_descriptor(int to, const std::string& descriptor, Clock::time_point deadline) {
  const WithoutPipeSignals quietly;
  const std::string text = std::to_string(descriptor.size()) + '\n' + descriptor;
  for (std::size_t done = 0; done < text.size();) {
    if (!is_ready(to, POLLOUT, deadline)) return false;
    const ssize_t put =
        write(to, text.data() + done, std::min<std::size_t>(text.size() - done, 512));
    if (put < 0 && errno != EINTR) return false;
    if (put > 0) done += static_cast<std::size_t>(put);
  }
  return true;
}

}  // namespace

LauncherRendezvous::LauncherRendezvous(std::vector<Pipe> others, std::chrono::milliseconds within,
                                       std::vector<std::string> hosts)
    : others_(std::move(others)), within_(within), hosts_(std::move(hosts)) {}

std::vector<std::string> LauncherRendezvous::gather(const std::string& descriptor) {
  const auto deadline = Clock::now() + within_;
  std::vector<std::optional<std::string>> found{descriptor};
  for (const Pipe& other : others_) found.push_back(read_descriptor(other.in, deadline));
  const auto descriptors = complete(found);
  if (!descriptors)
    throw Unreachable(Clock::now() < deadline ? who_has_ended(found, hosts_)
                                              : who_is_missing(found, within_, hosts_));
  for (const Pipe& other : others_)
    for (const std::string& each : *descriptors)
      if (!write_descriptor(other.out, each, deadline))
        throw Unreachable("process " + std::to_string(&other - others_.data() + 1) + " went away");
  return *descriptors;
}

std::vector<std::string> LaunchedRendezvous::gather(const std::string& descriptor) {
  const auto deadline = Clock::now() + within_;
  std::vector<std::string> descriptors;
  const bool said = write_descriptor(launcher_.out, descriptor, deadline);
  while (said && descriptors.size() < place_.size) {
    auto next = read_descriptor(launcher_.in, deadline);
    if (!next) break;
    descriptors.push_back(std::move(*next));
  }
  if (descriptors.size() < place_.size) throw Unreachable("the launcher went away");
  return descriptors;
}

}  // namespace rhizome::core
