#include "agents/sparrow/credible.hpp"

#include <algorithm>

#include "agents/possible.hpp"

namespace rhizome::agents::sparrow {

bool Credible::exists(TaskId task) const { return world_.profile.has(task); }

bool Credible::exist(const std::vector<TaskId>& tasks) const {
  return std::all_of(tasks.begin(), tasks.end(), [this](TaskId task) { return exists(task); });
}

// The workload may have it, and it could run. What was submitted under its id, nobody but its
// master can know.
bool Credible::genuine(const Task& task) const {
  return world_.profile.has(task) && agents::possible(task);
}

bool Credible::operator()(PeerId from, const Probe& message) const {
  return lives_here(from) && lives_here(message.master) && exists(message.task) &&
         message.needs.possible() && message.told >= core::Duration::zero() &&
         message.told <= longest_time;
}
bool Credible::operator()(PeerId from, const Deposited& message) const {
  return lives_here(from) && exists(message.task);
}
bool Credible::operator()(PeerId from, const Ready& message) const {
  return lives_here(from) && exists(message.task);
}
bool Credible::operator()(PeerId from, const Assign& message) const {
  return lives_here(from) && genuine(message.task);
}
bool Credible::operator()(PeerId from, const Cancel&) const { return lives_here(from); }
bool Credible::operator()(PeerId from, const Completed& message) const {
  return lives_here(from) && exists(message.task);
}
bool Credible::operator()(PeerId from, const Query& message) const {
  return lives_here(from) && lives_here(message.master) && message.needs.possible();
}
bool Credible::operator()(PeerId from, const Load& message) const {
  return lives_here(from) && std::isfinite(message.utility) && message.size.possible();
}
bool Credible::operator()(PeerId from, const Place& message) const {
  return lives_here(from) && genuine(message.task);
}
bool Credible::operator()(PeerId from, const Audit& message) const {
  return lives_here(from) && exist(message.tasks);
}
bool Credible::operator()(PeerId from, const Unknown& message) const {
  return lives_here(from) && exist(message.tasks);
}

// Of groups. A leader is a master, and any peer may be one.
bool Credible::operator()(PeerId from, const CallUp& message) const {
  return lives_here(from) && exists({message.job, 0});
}
bool Credible::operator()(PeerId from, const Enlisted& message) const {
  return lives_here(from) && exists({message.job, 0}) && message.room.possible() &&
         std::isfinite(message.speed) && message.speed > 0;
}
bool Credible::operator()(PeerId from, const Declined& message) const {
  return lives_here(from) && exists({message.job, 0});
}
bool Credible::operator()(PeerId from, const Dismiss& message) const {
  return lives_here(from) && exists({message.job, 0});
}

// To the source.
bool Credible::operator()(PeerId from, const Report& message) const {
  return lives_here(from) && lives_here(message.executor) && exists(message.task);
}
bool Credible::operator()(PeerId from, const Adopted& message) const {
  return lives_here(from) && exist(message.tasks);
}
bool Credible::operator()(PeerId from, const Hello&) const { return lives_here(from); }
bool Credible::operator()(PeerId from, const OverToo&) const { return lives_here(from); }

// From it, which may be a master itself.
bool Credible::operator()(PeerId from, const Noted& message) const {
  return from == world_.source && exists(message.task);
}
bool Credible::operator()(PeerId from, const Adopt& message) const {
  return from == world_.source && std::all_of(message.tasks.begin(), message.tasks.end(),
                                              [this](const Task& task) { return genuine(task); });
}
bool Credible::operator()(PeerId from, const Disown& message) const {
  return by_source(from) && exist(message.tasks);
}
bool Credible::operator()(PeerId from, const Welcome&) const { return by_source(from); }
bool Credible::operator()(PeerId from, const Over&) const { return by_source(from); }

}  // namespace rhizome::agents::sparrow
