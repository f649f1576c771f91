// When a peer has room: tasks may be put between others that were booked before.
#pragma once

#include <map>
#include <optional>

#include "agents/resources.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::bounds {

class Calendar {
 public:
  explicit Calendar(const Capacity& capacity) : capacity_(capacity) {}

  // How long it works on the task.
  [[nodiscard]] core::Duration service(const Task& task) const;
  // The earliest time from `ready` on at which it has room for the task, for as long as that takes;
  // nothing when it never fits.
  [[nodiscard]] std::optional<core::Time> earliest(const Task& task, core::Time ready) const;
  // Returns when it will end.
  core::Time book(const Task& task, core::Time start);
  // Nobody will ask for a time before that.
  void forget_before(core::Time time);

 private:
  using Usage = std::map<core::Time, Resources>;

  // Begins a segment there, if none begins.
  Usage::iterator split(core::Time at);

  Capacity capacity_;
  // What is taken from that time on, until the next one that is written down.
  Usage used_{{core::Time::min(), Resources{.cpus = 0}}};
};

}  // namespace rhizome::agents::bounds
