// A division: how the processors of a server are divided among its tasks, all of which are served
// at once. It may change while nobody comes or goes: the server has a timer for that.
#pragma once

#include <functional>
#include <optional>

#include "agents/discipline.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents {

// Of one server. Times never decrease.
class Division {
 public:
  using Give = std::function<void(ResidentTask& resident, double rate)>;

  Division() = default;
  Division(const Division&) = delete;
  Division& operator=(const Division&) = delete;
  virtual ~Division() = default;

  // One that is served from now on; and one that is not any more, if it was.
  virtual void add(ResidentTask* resident, core::Time now) = 0;
  virtual void remove(const ResidentTask* resident, core::Time now) = 0;
  // Divides so many processors anew: gives each task its rate, at most 1.
  virtual void divide(double processors, core::Time now, const Give& give) = 0;
  // How long those rates hold although nobody comes or goes; for ever where there is none.
  [[nodiscard]] virtual std::optional<core::Duration> until_next() const { return {}; }
};

}  // namespace rhizome::agents
