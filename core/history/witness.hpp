// A witness of a host: who is told what its peer wants, and asked what the host sees of others. One
// writes it down, so that the run can be replayed; in the replay another holds it to that.
#pragma once

#include <cstdint>

#include "core/history/host_event.hpp"
#include "core/peer/effect.hpp"

namespace rhizome::core {

// Of one host, in the thread that runs it.
class Witness {
 public:
  Witness() = default;
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;
  virtual ~Witness() = default;

  // The host is about to hear of that, or has been told that it was void.
  virtual void begins(Time, const HostEvent&, const Matter&) {}
  virtual void was_void() {}
  // The work that its peer has begun is really done.
  virtual void really() {}
  // Its peer has handled something, and wants that; before any of it is done.
  virtual void wants(const Effects& effects) = 0;

  // What other threads change at the same time. The host says what it sees there, and is told what
  // it is to have seen: the life of a peer to which it sends; whether another piece of work, or one
  // less, has changed the share of all in a processor; and what that share is.
  [[nodiscard]] virtual Incarnation sees_life(PeerId peer, Incarnation seen) = 0;
  [[nodiscard]] virtual bool sees_change(bool seen) = 0;
  [[nodiscard]] virtual double sees_share(double seen) = 0;
};

}  // namespace rhizome::core
