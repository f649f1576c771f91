#include "agents/bounds/heft.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "agents/bounds/planned.hpp"
#include "agents/schedulers.hpp"
#include "agents/service_time.hpp"

namespace rhizome::agents::bounds {

namespace {

// What a task hands to another on another peer takes so long.
Duration transfer(std::uint64_t bytes, const HeftOptions& options) {
  if (options.bandwidth <= 0) return options.latency;
  const std::chrono::duration<double> carried(static_cast<double>(bytes) / options.bandwidth);
  return options.latency + std::chrono::duration_cast<Duration>(carried);
}

// Seconds of a task of a second, on average over all peers.
double mean_slowness(const World& world) {
  double slowness = 0;
  for (const Capacity& capacity : world.capacities) slowness += 1 / capacity.speed;
  return slowness / static_cast<double>(world.capacities.size());
}

// Where a task ends first. What would end beyond all clocks is not begun.
struct Choice {
  PeerId peer{0};
  Time ready = Time::max();
  Time start = Time::max();
  Time end = Time::max();
};

class Planner {
 public:
  Planner(const World& world, const HeftOptions& options)
      : world_(world),
        options_(options),
        calendars_(world.capacities.begin(), world.capacities.end()),
        turns_(world.capacities.size()) {}

  // False if it was given up.
  bool place(Job job, const std::function<bool()>& stopped) {
    for (Calendar& calendar : calendars_) calendar.forget_before(job.arrival);
    needs_.assign(job.portions.size(), {});
    for (const Dependency& edge : edges_of(job)) needs_[edge.task].push_back(edge);
    choices_.assign(job.portions.size(), {});
    for (const std::uint32_t portion : by_rank(job)) {
      if (stopped()) return false;
      choices_[portion] = choose(job, portion);
      const Choice& chosen = choices_[portion];
      calendars_[chosen.peer.value].book(job.portions[portion], chosen.start);
      turns_[chosen.peer.value].emplace_back(chosen.start, TaskId{job.id, portion});
      plan_.end = std::max(plan_.end, chosen.end);
    }
    write_down(std::move(job));
    return true;
  }
  // What begins at one time does so as it was placed.
  [[nodiscard]] PlacementPlan plan() && {
    const auto sooner = [](const auto& a, const auto& b) { return a.first < b.first; };
    for (auto& turns : turns_) {
      std::stable_sort(turns.begin(), turns.end(), sooner);
      std::vector<TaskId>& tasks = plan_.turns.emplace_back();
      for (const auto& [start, task] : turns) tasks.push_back(task);
    }
    return std::move(plan_);
  }

 private:
  // The highest first; where tasks take no time, in an order in which they may run.
  [[nodiscard]] std::vector<std::uint32_t> by_rank(const Job& job) const {
    const std::vector<double> ranks = upward_ranks(job, world_, options_);
    std::vector<std::uint32_t> order = order_of(job);
    std::stable_sort(order.begin(), order.end(),
                     [&ranks](std::uint32_t a, std::uint32_t b) { return ranks[a] > ranks[b]; });
    return order;
  }
  // When all is at the peer that the portion needs.
  [[nodiscard]] Time ready(const Job& job, std::uint32_t portion, PeerId peer) const {
    Time at = job.arrival;
    for (const Dependency& edge : needs_[portion]) {
      const Choice& before = choices_[edge.needs];
      const bool here = before.peer == peer;
      at = std::max(at, here ? before.end : end_of(before.end, transfer(edge.bytes, options_)));
    }
    return at;
  }
  // Ties go to the lowest address.
  [[nodiscard]] Choice choose(const Job& job, std::uint32_t portion) const {
    const Task& task = job.portions[portion];
    Choice best;
    for (std::uint32_t i = 0; i < calendars_.size(); ++i) {
      const Time from = ready(job, portion, PeerId{i});
      const Duration service = calendars_[i].service(task);
      if (end_of(from, service) >= best.end) continue;
      const auto start = calendars_[i].earliest(task, from);
      const Time end = start ? end_of(*start, service) : Time::max();
      if (end < best.end) best = {PeerId{i}, from, *start, end};
    }
    return best;
  }
  void write_down(Job job) {
    std::vector<PeerId>& peers = plan_.peers.emplace_back();
    PlacementPlan::Graph graph{.shape = shape_of(job), .from = {}, .growth = std::move(job.growth)};
    for (const Choice& choice : choices_) {
      peers.push_back(choice.peer);
      graph.from.push_back(choice.ready);
      graph.begins.push_back(choice.start);
    }
    plan_.graphs.emplace(job.id, std::move(graph));
  }

