// Gauges: what an observer may read of one peer while it runs. The thread that runs the peer is
// their only writer, so that neither side waits: an observer samples whenever it likes, and what it
// reads of one gauge may be younger than what it read of another.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/peer/packet.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

// A number with one writer and any readers.
template <class Number>
class Gauge {
 public:
  void set(Number value) { value_.store(value, std::memory_order_relaxed); }
  void add(Number more) { set(get() + more); }
  void take(Number less) { set(get() - less); }
  [[nodiscard]] Number get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<Number> value_{0};
};

// How punctual a peer's thread is in one respect, by the tolerance for lags of the run. Where there
// is none, nothing is late.
struct Punctuality {
  static constexpr int very = 4;  // tolerances

  void add(Duration lag, Duration tolerance) {
    seen.add(1);
    if (tolerance <= Duration::zero() || lag <= tolerance) return;
    late.add(1);
    if (lag > very * tolerance) very_late.add(1);
  }

  Gauge<std::uint64_t> seen;
  Gauge<std::uint64_t> late;  // those very late included
  Gauge<std::uint64_t> very_late;
};

// Counts are of all lives, from the start of the run. Packets in flight are those sent and
// duplicated that were neither received nor dropped, of all peers together.
struct alignas(64) Gauges {
  using Count = Gauge<std::uint64_t>;
  using Level = Gauge<std::uint32_t>;

  // Messages, and bytes as burdens count them.
  struct Traffic {
    void add(std::size_t size) {
      messages.add(1);
      bytes.add(size);
    }

    Count messages;
    Count bytes;
  };

  // Of one moment.
  struct Presence {
    Incarnation life;  // the present one, or the last
    bool alive = false;
    bool finished = false;
    friend bool operator==(const Presence&, const Presence&) = default;
  };

  // How late events were, and how long handlers took; of threads only.
  enum class Measure : std::uint8_t { packet, timer, work, handler, last = handler };
  static constexpr std::size_t measures = static_cast<std::size_t>(Measure::last) + 1;

  [[nodiscard]] Traffic& sent_of(MessageClass kind) { return sent[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] Traffic& received_of(MessageClass kind) {
    return received[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] Count& dropped_for(Drop why) { return dropped[static_cast<std::size_t>(why)]; }
  [[nodiscard]] Punctuality& punctuality_of(Measure measure) {
    return punctuality[static_cast<std::size_t>(measure)];
  }

  void is(const Presence& presence) {
    presence_.set((std::uint64_t{presence.life.value} << 2U) | (presence.finished ? 2U : 0U) |
                  (presence.alive ? 1U : 0U));
  }
  [[nodiscard]] Presence presence() const {
    const std::uint64_t packed = presence_.get();
    return {.life = {static_cast<std::uint32_t>(packed >> 2U)},
            .alive = (packed & 1U) != 0,
            .finished = (packed & 2U) != 0};
  }

  std::array<Traffic, message_classes> sent;      // by class
  std::array<Traffic, message_classes> received;  // what was refused is not among it
  std::array<Count, drops> dropped;               // by reason
  Count duplicated;                               // by links, of what it sent
  Count events;                                   // packets, timers, work ends and inputs handled
  Count facts;                                    // noted
  Level timers;                                   // armed
  Level works;                                    // pieces under way
  Level inbox;  // messages that waited when it last took one; of threads only
  std::array<Punctuality, measures> punctuality;

 private:
  Count presence_;  // all of it in one, so that it is of one moment
};

}  // namespace rhizome::core
