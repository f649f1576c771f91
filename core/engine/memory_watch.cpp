#include "core/engine/memory_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace rhizome::core {

namespace {

std::string gibibytes(std::uint64_t bytes) {
  return fmt::format("{:.3g} GiB", static_cast<double>(bytes) / (1U << 30U));
}

}  // namespace

void MemoryWatch::look(const MemoryRoom& room, RealTime now) {
  while (seen_.size() > 1 && now - seen_.front().at > std::chrono::seconds(1)) seen_.pop_front();
  const std::uint64_t before = seen_.empty() ? room.taken : seen_.front().taken;
  seen_.push_back({now, room.taken});
  const std::uint64_t grown = room.taken - std::min(room.taken, before);
  const std::uint64_t soon = room.taken > room.bytes / 4 * 3 ? room.taken + 2 * grown : room.taken;
  if (soon <= room.bytes - room.bytes / 16) return;
  throw LimitExceeded("memory runs out: this process has " + gibibytes(room.taken) + ", and " +
                      room.name + " is " + gibibytes(room.bytes) +
                      "; messages pile up where peers cannot keep up: use fewer peers, or a lower "
                      "engine.time_scale");
}

}  // namespace rhizome::core
