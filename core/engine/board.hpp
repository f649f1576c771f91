// A board: the state of a run that observers may read while it is under way. The engine owns it and
// writes the same values whether an observer reads them or not; readers do not disturb the run.
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

  // May be called from any thread.
  [[nodiscard]] std::uint32_t peers() const {
    return static_cast<std::uint32_t>(recorders_.size());
  }
  // To be called by a reader before it reads, in one thread at a time. Where other shares have
  // peers, takes in what these shares have reported, and asks for more.
  void catch_up() const;
  // The mirror of the peers of other shares; nullptr: these are not shown, or there are none.
  [[nodiscard]] const Mirror* mirror() const { return mirror_; }
  // Whether the board shows a peer: not if another share runs it and there is no mirror.
  [[nodiscard]] bool shows(PeerId peer) const { return recorders_[peer.value] != nullptr; }
  // The vitals of a peer that the board shows.
  [[nodiscard]] const Vitals& vitals(PeerId peer) const { return recorders_[peer.value]->vitals(); }
  [[nodiscard]] const FactLog& facts(PeerId peer) const { return recorders_[peer.value]->facts(); }
  // Emulated time, as of some milliseconds ago.
  [[nodiscard]] Time now() const { return Time(Duration(static_cast<Duration::rep>(now_.get()))); }

  // The number of faults of that kind that have struck peers, planned and by hand. Faults without
  // effect do not count.
  [[nodiscard]] std::uint64_t faults(Fault::Kind kind) const;

  // Whether the views of overlays are to be shown from now on. As long as they are, they cost their
  // peers some time. From one thread at a time.
  void want_views(bool wanted) const {
    if (wanted && !views_) views_ = std::make_unique<Views>(peers());
    wanted_views_.store(wanted ? views_.get() : nullptr, std::memory_order_release);
  }
  // The views as of the last event of each peer while they were wanted; nullptr if they never were.
  // From the same thread.
  [[nodiscard]] const Views* views() const { return views_.get(); }

  // For the engine: where to show the views; nullptr while no reader wants them.
  [[nodiscard]] Views* wanted_views() const {
    return wanted_views_.load(std::memory_order_acquire);
  }
  // For the engine, before any reader looks. The recorder stays in place until no reader looks.
  void show(PeerId peer, const Recorder& recorder) { recorders_[peer.value] = &recorder; }
  // For the engine, before any reader looks: shows all peers of the mirror.
  void reflect(Mirror& mirror);
  // Counts a fault that struck a peer. Called by one thread, as pass() is.
  void strike(Fault::Kind kind) { faults_[static_cast<std::size_t>(kind)].add(1); }
  void pass(Time now) { now_.set(static_cast<std::uint64_t>(now.time_since_epoch().count())); }

 private:
  std::vector<const Recorder*> recorders_;  // by peer
  Count now_;                               // nanoseconds
  std::array<Count, fault_kinds> faults_;
  Mirror* mirror_ = nullptr;
  mutable std::unique_ptr<Views> views_;  // read by observers
  mutable std::atomic<Views*> wanted_views_{nullptr};
};

}  // namespace rhizome::core