  const World& world_;
  const HeftOptions& options_;
  std::vector<Calendar> calendars_;
  std::vector<std::vector<std::pair<Time, TaskId>>> turns_;  // by peer, as they were placed
  std::vector<std::vector<Dependency>> needs_;  // of the job that is placed, by portion
  std::vector<Choice> choices_;                 // likewise
  PlacementPlan plan_;
};

}  // namespace

Duration longest_transfer(const HeftOptions& options, const World& world) {
  return transfer(world.profile.heaviest, options);
}

std::vector<double> upward_ranks(const Job& job, const World& world, const HeftOptions& options) {
  const double slowness = mean_slowness(world);
  const auto peers = static_cast<double>(world.capacities.size());
  std::vector<std::vector<Dependency>> needed_by(job.portions.size());
  for (const Dependency& edge : edges_of(job)) needed_by[edge.needs].push_back(edge);
  const std::vector<std::uint32_t> order = order_of(job);
  std::vector<double> ranks(job.portions.size());
  for (auto portion = order.rbegin(); portion != order.rend(); ++portion) {
    double rest = 0;
    for (const Dependency& edge : needed_by[*portion]) {
      const double carried = core::seconds(transfer(edge.bytes, options)) * (peers - 1) / peers;
      rest = std::max(rest, carried + ranks[edge.task]);
    }
    ranks[*portion] = core::seconds(job.portions[*portion].duration) * slowness + rest;
  }
  return ranks;
}

PlacementPlan heft_plan(const World& world, const HeftOptions& options,
                        const std::function<bool()>& stopped) {
  Planner planner(world, options);
  const std::unique_ptr<Arrivals> arrivals = world.arrivals();
  while (std::optional<Job> job = arrivals->next())
    if (!planner.place(*std::move(job), stopped)) break;
  return std::move(planner).plan();
}

Duration Calendar::service(const Task& task) const { return service_time(task, capacity_.speed); }

// After the last booking there is unlimited room. A task that takes no time needs room at one
// moment only, which belongs to the later of two segments that meet there.
std::optional<Time> Calendar::earliest(const Task& task, Time ready) const {
  const Resources needs = resources_of(task);
  if (!needs.within(capacity_.room())) return {};
  const Duration length = service(task);
  Time at = ready;
  for (auto segment = std::prev(used_.upper_bound(ready));; ++segment) {
    const auto next = std::next(segment);
    if (!(segment->second + needs).within(capacity_.room())) {
      at = next->first;
    } else if (next == used_.end() || next->first >= end_of(at, length)) {
      return at;
    }
  }
}

Calendar::Usage::iterator Calendar::split(Time at) {
  const auto segment = std::prev(used_.upper_bound(at));
  return segment->first == at ? segment
                              : used_.emplace_hint(std::next(segment), at, segment->second);
}

Time Calendar::book(const Task& task, Time start) {
  const Time end = end_of(start, service(task));
  const auto last = split(end);
  for (auto segment = split(start); segment != last; ++segment)
    segment->second = segment->second + resources_of(task);
  return end;
}

void Calendar::forget_before(Time time) {
  const auto first = std::prev(used_.upper_bound(time));
  used_.erase(used_.begin(), first);
}

}  // namespace rhizome::agents::bounds

namespace rhizome::agents {

namespace {

using bounds::HeftOptions;

core::Settings<HeftOptions> settings() {
  using O = HeftOptions;
  return core::Settings<O>{}
      .add("latency", &O::latency,
           {"Time from the end of a task until its results are at another peer, for what needs "
            "them; 0: the bound. Tasks on one peer hand them over at once. More keeps what needs "
            "each other together.",
            "our choice; Topcuoglu et al. 2002 call it communication startup", 0, 1e6})
      .add("bandwidth", &O::bandwidth,
           {"Bytes a second at which the bytes of an edge go to another peer, after that; 0: at "
            "once. Less keeps what needs much of each other together.",
            "our choice; Topcuoglu et al. 2002 call it the transfer rate", 0, 1e15});
}

Deployment prepare(const HeftOptions& options, const World& world,
                   const std::function<bool()>& stopped) {
  return bounds::follow(
      std::make_shared<const bounds::PlacementPlan>(bounds::heft_plan(world, options, stopped)),
      world);
}

}  // namespace

Scheduler heft() {
  return make_scheduler<HeftOptions>(
      {.name = "heft",
       .summary =
           "a bound for graphs: all is known beforehand, the longest path to the end goes first",
       .finds_room = true,
       .in_time = {3, "since it plans each task to end first, not to begin first"},
       .settings = settings(),
       .prepare = prepare,
       .essential = all_peers<HeftOptions>,
       .waits = bounds::longest_transfer,
       .refusal = [](const HeftOptions&, const World& world) {
         return bounds::unplannable(world);
       }});
}

}  // namespace rhizome::agents
