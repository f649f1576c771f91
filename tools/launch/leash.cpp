#include "tools/launch/together.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>

#include "tools/cli/command.hpp"

namespace rhizome::tools {

namespace {

constexpr int grace = 3000;  // ms

}  // namespace

Leash::Leash(int pipe) : let_go_(eventfd(0, EFD_CLOEXEC)), thread_([this, pipe] { watch(pipe); }) {}

Leash::~Leash() {
  const std::uint64_t once = 1;
  static_cast<void>(!write(let_go_, &once, sizeof(once)));
  thread_.join();
  close(let_go_);
}

void Leash::watch(int pipe) const {
  for (char said = 0;;) {
    std::array<pollfd, 2> items{{{.fd = let_go_, .events = POLLIN, .revents = 0},
                                 {.fd = pipe, .events = POLLIN, .revents = 0}}};
    if (poll(items.data(), items.size(), -1) < 0 && errno == EINTR) continue;
    if (items[0].revents != 0) return;
    if (items[1].revents != 0 && read(pipe, &said, 1) <= 0) break;
  }
  pollfd item{.fd = let_go_, .events = POLLIN, .revents = 0};
  if (poll(&item, 1, grace) == 0) std::_Exit(static_cast<int>(Exit::given_up));
}

}  // namespace rhizome::tools
