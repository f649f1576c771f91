// A witness of a host: it is told what the host's peer wants, and asked what the host sees of other
// threads. One witness writes this down, so that the run can be replayed; in the replay another one
// holds the host to the record.
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

  // What other threads change at the same time. The host says what it sees there, and is told what
  // it is to have seen: the life of a peer to which it sends; whether one piece of work more or
  // less has changed the share of all pieces in a processor; and what that share is.
  [[nodiscard]] virtual Incarnation sees_life(PeerId peer, Incarnation seen) = 0;
  [[nodiscard]] virtual bool sees_change(bool seen) = 0;
  [[nodiscard]] virtual double sees_share(double seen) = 0;
};

}  // namespace rhizome::core
