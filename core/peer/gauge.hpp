// A gauge: a number that one thread writes and any thread may read meanwhile. It is written by
// plain loads and stores, so that readers cost the writer nothing; a reader sees each value whole,
// but values of two gauges may be of different moments.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include "core/peer/codec.hpp"

namespace rhizome::core {

template <class Number>
class Gauge {
 public:
  Gauge() = default;
  // The writer's, as all that changes it.
  Gauge(const Gauge& other) noexcept : value_(other.get()) {}
  Gauge& operator=(const Gauge& other) noexcept {
    set(other.get());
    return *this;
  }
  ~Gauge() = default;
  void set(Number value) { value_.store(value, std::memory_order_relaxed); }
  void add(Number more) { set(get() + more); }

  // May be called from any thread.
  [[nodiscard]] Number get() const { return value_.load(std::memory_order_relaxed); }

  // Encodes the value.
  void write(Writer& out) const { out.natural(get()); }
  [[nodiscard]] bool read(Reader& in) {
    std::uint64_t number = 0;
    if (!in.natural(number) || number > std::numeric_limits<Number>::max()) return false;
    set(static_cast<Number>(number));
    return true;
  }

 private:
  std::atomic<Number> value_{0};
};

using Count = Gauge<std::uint64_t>;
using Count32 = Gauge<std::uint32_t>;

}  // namespace rhizome::core
