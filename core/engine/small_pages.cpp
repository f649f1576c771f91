#include "core/engine/small_pages.hpp"

#include <sys/prctl.h>

#include <cstdint>
#include <mutex>

namespace rhizome::core {

namespace {

std::mutex mutex;
std::uint32_t alive = 0;
bool were_allowed = false;

// A system without huge pages refuses, and there is nothing to do.
void allow(bool huge) {
  static_cast<void>(prctl(PR_SET_THP_DISABLE, huge ? 0UL : 1UL, 0UL, 0UL, 0UL));
}

}  // namespace

SmallPages::SmallPages() {
  const std::scoped_lock lock(mutex);
  if (alive++ > 0) return;
  were_allowed = prctl(PR_GET_THP_DISABLE, 0UL, 0UL, 0UL, 0UL) == 0;
  if (were_allowed) allow(false);
}

SmallPages::~SmallPages() {
  const std::scoped_lock lock(mutex);
  if (--alive == 0 && were_allowed) allow(true);
}

}  // namespace rhizome::core
