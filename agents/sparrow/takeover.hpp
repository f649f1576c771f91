// The tasks of dead masters: the source gives them to this peer's master, or takes from it what
// others were given while it was held for dead.
#pragma once

#include <cstdint>
#include <map>

#include "agents/sparrow/master.hpp"
#include "agents/sparrow/messages.hpp"

namespace rhizome::agents::sparrow {

class Takeover {
 public:
  using Messages = core::OneOf<Adopt, Disown>;

  explicit Takeover(Master& master) : master_(master) {}

  void on(Env& env, PeerId from, const Adopt& message);
  void on(Env& env, PeerId from, const Disown& message);
  // The run is over: from now on it only confirms the tasks that it is given.
  void rest() { resting_ = true; }

 private:
  // A former order that comes after a later one of the same job is not obeyed.
  [[nodiscard]] bool obey(std::uint32_t job, std::uint64_t order);

  Master& master_;
  std::map<std::uint32_t, std::uint64_t> latest_;  // order, by job
  bool resting_ = false;
};

}  // namespace rhizome::agents::sparrow
