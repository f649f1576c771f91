// A witness of a host: it gets the effects that the host's peer wants, and answers what the host
// sees of other threads. When recording, the witness writes these down; in a replay it compares the
// effects with the record, and answers from it.
#pragma once

#include "core/history/host_event.hpp"
#include "core/peer/effect.hpp"
#include "core/peer/interface.hpp"

namespace rhizome::core {

// Belongs to one host, and is called in the thread that runs it.
class Witness : public Interface {
 public:
  // The host is about to handle this event, or has learnt that the event was void.
  virtual void begins(Time, const HostEvent&, const Matter&) {}
  virtual void was_void() {}
  // The work that the peer has begun is really done.
  virtual void really() {}
  // The peer has handled an event, and wants these effects; called before any of them is done.
  virtual void wants(const Effects& effects) = 0;

  // Changes by other threads. The host passes what it sees, and gets the value that it must use:
  // the life of a peer to which it sends; whether one piece of work more or less has changed the
  // share of all pieces in a processor; and that share.
  [[nodiscard]] virtual Incarnation sees_life(PeerId peer, Incarnation seen) = 0;
  [[nodiscard]] virtual bool sees_change(bool seen) = 0;
  [[nodiscard]] virtual double sees_share(double seen) = 0;
};

}  // namespace rhizome::core
