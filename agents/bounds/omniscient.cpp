#include "agents/bounds/omniscient.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "agents/bounds/planned.hpp"
#include "agents/schedulers.hpp"
#include "agents/service_time.hpp"

namespace rhizome::agents::bounds {

namespace {

// When the tasks of a first-in first-out peer run. All tasks are known beforehand.
class Timetable {
 public:
  explicit Timetable(const Capacity& capacity) : capacity_(capacity) {}

  // The earliest time with room for the task, from `arrival` on and not before the last booked
  // start; nothing when it never fits.
  [[nodiscard]] std::optional<Time> earliest(const Task& task, Time arrival) const {
    if (!resources_of(task).within(capacity_.room())) return {};
    Time at = std::max(arrival, last_start_);
    while (!has_room(task, at)) at = first_end_after(at);
    return at;
  }
  // Returns when the task will end.
  Time book(const Task& task, Time start) {
    std::erase_if(bookings_, [start](const Booking& b) { return b.end <= start; });
    const Time end = end_of(start, service_time(task, capacity_.speed));
    bookings_.push_back({end, resources_of(task)});
    last_start_ = start;
    return end;
  }

  [[nodiscard]] Time last_start() const { return last_start_; }

 private:
  struct Booking {
    Time end;
    Resources needs;
  };
  // Some task runs at that time; otherwise there would be room.
  [[nodiscard]] Time first_end_after(Time at) const {
    Time first = Time::max();
    for (const Booking& booking : bookings_)
      if (booking.end > at) first = std::min(first, booking.end);
    return first;
  }
  [[nodiscard]] bool has_room(const Task& task, Time at) const {
    Resources needed = resources_of(task);
    for (const Booking& booking : bookings_)
      if (booking.end > at) needed = needed + booking.needs;
    return needed.within(capacity_.room());
  }

  Capacity capacity_;
  std::vector<Booking> bookings_;  // those that end after the last start
  Time last_start_{};
};

// The timetable in which a task starts first, and when.
struct Choice {
  std::size_t peer = 0;
  Time start = Time::max();
};

Choice choose(const std::vector<Timetable>& timetables, const Task& task, Time at) {
  Choice best;
  for (std::size_t peer = 0; peer < timetables.size() && best.start > at; ++peer) {
    if (timetables[peer].last_start() >= best.start) continue;
    const auto start = timetables[peer].earliest(task, at);
    if (start && *start < best.start) best = {peer, *start};
  }
  return best;
}

// A job with tasks that are not placed yet.
struct Open {
  std::vector<std::vector<std::uint32_t>> needed_by{};  // by portion; empty where no task waits
  std::vector<std::uint32_t> unmet{};                   // by portion
  std::vector<Time> ready{};                            // by portion: when the tasks that it needs
                                                        // are done
  std::vector<Task> tasks{};
  std::size_t left = 0;
};

class Planner {
 public:
  Planner(const World& world, Duration reaction)
      : reaction_(reaction), timetables_(world.capacities.begin(), world.capacities.end()) {
    plan_.turns.resize(world.capacities.size());
  }

  void open(Job job) {
    plan_.peers.emplace_back(job.portions.size());
    if (job.portions.empty()) return;
    const std::uint32_t id = job.id;
    Open opened = opened_of(job);
    for (std::uint32_t portion = 0; portion < job.portions.size(); ++portion)
      if (opened.unmet.empty() || opened.unmet[portion] == 0)
        ready_.insert({job.arrival, {id, portion}});
    if (holds_back(job))
      plan_.graphs[id] = {.shape = shape_of(job), .from = {}, .growth = std::move(job.growth)};
    opened.tasks = std::move(job.portions);
    open_.emplace(id, std::move(opened));
  }
  // Nothing when no task may run yet.
  [[nodiscard]] std::optional<Time> next() const {
    return ready_.empty() ? std::nullopt : std::optional(ready_.begin()->first);
  }
  void place_next() {
    const auto [ready, id] = *ready_.begin();
    ready_.erase(ready_.begin());
    const auto job = open_.find(id.job);
    const Task& task = job->second.tasks[id.portion];
    const auto [peer, start] = choose(timetables_, task, ready + reaction_);
    const Time end = timetables_[peer].book(task, start);
    plan_.end = std::max(plan_.end, end);
    plan_.peers[id.job][id.portion] = core::PeerId{static_cast<std::uint32_t>(peer)};
    plan_.turns[peer].push_back(id);
    release(id, job->second, end);
    if (--job->second.left == 0) close(job);
  }
  [[nodiscard]] PlacementPlan plan() && { return std::move(plan_); }

