// Env: everything that a protocol may do. It performs nothing: it records effects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "core/peer/declared_bytes.hpp"
#include "core/peer/effect.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/message.hpp"
#include "core/peer/rng.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

// The last event of a peer that leaves in good order, as opposed to one that crashes.
// A protocol that has on(env, Departure) may say goodbye: its messages are sent, and then its peer
// is gone, with every timer and every piece of work.
struct Departure {};

// The context in which an event is handled, whatever the protocol: peer, time, and where effects
// go.
struct Stage {
  PeerId self;
  Incarnation incarnation;
  Time now;
  Rng& rng;
  std::uint8_t service;
  Effects& effects;
};

// The timers of one service: a slot map, so that a stale id is told from a live one.
template <class Timer>
class TimerTable {
 public:
  TimerId arm(std::uint8_t service, Timer timer) {
    if (free_ == slots_.size()) slots_.push_back({.next_free = free_ + 1});
    const std::uint32_t number = free_;
    Slot& slot = slots_[number];
    slot.timer.emplace(std::move(timer));
    free_ = slot.next_free;
    ++armed_;
    return {service, number, slot.generation};
  }
  // The timer of a live id, which is dead from then on; nothing for a dead one.
  std::optional<Timer> take(TimerId id) {
    if (id.slot >= slots_.size()) return {};
    Slot& slot = slots_[id.slot];
    if (slot.generation != id.generation || !slot.timer) return {};
    std::optional<Timer> taken = std::exchange(slot.timer, std::nullopt);
    ++slot.generation;
    --armed_;
    slot.next_free = std::exchange(free_, id.slot);
    return taken;
  }
  [[nodiscard]] std::size_t armed() const { return armed_; }
  // nullptr for a dead id.
  [[nodiscard]] const Timer* find(TimerId id) const {
    if (id.slot >= slots_.size() || slots_[id.slot].generation != id.generation) return nullptr;
    const Slot& slot = slots_[id.slot];
    return slot.timer ? &*slot.timer : nullptr;
  }
  // Calls f(timer) for all armed timers.
  template <class F>
  void for_each(F&& f) const {
    for (const Slot& slot : slots_)
      if (slot.timer) f(*slot.timer);
  }

 private:
  struct Slot {
    std::optional<Timer> timer{};
    std::uint32_t generation = 1;  // so that a default id, of generation 0, is never live
    std::uint32_t next_free = 0;   // of a free slot
  };
  std::vector<Slot> slots_;
  std::uint32_t free_ = 0;  // the slot freed last; behind the end if none is free
  std::size_t armed_ = 0;
};

// The set of a protocol that has no timers, or no facts.
using Nothing = OneOf<std::monostate>;

// A protocol declares its closed sets of messages, timers and facts first, and its environment by
// them, so that its parts need not know the class that owns them. Protocols do not own an Env,
// which is valid only while one event is handled.
template <class Messages, class TimerSet = Nothing, class Facts = Nothing>
class Env {
 public:
  using Timers = TimerSet;
  Env(const Stage& stage, TimerTable<Timers>& timers, std::uint32_t& works)
      : stage_(stage), timers_(timers), works_(works) {}

  [[nodiscard]] PeerId self() const { return stage_.self; }
  [[nodiscard]] Incarnation incarnation() const { return stage_.incarnation; }
  [[nodiscard]] Time now() const { return stage_.now; }
  [[nodiscard]] Rng& rng() { return stage_.rng; }

  // Sends to the same protocol at `to`, which may be this peer. Delivery is not promised.
  template <class M>
  requires one_of<M, Messages>
  void send(PeerId to, const M& message, Cause cause = M::info.cause) {
    Effects& effects = stage_.effects;
    const std::size_t offset = effects.arena.size();
    encode(message, effects.arena);
    const PacketHeader header{.from = stage_.self,
                              .to = to,
                              .to_incarnation = {},
                              .service = stage_.service,
                              .type = position_of<M, Messages>,
                              .message_class = M::info.message_class,
                              .cause = cause,
                              .units = units_of(message),
                              .declared_bytes = weight_of(message),
                              .sent = stage_.now,
                              .due = stage_.now};
    Send& sent = std::get<Send>(
        effects.list.emplace_back(Send{header, offset, effects.arena.size() - offset}));
    if constexpr (M::info.message_class == MessageClass::job) sent.cargo = load(message);
  }
  // Sends a packet that a service of this peer has sent and another service has kept back since.
  void send_late(PacketHeader header, std::span<const std::byte> payload) {
    Effects& effects = stage_.effects;
    header.sent = header.due = stage_.now;
    const std::size_t offset = effects.arena.size();
    effects.arena.insert(effects.arena.end(), payload.begin(), payload.end());
    effects.list.emplace_back(Send{header, offset, payload.size()});
  }

