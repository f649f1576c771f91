#include "core/mesh/bell.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace rhizome::core {

Bell::Bell() : descriptor_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (descriptor_ < 0)
    throw std::system_error(errno, std::generic_category(), "the system refused a descriptor");
}

Bell::~Bell() { close(descriptor_); }

void Bell::wake() const {
  const std::uint64_t once = 1;
  static_cast<void>(!write(descriptor_, &once, sizeof(once)));
}

void Bell::get_up() {
  asleep_.store(false);
  std::uint64_t rung = 0;
  static_cast<void>(!read(descriptor_, &rung, sizeof(rung)));
}

}  // namespace rhizome::core
