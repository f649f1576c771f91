// One locator by itself: message in, effects out. Peers are 0 to 4, and 0 is the home; the task
// that moves needs what another gives it.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "agents/locator/locator.hpp"

namespace rhizome::test::desk {

using namespace agents;
using namespace agents::locator;

inline const TaskId mover{0, 1};
inline const TaskId giver{0, 0};
inline const TaskId other{0, 7};

inline Mobile mobile(std::vector<TaskId> unmet = {giver}, std::vector<PeerId> visited = {}) {
  Mobile made{.task = {.id = mover}, .epoch = visited.size(), .visited = std::move(visited)};
  for (const TaskId task : unmet) made.unmet.push_back({task, {PeerId{4}, 0}, 1});
  return made;
}

// One locator, and the effects of the last event.
struct Desk {
  Options options;
  Locator locator;
  LocatorEffects out{};
  explicit Desk(Options chosen = {}, std::uint32_t self = 1)
      : options(chosen), locator(PeerId{self}, options, 5, PeerId{0}) {}

  void place(const Mobile& task) {
    out = {};
    locator.place(task, out);
  }
  bool move(std::uint32_t to) {
    out = {};
    return locator.move(mover, PeerId{to}, out);
  }
  void get(std::uint32_t from, const Messages& message) {
    out = {};
    locator.on(PeerId{from}, message, out);
  }
  void repeat(int times = 1) {
    for (int i = 0; i < times; ++i) {
      out = {};
      locator.repeat(out, true);
    }
  }
  // It was here, and is at peer 2 now, in epoch 1.
  void leave_forwarder(const Mobile& task = mobile()) {
    place(task);
    REQUIRE(move(2));
    get(2, Moved{mover, 1});
  }
  template <class M>
  [[nodiscard]] std::vector<M> sent(std::uint32_t to) const {
    std::vector<M> messages;
    for (const auto& send : out.sends)
      if (const M* message = std::get_if<M>(&send.message);
          message != nullptr && send.to == PeerId{to})
        messages.push_back(*message);
    return messages;
  }
};

inline Data data(Epoch version, std::uint32_t origin = 4, TaskId from = giver) {
  return {{mover, from, PeerId{origin}, version}, 100};
}

}  // namespace rhizome::test::desk
