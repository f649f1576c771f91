// A node's link to its parent: tasks asked for, supplies received, and results that the parent has
// not confirmed; and the farewells to former parents that have not confirmed theirs.
#pragma once

#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "agents/organic_grid/messages.hpp"
#include "agents/organic_grid/tree/stream.hpp"

namespace rhizome::agents::grid {

using core::Time;

// One stay at one parent.
struct Uplink {
  PeerId parent = core::nobody;
  std::uint64_t epoch = 0;
  std::uint64_t demanded = 0;
  std::uint64_t announced = 0;  // the part of `demanded` that the parent was told
  std::uint64_t excess = 0;     // outstanding tasks that are not needed any more
  StreamInbox supplies{};
  Outbox<Result> results{};
  Time last_heard{};
  Time last_sent{};

  [[nodiscard]] bool attached() const { return parent != core::nobody; }
  // Whether a message is from the parent, about this stay.
  [[nodiscard]] bool is(PeerId from, std::uint64_t of_epoch) const {
    return attached() && from == parent && of_epoch == epoch;
  }
  // Asked for and not here yet.
  [[nodiscard]] std::uint64_t outstanding() const {
    return demanded > supplies.next() ? demanded - supplies.next() : 0;
  }
};

// Results of stays that have ended, until the former parent has said how many it has.
class Farewells {
 public:
  struct Farewell {
    Uplink stay;
    Time since{};
  };

  void add(Uplink stay, Time now) { list_.push_back({std::move(stay), now}); }
  [[nodiscard]] const std::vector<Farewell>& list() const { return list_; }
  // Removes that stay, which is settled; nothing if it is not known.
  [[nodiscard]] std::optional<Uplink> take(PeerId parent, std::uint64_t epoch) {
    for (auto farewell = list_.begin(); farewell != list_.end(); ++farewell) {
      if (farewell->stay.parent != parent || farewell->stay.epoch != epoch) continue;
      Uplink stay = std::move(farewell->stay);
      list_.erase(farewell);
      return stay;
    }
    return {};
  }
  // Results sent to parents that have not answered within `timeout`, and may be dead.
  [[nodiscard]] std::vector<Result> expire(Time now, Duration timeout) {
    std::vector<Result> left;
    for (const Farewell& farewell : list_)
      if (now - farewell.since > timeout)
        left.insert(left.end(), farewell.stay.results.items().begin(),
                    farewell.stay.results.items().end());
    std::erase_if(list_, [&](const Farewell& f) { return now - f.since > timeout; });
    return left;
  }

 private:
  std::vector<Farewell> list_;
};

}  // namespace rhizome::agents::grid