 private:
  using Jobs = std::map<std::uint32_t, Open>;

  static Open opened_of(const Job& job) {
    Open opened{.left = job.portions.size()};
    if (!holds_back(job)) return opened;
    opened.needed_by.resize(job.portions.size());
    opened.unmet.resize(job.portions.size());
    opened.ready.assign(job.portions.size(), job.arrival);
    for (const Dependency& edge : edges_of(job)) {
      opened.needed_by[edge.needs].push_back(edge.task);
      ++opened.unmet[edge.task];
    }
    return opened;
  }
  void release(TaskId done, Open& job, Time end) {
    if (job.needed_by.empty()) return;
    for (const std::uint32_t next : job.needed_by[done.portion]) {
      job.ready[next] = std::max(job.ready[next], end);
      if (--job.unmet[next] == 0) ready_.insert({job.ready[next], {done.job, next}});
    }
  }
  void close(Jobs::iterator job) {
    const auto graph = plan_.graphs.find(job->first);
    if (graph != plan_.graphs.end()) graph->second.from = std::move(job->second.ready);
    open_.erase(job);
  }

  const Duration reaction_;
  std::vector<Timetable> timetables_;
  Jobs open_;
  std::set<std::pair<Time, TaskId>> ready_;  // tasks that may run, and from when on
  PlacementPlan plan_;
};

}  // namespace

// A job is opened before any task is placed that may run at its arrival or later.
PlacementPlan plan_for(const World& world, Duration reaction,
                       const std::function<bool()>& stopped) {
  Planner planner(world, reaction);
  const std::unique_ptr<Arrivals> arrivals = world.arrivals();
  std::optional<Job> job = arrivals->next();
  while (job || planner.next()) {
    if (job && (!planner.next() || job->arrival <= *planner.next())) {
      planner.open(*std::move(job));
      job = arrivals->next();
      continue;
    }
    if (stopped()) break;
    planner.place_next();
  }
  return std::move(planner).plan();
}

}  // namespace rhizome::agents::bounds

namespace rhizome::agents {

namespace {

struct Options {
  Duration delay{0};
};

core::Settings<Options> settings() {
  return core::Settings<Options>{}.add(
      "delay", &Options::delay,
      {"Time that a task takes to the central scheduler, and once more from it to a peer; 0: the "
       "bound. The scheduler itself takes none, and its messages are not counted.",
       "our choice; Ousterhout et al. 2013 give their ideal 0.5 ms", 0, 1e6});
}

// All peers share one plan: it is the same for every peer, and takes long to make in a large world.
Deployment prepare(const Options& options, const World& world,
                   const std::function<bool()>& stopped) {
  const Duration reaction = 2 * options.delay;
  return bounds::follow(
      std::make_shared<const bounds::PlacementPlan>(bounds::plan_for(world, reaction, stopped)),
      world, reaction);
}

}  // namespace

Scheduler omniscient() {
  return make_scheduler<Options>(
      {.name = "omniscient",
       .summary = "a bound: all tasks are known beforehand, and placed without messages",
       .finds_room = true,
       .in_time = {5,
                   "since a task goes to the first peer that rests, however slow, and none goes "
                   "before one that came sooner"},
       .settings = settings(),
       .prepare = prepare,
       .essential = all_peers<Options>,
       .waits = [](const Options& options, const World&) { return 2 * options.delay; },
       .refusal = [](const Options&, const World& world) { return bounds::unplannable(world); }});
}

}  // namespace rhizome::agents
