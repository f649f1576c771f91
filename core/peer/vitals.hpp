// The vitals of a peer: its counts, which may be read while it runs. The thread that runs the peer
// is their only writer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tuple>

#include "core/peer/fields.hpp"
#include "core/peer/gauge.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/packet.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

// How punctual a peer's thread is in one respect, measured by the run's tolerance for lags. Without
// a tolerance nothing is late.
struct Punctuality {
  static constexpr int very = 4;  // tolerances

  void add(Duration lag, Duration tolerance) {
    seen.add(1);
    if (tolerance <= Duration::zero() || lag <= tolerance) return;
    late.add(1);
    if (lag > very * tolerance) very_late.add(1);
  }

  Count32 seen;
  Count32 late;  // including the very late ones
  Count32 very_late;
};

// Counts are of all lives, from the start of the run. Packets in flight are packets sent and
// duplicated that were neither received nor dropped, of all peers together.
struct Vitals {
  // The state of the peer at one moment.
  struct Presence {
    Incarnation life;  // the present one, or the last
    bool alive = false;
    bool finished = false;
    friend bool operator==(const Presence&, const Presence&) = default;
  };

  // How late events were, and how long handlers took; measured on threads only.
  enum class Measure : std::uint8_t { packet, timer, work, handler, last = handler };
  static constexpr std::size_t measures = static_cast<std::size_t>(Measure::last) + 1;

  [[nodiscard]] Punctuality& punctuality_of(Measure measure) {
    return punctuality[static_cast<std::size_t>(measure)];
  }
  [[nodiscard]] std::uint64_t all_sent() const { return sum(sent); }
  [[nodiscard]] std::uint64_t all_sent_bytes() const { return sum(sent_bytes); }
  [[nodiscard]] std::uint64_t all_dropped() const { return sum(dropped); }

  // All counts as numbers in a fixed order, from which become() restores them.
  static constexpr std::size_t numbers_of = 2 * message_classes + drops + 3 * measures + 8;
  using Numbers = std::array<std::uint64_t, numbers_of>;
  [[nodiscard]] Numbers numbers() const {
    Numbers all{};
    std::size_t next = 0;
    each(*this, [&](const auto& count) { all[next++] = count.get(); });
    return all;
  }
  void become(const Numbers& all) {
    std::size_t next = 0;
    each(*this,
         [&]<class Number>(Gauge<Number>& count) { count.set(static_cast<Number>(all[next++])); });
  }

  void is(const Presence& now) {
    presence_.set((std::uint64_t{now.life.value} << 2U) | (now.finished ? 2U : 0U) |
                  (now.alive ? 1U : 0U));
  }
  [[nodiscard]] Presence presence() const {
    const std::uint64_t packed = presence_.get();
    return {.life = {static_cast<std::uint32_t>(packed >> 2U)},
            .alive = (packed & 1U) != 0,
            .finished = (packed & 2U) != 0};
  }

  std::array<Count, message_classes> sent;        // messages, by class
  std::array<Count, message_classes> sent_bytes;  // by class, as burdens count them
  Count received;                                 // refused packets are dropped instead
  Count received_bytes;
  Count duplicated;                  // by links, of the packets that it sent
  Count events;                      // packets, timers, work ends and inputs handled
  std::array<Count, drops> dropped;  // by reason
  Count32 running;                   // pieces of work under way
  Count32 inbox;                     // messages that waited at the last receive; on threads only
  // Tasks that are here and have not been begun, as the scheduler reports them. A task under way is
  // at no peer and no task is at two peers, so that the sum over all peers is no more than the
  // tasks submitted and not begun; unless a task was handed out again that another peer still has.
  Count32 waiting;
  std::array<Punctuality, measures> punctuality;

 private:
  friend struct Fields;
  template <class Self>
  static auto fields(Self& self) {
    return std::tie(self.sent, self.sent_bytes, self.received, self.received_bytes, self.duplicated,
                    self.dropped);
  }
  template <class Self, class F>
  static void each(Self& self, F f) {
    for (auto& count : self.sent) f(count);
    for (auto& count : self.sent_bytes) f(count);
    for (auto& count : self.dropped) f(count);
    for (auto& measured : self.punctuality)
      f(measured.seen), f(measured.late), f(measured.very_late);
    f(self.received), f(self.received_bytes), f(self.duplicated);
    f(self.events), f(self.running), f(self.inbox), f(self.waiting), f(self.presence_);
  }
  template <std::size_t n>
  static std::uint64_t sum(const std::array<Count, n>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Count& count) { return sum + count.get(); });
  }

  Count presence_;  // packed into one number, so that it is consistent
};

}  // namespace rhizome::core
