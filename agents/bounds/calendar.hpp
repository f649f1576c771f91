// When a peer has room: a task may be booked between tasks that were booked before.
#pragma once

#include <map>
#include <optional>

#include "agents/resources.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::bounds {

class Calendar {
 public:
  explicit Calendar(const Capacity& capacity) : capacity_(capacity) {}

  // How long the peer works on the task.
  [[nodiscard]] core::Duration service(const Task& task) const;
  // The earliest time from `ready` on at which the peer has room for the task until its end;
  // nothing when it never fits.
  [[nodiscard]] std::optional<core::Time> earliest(const Task& task, core::Time ready) const;
  // Returns when the task will end.
  core::Time book(const Task& task, core::Time start);
  // The caller will ask for no time before `time`.
  void forget_before(core::Time time);

 private:
  using Usage = std::map<core::Time, Resources>;

  // Begins a segment at that time, if none begins there.
  Usage::iterator split(core::Time at);

  Capacity capacity_;
  // The resources in use from that time on, until the next entry.
  Usage used_{{core::Time::min(), Resources{.cpus = 0}}};
};

}  // namespace rhizome::agents::bounds
