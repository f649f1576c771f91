// A division: divides the processors of a server among its tasks, all of which are served at once.
// Rates may change while no task comes or goes: the server has a timer for that.
#pragma once

#include <functional>
#include <optional>

#include "agents/discipline.hpp"
#include "core/peer/interface.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents {

// A timer of a server, which the scheduler passes on to it: then the processors are divided anew.
struct DivideDue {};

// Belongs to one server. Times never decrease.
class Division : public core::Interface {
 public:
  using Give = std::function<void(ResidentTask& resident, double rate)>;

  // The server serves the task from now on.
  virtual void add(ResidentTask* resident, core::Time now) = 0;
  // The server no longer serves the task; it may never have been added.
  virtual void remove(const ResidentTask* resident, core::Time now) = 0;
  // Divides this number of processors anew: calls `give` for each task with its rate, at most 1.
  virtual void divide(double processors, core::Time now, const Give& give) = 0;
  // The time for which these rates hold if no task comes or goes; nothing: without limit.
  [[nodiscard]] virtual std::optional<core::Duration> until_next() const { return {}; }
};

}  // namespace rhizome::agents
