// What may be believed. Whatever comes from outside passes here before it is used as an index, a
// size or a state: every id has to be of this world, every need possible, and what only the source
// can know has to come from there. Whom a packet is from, its engine vouches for.
#pragma once

#include <vector>

#include "agents/scheduler.hpp"
#include "agents/sparrow/messages.hpp"

namespace rhizome::agents::sparrow {

class Credible {
 public:
  Credible(PeerId self, const World& world) : self_(self), world_(world) {}

  [[nodiscard]] bool operator()(PeerId from, const Probe& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Deposited& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Ready& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Assign& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Cancel& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Completed& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Query& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Load& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Place& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Audit& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Unknown& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Report& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Noted& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Adopt& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Adopted& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Disown& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Hello& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Welcome& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Over& message) const;
  [[nodiscard]] bool operator()(PeerId from, const OverToo& message) const;
  [[nodiscard]] bool operator()(PeerId from, const CallUp& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Enlisted& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Declined& message) const;
  [[nodiscard]] bool operator()(PeerId from, const Dismiss& message) const;

 private:
  [[nodiscard]] bool lives_here(PeerId peer) const { return peer.value < world_.peers(); }
  [[nodiscard]] bool exists(TaskId task) const;
  [[nodiscard]] bool exist(const std::vector<TaskId>& tasks) const;
  [[nodiscard]] bool genuine(const Task& task) const;
  // Said by the source to another.
  [[nodiscard]] bool by_source(PeerId from) const {
    return from == world_.source && self_ != world_.source;
  }

  PeerId self_;
  const World& world_;
};

}  // namespace rhizome::agents::sparrow
