// A board: all that may be seen of a run from outside while it is under way. The engine owns it and
// writes what it shows anyway, whether somebody looks or not; who looks reads, and is not noticed.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/engine/fault.hpp"
#include "core/peer/gauge.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/recorder.hpp"
#include "core/peer/time.hpp"
#include "core/peer/views.hpp"

namespace rhizome::core {

class Mirror;

class Board {
 public:
  explicit Board(std::uint32_t peers) : recorders_(peers) {}
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  // From any thread.
  [[nodiscard]] std::uint32_t peers() const {
    return static_cast<std::uint32_t>(recorders_.size());
  }
  // Whoever looks, before he does, in one thread at a time: where other shares have peers, takes in
  // what these have told of them, and asks for more.
  void catch_up() const;
  // Of the peers of other shares; nullptr: they are not to be seen, or there are none.
  [[nodiscard]] const Mirror* mirror() const { return mirror_; }
  // Whether a peer is to be seen here: not where another share of the run has it, and no mirror.
  [[nodiscard]] bool shows(PeerId peer) const { return recorders_[peer.value] != nullptr; }
  // Of one that it shows.
  [[nodiscard]] const Vitals& vitals(PeerId peer) const { return recorders_[peer.value]->vitals(); }
  [[nodiscard]] const FactLog& facts(PeerId peer) const { return recorders_[peer.value]->facts(); }
  // Emulated time, as of some milliseconds ago.
  [[nodiscard]] Time now() const { return Time(Duration(static_cast<Duration::rep>(now_.get()))); }

  // How many faults of that kind have struck its peers, as planned and by hand: those that found
  // nothing to do are none.
  [[nodiscard]] std::uint64_t faults(Fault::Kind kind) const;

  // Whether the views of overlays are to be shown from now on; they cost their peers something as
  // long as they are. From one thread at a time.
  void want_views(bool wanted) const {
    if (wanted && !views_) views_ = std::make_unique<Views>(peers());
    wanted_views_.store(wanted ? views_.get() : nullptr, std::memory_order_release);
  }
  // As of the last event of each peer while they were wanted; nullptr if they never were. From the
  // same thread.
  [[nodiscard]] const Views* views() const { return views_.get(); }

  // The engine's: where to show them, nullptr while nobody wants them.
  [[nodiscard]] Views* wanted_views() const {
    return wanted_views_.load(std::memory_order_acquire);
  }
  // The engine's: before anybody looks, of a recorder that stays where it is until nobody does.
  void show(PeerId peer, const Recorder& recorder) { recorders_[peer.value] = &recorder; }
  // The engine's: before anybody looks, of all whom it reflects.
  void reflect(Mirror& mirror);
  // From one thread, as the next: somebody has come or gone.
  void strike(Fault::Kind kind) { faults_[static_cast<std::size_t>(kind)].add(1); }
  void pass(Time now) { now_.set(static_cast<std::uint64_t>(now.time_since_epoch().count())); }

 private:
  std::vector<const Recorder*> recorders_;  // by peer
  Count now_;                               // nanoseconds
  std::array<Count, fault_kinds> faults_;
  Mirror* mirror_ = nullptr;
  mutable std::unique_ptr<Views> views_;  // of who looks
  mutable std::atomic<Views*> wanted_views_{nullptr};
};

}  // namespace rhizome::core
