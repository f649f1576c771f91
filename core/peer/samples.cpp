#include "core/peer/samples.hpp"

namespace rhizome::core {

namespace {

std::size_t slot_of(Time time, Duration period) {
  return static_cast<std::size_t>(time.time_since_epoch() / period);
}

}  // namespace

Duration Samples::fitting(Duration period, Time end) {
  while (slot_of(end, period) >= most) period *= 2;
  return period;
}

void Samples::sent(Time now, MessageClass kind) {
  if (period_ <= Duration::zero()) return;
  std::size_t slot = slot_of(now, period_);
  for (; slot >= most; slot = slot_of(now, period_)) halve();
  if (slot >= samples_.size()) samples_.resize(slot + 1);
  ++samples_[slot].messages[static_cast<std::size_t>(kind)];
}

void Samples::halve() {
  period_ *= 2;
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const Sample sample = samples_[i];
    if (i % 2 == 0) samples_[i / 2] = {};
    for (std::size_t c = 0; c < message_classes; ++c)
      samples_[i / 2].messages[c] += sample.messages[c];
  }
  samples_.resize((samples_.size() + 1) / 2);
}

}  // namespace rhizome::core