  // Arms a timer: on(env, timer) follows once `delay` has passed. A negative delay counts as none.
  TimerId after(Duration delay, Timers timer) {
    const TimerId id = timers_.arm(stage_.service, std::move(timer));
    const Time due = stage_.now + (delay < Duration::zero() ? Duration::zero() : delay);
    stage_.effects.list.emplace_back(Arm{id, due});
    return id;
  }
  // Cancels a timer; does nothing for one that has fired, and for a default id.
  void cancel(TimerId id) {
    if (timers_.take(id)) stage_.effects.list.emplace_back(Cancel{id});
  }

  // Starts work beside the peer; on(env, WorkDone) follows unless it is stopped before.
  WorkId work(const Work& work) {
    const WorkId id{stage_.service, works_++};
    begin(id, work).cargo = load(work.recipe);
    return id;
  }
  // Begins work that a service of this peer has started and another service has kept back since.
  void work_late(WorkId id, const Work& work) { begin(id, work); }
  void stop(WorkId id) { stage_.effects.list.emplace_back(StopWork{id}); }
  // From now on the work goes on at that rate: 1 as it began, 0 suspended, between them a share of
  // the processor.
  void pace(WorkId id, double rate) { stage_.effects.list.emplace_back(PaceWork{id, rate}); }

  // Records a fact. A fact that is noted on request is dropped where it was not asked for.
  template <class F>
  requires one_of<F, Facts> && fact_type<F>
  void note(const F& fact) {
    Effects& effects = stage_.effects;
    if constexpr (noted_on_request<F>)
      if (!effects.details) return;
    const std::size_t offset = effects.arena.size();
    encode(fact, effects.arena);
    effects.list.emplace_back(Note{&F::info, offset, effects.arena.size() - offset});
  }
  // Reports to observers how many tasks are here and have not been begun. It holds until the next
  // report, or the end of this life; one service of a peer reports, for all.
  void waiting(std::size_t tasks) { stage_.effects.waiting = static_cast<std::uint32_t>(tasks); }
  // Tells the other services of this peer, within this event and after this handler: on(env,
  // signal) follows in each protocol that Hears the signal.
  template <class Signal>
  void raise(const Signal& signal) {
    stage_.effects.signals.emplace_back(signal);
  }
  // Says that this peer has nothing left to do in this run.
  void finish() { stage_.effects.list.emplace_back(Finish{}); }
  // The same, unless another peer calls; peers that have not finished keep all the time of the run.
  void rest() { stage_.effects.list.emplace_back(FinishPassively{}); }
  // Revokes finish() or rest().
  void resume() { stage_.effects.list.emplace_back(Resume{}); }
  // Makes a peer that is not there begin a life, as a peer that joins or restarts does.
  void launch(PeerId peer) { stage_.effects.list.emplace_back(Launch{peer}); }
  // Says that this peer is gone after this event: packets that it has sent still leave.
  void quit() { stage_.effects.list.emplace_back(Quit{}); }

 private:
  // Information about work counts without the bytes that the work declares.
  template <class M>
  static std::uint64_t weight_of(const M& message) {
    return M::info.message_class == MessageClass::information ? 0 : declared_bytes_of(message);
  }
  template <class T>
  CargoSpan load(const T& said) {
    std::vector<Cargo>& cargoes = stage_.effects.cargoes;
    const std::size_t first = cargoes.size();
    each_cargo(said, [&cargoes](const Cargo& cargo) { cargoes.push_back(cargo); });
    return {first, cargoes.size() - first};
  }
  StartWork& begin(WorkId id, const Work& work) {
    Effects& effects = stage_.effects;
    const std::size_t offset = effects.arena.size();
    const auto spec = std::as_bytes(std::span(work.recipe.spec()));
    effects.arena.insert(effects.arena.end(), spec.begin(), spec.end());
    return std::get<StartWork>(effects.list.emplace_back(
        StartWork{id, work.recipe.kind(), work.duration, work.seed, offset, spec.size()}));
  }

  const Stage& stage_;
  TimerTable<Timers>& timers_;
  std::uint32_t& works_;
};

}  // namespace rhizome::core
