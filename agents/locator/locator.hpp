// A locator: one for each peer. It moves tasks that are still to be begun from peer to peer, brings
// them what their predecessors give, wherever they are, and takes away what it leaves behind
// (Peterson, dissertation, sections 6 and 7). It is pure: messages in, effects out, without clock
// or chance, so that every order of events can be tried.
//
// Messages may be lost, doubled and overtake each other. Whatever is not answered goes out again
// with repeat(), which whoever hosts it calls from time to time. A peer that crashes loses its
// locator; what it had is placed, or given, again by somebody who knows of it.
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
// On its way to another peer, in the epoch that it will have there.
struct Leaving {
  Mobile mobile;
  PeerId to;
  bool called_off = false;
  bool uncertain = false;  // the receiver crashed, with or without it
  bool fresh = true;       // since the last repetition
  std::uint32_t tries = 0;
  std::vector<Looking> buffer{};
};
struct Forward {
  Address next;
  bool over = false;              // its task needs nobody any more
  std::vector<TaskId> awaited{};  // whose data have not passed yet
};
// It was here, up to this epoch; or it needs nobody any more.
struct Mark {
  Epoch epoch = 0;
  bool over = false;
};
using Place = std::variant<Resident, Leaving, Forward, Mark>;

class Locator {
 public:
  // Among peers 0 to peers - 1, of which `home` is asked where one is. Options outlive it.
  Locator(PeerId self, const Options& options, std::uint32_t peers, PeerId home);

  // A task enters here: new, or again because it was lost, with a later generation.
  void place(Mobile mobile, LocatorEffects& out);
  // Sends a task to another peer; false unless it is here and has not begun.
  [[nodiscard]] bool move(TaskId task, PeerId to, LocatorEffects& out);
  // Calls a move off, unless its receiver has the task already.
  void call_off(TaskId task, LocatorEffects& out);
  // Takes a task back that was on its way, in an epoch of a generation that it never had. For
  // whoever knows that it never came there, and is nowhere else: silence alone does not say so.
  void take_back(TaskId task, Epoch epoch, LocatorEffects& out);
  // A task that needs nobody begins here, and moves no more.
  void start(TaskId task, LocatorEffects& out);
  // It is done: what it gives its successors is sent to them.
  void finish(TaskId task, LocatorEffects& out);
  // Sends these what that task gives, once more if need be.
  void give(TaskId from, const std::vector<Neighbour>& successors, LocatorEffects& out);
  // It is known that the task was done by somebody who has crashed: who looks for it is told so
  // here, and its forwarders go.
  void over(TaskId task, LocatorEffects& out);
  // It is known that the task is done, somewhere: whoever asks everybody for it is told so here.
  void conclude(TaskId task, LocatorEffects& out);
  // A task that is here is needless, because it was done elsewhere.
  void drop(TaskId task, LocatorEffects& out);
  // All is done: nothing waits any more, and where forwarders go when their tasks begin, none is
  // left, not even of a task that began beyond a cut.
  void close(LocatorEffects& out);
  // Whatever is not answered goes out again, but for what went out since the last time, unless that
  // is wanted as well.
  void repeat(LocatorEffects& out, bool also_fresh = false);
  // A peer has crashed.
  void lost(PeerId peer);
  // Whatever it says is taken for what it is worth, and at worst for nothing.
  void on(PeerId from, const Messages& message, LocatorEffects& out);

  // What is here.
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
    bool everywhere = false;  // everybody is asked
    bool fresh = true;
  };
  using Errand = std::pair<TaskId, TaskId>;  // to, from
  [[nodiscard]] const std::map<Errand, Sought>& errands() const { return errands_; }
  [[nodiscard]] std::size_t parked() const;
  [[nodiscard]] std::size_t buffered() const;
  // Tasks on their way from here.
  [[nodiscard]] const std::set<TaskId>& leaving() const { return leaving_; }
  // Nothing is to be repeated, and nothing waits.
  [[nodiscard]] bool quiet() const;
  // Whether tasks leave forwarders behind, and whether these go once their task begins.
  [[nodiscard]] bool forwards() const { return finder_->leaves_address(); }
  [[nodiscard]] bool sweeps() const;

  // All that its further behaviour depends on.
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

  // What is known of a task changes by this alone: who watches is told, and indices follow.
  void put(TaskId task, Place place, LocatorEffects& out);
  void begin(TaskId task, const Place& place, LocatorEffects& out);
  void end(TaskId task, const Place& place, LocatorEffects& out);
  void index(const Mobile& mobile);
  void forget(const Mobile& mobile);

  // A message to oneself is handled at once, after what is being handled.
  void settle(LocatorEffects& out);
  void install(Mobile mobile, LocatorEffects& out);
  // The receiver has it, or somebody after it.
  void leave(TaskId task, const Address& next, LocatorEffects& out);
  void look(const Looking& looking, LocatorEffects& out);
  void meet(Resident& resident, const Looking& looking, LocatorEffects& out);
  void pass(Looking looking, const Address& next, LocatorEffects& out);
  void pass(Forward& forward, const Looking& looking, LocatorEffects& out);
  void park(const Looking& looking, LocatorEffects& out);
  // What waited for the task, or for word of it.
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
  [[nodiscard]] std::vector<PeerId> everybody() const;
  [[nodiscard]] std::vector<PeerId> visited(const Mobile& mobile) const;

  const PeerId self_;
  const Options& options_;
  const std::uint32_t peers_;
  std::unique_ptr<Finder> finder_;
  std::map<TaskId, Place> places_;
  std::set<TaskId> leaving_;
  std::set<std::pair<TaskId, TaskId>> mentioned_;  // by which task that is here
  std::map<Errand, Sought> errands_;
  std::map<TaskId, std::vector<Parked>> parked_;
  std::map<TaskId, Epoch> refused_;  // up to which a task will not be taken
  std::map<TaskId, Removal> removals_;
};

}  // namespace rhizome::agents::locator
