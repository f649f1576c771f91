// A locator: one for each peer. It moves tasks that have not begun from peer to peer, brings them
// the data of their predecessors wherever the tasks are, and removes the forwarders that it leaves
// behind (Peterson, dissertation, sections 6 and 7). It is pure: messages in, effects out, without
// clock or chance, so that every order of events can be tried.
//
// Messages may be lost, doubled and overtake each other. A message without an answer goes out again
// with repeat(), which the host of the locator calls from time to time. A peer that crashes loses
// its locator; a peer that knows of its tasks and data places or gives them again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "agents/locator/finder.hpp"
#include "agents/locator/messages.hpp"
#include "agents/locator/options.hpp"

namespace rhizome::agents::locator {

// What a peer may know of a task: at most one of these.
struct Resident {
  Mobile mobile;
  bool started = false;
};
using Looking = std::variant<Data, Find>;
// A task on its way to another peer, in the epoch that it will have there.
struct Leaving {
  Mobile mobile;
  PeerId to;
  bool called_off = false;
  bool uncertain = false;  // the receiver crashed, perhaps with the task
  bool fresh = true;       // since the last repetition
  std::uint32_t tries = 0;
  std::vector<Looking> buffer{};
};
struct Forward {
  Address next;
  bool over = false;              // its task needs no more data
  std::vector<TaskId> awaited{};  // predecessors whose data have not passed yet
};
// The task was here, up to this epoch; or it needs no more data.
struct Mark {
  Epoch epoch = 0;
  bool over = false;
};
using Place = std::variant<Resident, Leaving, Forward, Mark>;

class Locator {
 public:
  // The locator of peer `self` among peers 0 to peers - 1. Kinds with one registry ask `home`.
  // Options outlive the locator.
  Locator(PeerId self, const Options& options, std::uint32_t peers, PeerId home);

  // A task enters here: new, or again because it was lost, with a later generation.
  void place(Mobile mobile, LocatorEffects& out);
  // Sends a task to another peer; false unless it is here and has not begun.
  [[nodiscard]] bool move(TaskId task, PeerId to, LocatorEffects& out);
  // Calls a move off, unless its receiver has the task already.
  void call_off(TaskId task, LocatorEffects& out);
  // Takes back a task that was on its way, in an epoch of a generation that it never had. Only for
  // a caller that knows that the task never arrived and is nowhere else: silence alone does not
  // prove that.
  void take_back(TaskId task, Epoch epoch, LocatorEffects& out);
  // A task that needs no more data begins here, and moves no more.
  void start(TaskId task, LocatorEffects& out);
  // A task is done: its data are sent to its successors.
  void finish(TaskId task, LocatorEffects& out);
  // Sends these successors the data of task `from`, once more if need be.
  void give(TaskId from, const std::vector<Neighbour>& successors, LocatorEffects& out);
  // The task is known to have been done by a peer that has crashed: peers that look for the task
  // are told so here, and its forwarders go.
  void over(TaskId task, LocatorEffects& out);
  // The task is known to be done, somewhere: a peer that asks all others for it is told so here.
  void conclude(TaskId task, LocatorEffects& out);
  // A task that is here is not needed, because it was done elsewhere.
  void drop(TaskId task, LocatorEffects& out);
  // All tasks are done: nothing waits any more. Where forwarders go when their tasks begin, no
  // forwarder is left, not even of a task that began beyond a cut.
  void close(LocatorEffects& out);
  // Sends again what is not answered. What went out since the last repetition is left out, unless
  // `also_fresh` is set.
  void repeat(LocatorEffects& out, bool also_fresh = false);
  // A peer has crashed.
  void lost(PeerId peer);
  // Messages are not trusted: a message that is impossible here has no effect.
  void on(PeerId from, const Messages& message, LocatorEffects& out);

  // All tasks that this peer knows of.
  [[nodiscard]] const std::map<TaskId, Place>& places() const { return places_; }
  template <class P>
  [[nodiscard]] const P* find(TaskId task) const {
    const auto found = places_.find(task);
    return found == places_.end() ? nullptr : std::get_if<P>(&found->second);
  }
  // A datum that its task has not confirmed.
  struct Sought {
    Address at;
    std::uint64_t bytes = 0;
    std::uint32_t tries = 0;
    bool asking = false;
    bool everywhere = false;  // all peers are asked
    bool fresh = true;
  };
  using Errand = std::pair<TaskId, TaskId>;  // to, from
  [[nodiscard]] const std::map<Errand, Sought>& errands() const { return errands_; }
  [[nodiscard]] std::size_t parked() const;
  [[nodiscard]] std::size_t buffered() const;
  // Tasks that are leaving this peer.
  [[nodiscard]] const std::set<TaskId>& leaving() const { return leaving_; }
  // Nothing has to be repeated, and nothing waits.
  [[nodiscard]] bool quiet() const;
  // Whether tasks leave forwarders behind; and whether forwarders go once their task begins.
  [[nodiscard]] bool forwards() const { return finder_->leaves_address(); }
  [[nodiscard]] bool sweeps() const;

