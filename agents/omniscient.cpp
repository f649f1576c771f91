#include "agents/omniscient.hpp"

#include <algorithm>
#include <deque>

namespace rhizome::agents {

namespace {

using core::Duration;
using core::PeerId;
using core::Time;

// When the tasks of a first-in first-out peer run, all known beforehand.
class Calendar {
 public:
  explicit Calendar(const Capacity& capacity) : capacity_(capacity) {}

  // The earliest time from `arrival` on, and after all that was booked before, with room for it;
  // nothing when it never fits.
  [[nodiscard]] std::optional<Time> earliest(const Task& task, Time arrival) const {
    if (task.cpus > capacity_.slots || task.memory > capacity_.memory) return {};
    Time at = std::max(arrival, last_start_);
    while (!has_room(task, at)) at = first_end_after(at);
    return at;
  }
  // Returns when it will end.
  Time book(const Task& task, Time start) {
    std::erase_if(bookings_, [start](const Booking& b) { return b.end <= start; });
    const auto slowed = std::chrono::duration<double, std::nano>(task.duration) / capacity_.speed;
    const Time end = start + std::chrono::duration_cast<Duration>(slowed);
    bookings_.push_back({end, task.cpus, task.memory});
    last_start_ = start;
    return end;
  }

 private:
  struct Booking {
    Time end;
    std::uint32_t cpus;
    double memory;
  };
  // Something runs at that time, or there would be room.
  [[nodiscard]] Time first_end_after(Time at) const {
    Time first = Time::max();
    for (const Booking& booking : bookings_)
      if (booking.end > at) first = std::min(first, booking.end);
    return first;
  }
  [[nodiscard]] bool has_room(const Task& task, Time at) const {
    std::uint32_t cpus = task.cpus;
    double memory = task.memory;
    for (const Booking& booking : bookings_)
      if (booking.end > at) {
        cpus += booking.cpus;
        memory += booking.memory;
      }
    return cpus <= capacity_.slots && memory <= capacity_.memory;
  }

  Capacity capacity_;
  std::vector<Booking> bookings_;  // those that end after the last start
  Time last_start_{};
};

struct Plan {
  std::vector<const Task*> mine;  // in order of arrival, which is that of starts
  Time end{};                     // of everybody's tasks
};

// Each task goes where it starts first, ties to the lowest address.
Plan plan_for(PeerId self, const World& world) {
  std::vector<Calendar> calendars(world.capacities.begin(), world.capacities.end());
  Plan plan;
  for (const Job& job : world.workload.jobs)
    for (const Task& task : job.portions) {
      std::size_t chosen = 0;
      std::optional<Time> start;
      for (std::size_t peer = 0; peer < calendars.size(); ++peer) {
        const auto time = calendars[peer].earliest(task, job.arrival);
        if (!time || (start && *start <= *time)) continue;
        chosen = peer;
        start = time;
        if (*start == job.arrival) break;  // it cannot start sooner anywhere
      }
      plan.end = std::max(plan.end, calendars[chosen].book(task, *start));
      if (chosen == self.value) plan.mine.push_back(&task);
    }
  return plan;
}

struct Options {};
struct ArrivalDue {
  std::size_t index;
};
struct EndDue {};
// No message is ever sent, but every protocol has a set of them.
struct Silence {
  static constexpr core::MessageInfo info{"silence", core::MessageClass::information,
                                          core::Cause::probe};
};

class Omniscient {
 public:
  using Messages = core::OneOf<Silence>;
  using Timers = core::OneOf<ArrivalDue, EndDue>;
  using Env = core::Env<Omniscient>;
  static constexpr std::string_view name = "omniscient";

  Omniscient(PeerId self, const World& world)
      : world_(world), plan_(plan_for(self, world)), executor_(world.capacities[self.value]) {}

  void start(Env& env) {
    for (std::size_t i = 0; i < plan_.mine.size(); ++i)
      env.after(world_.workload.jobs[plan_.mine[i]->id.job].arrival - env.now(), ArrivalDue{i});
    env.after(plan_.end - env.now(), EndDue{});
  }
  void on(Env& env, const EndDue&) {
    ended_ = true;
    rest(env);
  }
  void on(Env& env, const ArrivalDue& due) {
    env.note(facts::about(facts::task_submitted, plan_.mine[due.index]->id));
    waiting_.push_back(plan_.mine[due.index]);
    run(env);
  }
  void on(Env& env, const core::WorkDone& done) {
    if (const auto task = executor_.finish(env, done)) {
      env.note(facts::about(facts::task_completed, task->id, env.self()));
      ++completed_;
    }
    run(env);
    rest(env);
  }
  void on(Env&, PeerId, const Silence&) {}

 private:
  // Nobody goes before everybody's work should be done.
  void rest(Env& env) {
    if (ended_ && completed_ == plan_.mine.size()) env.finish();
  }
  void run(Env& env) {
    for (; !waiting_.empty() && executor_.fits(*waiting_.front()); waiting_.pop_front())
      executor_.start(env, *waiting_.front());
  }

  const World& world_;
  const Plan plan_;
  Executor executor_;
  std::deque<const Task*> waiting_;
  std::size_t completed_ = 0;
  bool ended_ = false;
};

void equip(core::Peer& peer, const Options&, const World& world) {
  peer.add<Omniscient>(peer.id(), world);
}

std::vector<PeerId> everybody(const Options&, const World& world) {
  std::vector<PeerId> peers(world.peers());
  for (std::uint32_t i = 0; i < world.peers(); ++i) peers[i] = PeerId{i};
  return peers;
}

std::string refusal(const Options&, const World& world) {
  for (const Job& job : world.workload.jobs)
    for (const Task& task : job.portions)
      if (std::none_of(world.capacities.begin(), world.capacities.end(), [&](const Capacity& c) {
            return task.cpus <= c.slots && task.memory <= c.memory;
          }))
        return "task " + std::to_string(task.id.job) + "." + std::to_string(task.id.portion) +
               " fits no peer";
  return {};
}

}  // namespace

Scheduler omniscient() {
  return make_scheduler<Options>(
      {.name = "omniscient",
       .summary = "a bound: everybody knows all tasks beforehand and plans alike, without messages",
       .equip = equip,
       .essential = everybody,
       .refusal = refusal});
}

}  // namespace rhizome::agents
