// Samples: the messages that were sent in each of equal stretches of time, from the start on. A run
// of months costs no more memory than one of minutes: when there are too many of them, each two
// neighbours become one, and the period doubles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "core/peer/packet.hpp"
#include "core/peer/prefetch.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

// Messages sent in one period, by class.
struct Sample {
  std::array<std::uint64_t, message_classes> messages{};
};

class Samples {
 public:
  static constexpr std::size_t most = 2048;

  // Zero takes none.
  explicit Samples(Duration period = Duration::zero()) : period_(period) {}

  void sent(Time now, MessageClass kind);

  // Something is to be sent.
  void prefetch() const {
    if (!samples_.empty()) core::prefetch(&samples_.back(), sizeof(Sample));
  }

  // The period asked for, doubled until a run of that length needs at most so many.
  [[nodiscard]] static Duration fitting(Duration period, Time end);
  [[nodiscard]] Duration period() const { return period_; }
  // Sample i covers [i·period, (i+1)·period).
  [[nodiscard]] const std::vector<Sample>& all() const { return samples_; }

 private:
  friend struct Fields;
  template <class Self>
  static auto fields(Self& self) {
    return std::tie(self.period_, self.samples_);
  }
  void halve();

  Duration period_;
  std::vector<Sample> samples_;
};

}  // namespace rhizome::core