  // All state that the further behaviour depends on.
  template <class StateDump>
  void dump_state(StateDump& dump) const {
    dump.tell("places", places_);
    dump.tell("errands", errands_);
    dump.tell("parked", parked_);
    dump.tell("refused", refused_);
    dump.tell("removals", removals_);
    dump.tell("told", finder_->all_known());
  }

 private:
  struct Parked {
    Looking what;
    std::uint32_t age = 0;
  };
  struct Removal {
    Epoch epoch = 0;
    std::set<PeerId> peers{};
    std::uint32_t tries = 0;
    bool fresh = true;
  };

  void handle(PeerId from, const Move& move, LocatorEffects& out);
  void handle(PeerId from, const Moved& moved, LocatorEffects& out);
  void handle(PeerId from, const MoveCancel& cancel, LocatorEffects& out);
  void handle(PeerId from, const Data& data, LocatorEffects& out);
  void handle(PeerId from, const Find& find, LocatorEffects& out);
  void handle(PeerId from, const Location& location, LocatorEffects& out);
  void handle(PeerId from, const Remove& remove, LocatorEffects& out);
  void handle(PeerId from, const Removed& removed, LocatorEffects& out);

  void sweep(TaskId task, Epoch epoch, const std::vector<PeerId>& peers, LocatorEffects& out);
  void repeat(TaskId task, Leaving& leaving, LocatorEffects& out) const;
  void repeat_removals(LocatorEffects& out, bool also_fresh);
  void age_parked(LocatorEffects& out);

  // The only function that changes what is known of a task: it notes the change and keeps the
  // indices up to date.
  void put(TaskId task, Place place, LocatorEffects& out);
  void begin(TaskId task, const Place& place, LocatorEffects& out);
  void end(TaskId task, const Place& place, LocatorEffects& out);
  void index(const Mobile& mobile);
  void forget(const Mobile& mobile);

  // A message to this peer itself is handled at once, after the present one.
  void settle(LocatorEffects& out);
  void install(Mobile mobile, LocatorEffects& out);
  // The receiver, or a later receiver, has the task.
  void leave(TaskId task, const Address& next, LocatorEffects& out);
  void look(const Looking& looking, LocatorEffects& out);
  void meet(Resident& resident, const Looking& looking, LocatorEffects& out);
  void pass(Looking looking, const Address& next, LocatorEffects& out);
  void pass(Forward& forward, const Looking& looking, LocatorEffects& out);
  void park(const Looking& looking, LocatorEffects& out);
  // Releases messages that waited for the task, or for its address.
  void release(TaskId task, LocatorEffects& out);
  void release(const Location& location, LocatorEffects& out);
  void confirm(PeerId from, const Location& location, LocatorEffects& out);
  void answer(const Route& route, const Address& at, std::vector<TaskId> delivered,
              LocatorEffects& out) const;
  void seek(const Errand& errand, Sought& sought, LocatorEffects& out);
  void send(const Errand& errand, const Sought& sought, LocatorEffects& out);
  void learn(const Location& location, LocatorEffects& out);
  void learn(Resident& resident, const Location& location, LocatorEffects& out);
  void passed(TaskId task, const std::vector<TaskId>& predecessors, LocatorEffects& out);
  [[nodiscard]] Epoch known_epoch(TaskId task) const;
  [[nodiscard]] bool counts() const;
  [[nodiscard]] std::vector<PeerId> all_peers() const;
  [[nodiscard]] std::vector<PeerId> visited(const Mobile& mobile) const;

  const PeerId self_;
  const Options& options_;
  const std::uint32_t peers_;
  std::unique_ptr<Finder> finder_;
  std::map<TaskId, Place> places_;
  std::set<TaskId> leaving_;
  std::set<std::pair<TaskId, TaskId>> mentioned_;  // task, and the task here that mentions it
  std::map<Errand, Sought> errands_;
  std::map<TaskId, std::vector<Parked>> parked_;
  std::map<TaskId, Epoch> refused_;  // by task: latest epoch that is refused
  std::map<TaskId, Removal> removals_;
};

// What looks for a task, whether it carries a datum or only asks.
[[nodiscard]] inline Route& route_of(Looking& looking) {
  return std::visit([](auto& what) -> Route& { return what.route; }, looking);
}
[[nodiscard]] inline const Route& route_of(const Looking& looking) {
  return std::visit([](const auto& what) -> const Route& { return what.route; }, looking);
}

inline void note_held(const Looking& looking, LocatorEffects& out) {
  out.notes.emplace_back(SearchHeld{route_of(looking).to, route_of(looking).from});
}
inline void note_released(const Looking& looking, LocatorEffects& out) {
  out.notes.emplace_back(SearchReleased{route_of(looking).to, route_of(looking).from});
}

}  // namespace rhizome::agents::locator
