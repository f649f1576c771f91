#include "agents/bounds/greedy.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <utility>

#include "agents/bounds/plan.hpp"
#include "agents/job_graph.hpp"
#include "agents/service_time.hpp"

namespace rhizome::agents::bounds {

namespace {

Time later(Time at, Duration by) { return at + std::min(by, Time::max() - at); }

class Greedy {
 public:
  Greedy(std::vector<Capacity> peers, const std::function<Duration(const Task&)>& beside)
      : peers_(std::move(peers)), beside_(beside), used_(peers_.size(), Resources{.cpus = 0}) {
    for (std::size_t peer = 0; peer < peers_.size(); ++peer) idle_.insert(place_of(peer));
  }

  void arrive(Job job) {
    now_ = std::max(now_, job.arrival);
    if (holds_back(job)) {
      JobGraph& graph = graphs_.emplace(job.id, JobGraph(job)).first->second;
      append(graph.begin());
    } else {
      append(job.portions);
    }
    begin_waiting();
  }
  [[nodiscard]] std::optional<Time> next_end() const {
    return running_.empty() ? std::nullopt : std::optional(running_.top().end);
  }
  // A task ends. The first waiting task fits none of the other peers, or it would have begun.
  void end_next() {
    const Running done = running_.top();
    running_.pop();
    now_ = done.end;
    used_[done.peer].cpus -= done.needs.cpus;
    used_[done.peer].memory =
        used_[done.peer].cpus == 0 ? 0 : used_[done.peer].memory - done.needs.memory;
    used_[done.peer].named = used_[done.peer].named - done.needs.named;
    idle_.insert(place_of(done.peer));
    const bool waited = !waiting_.empty();
    release(done.task);
    if (waited && !has_room(done.peer, waiting_.front())) return;
    begin_waiting();
  }
  [[nodiscard]] Time now() const { return now_; }

 private:
  struct Running {
    Time end;
    TaskId task;
    std::size_t peer;
    Resources needs;
    // The first to end is on top.
    friend bool operator<(const Running& a, const Running& b) {
      return std::tie(a.end, a.task) > std::tie(b.end, b.task);
    }
  };
  // The slowest peers come first.
  using Place = std::pair<double, std::size_t>;

  [[nodiscard]] Place place_of(std::size_t peer) const { return {peers_[peer].speed, peer}; }
  [[nodiscard]] bool has_room(std::size_t peer, const Task& task) const {
    return (used_[peer] + resources_of(task)).within(peers_[peer].room());
  }
  void append(const std::vector<Task>& tasks) {
    waiting_.insert(waiting_.end(), tasks.begin(), tasks.end());
  }
  void release(TaskId done) {
    const auto graph = graphs_.find(done.job);
    if (graph == graphs_.end()) return;
    append(graph->second.done(done.portion));
    if (graph->second.empty()) graphs_.erase(graph);
  }
  void begin_waiting() {
    while (!waiting_.empty()) {
      const auto place = std::find_if(idle_.begin(), idle_.end(), [this](const Place& each) {
        return has_room(each.second, waiting_.front());
      });
      if (place == idle_.end()) return;
      begin(place->second, waiting_.front());
      waiting_.pop_front();
    }
  }
  void begin(std::size_t peer, const Task& task) {
    const Resources needs = resources_of(task);
    used_[peer] = used_[peer] + needs;
    if (used_[peer].cpus >= peers_[peer].slots) idle_.erase(place_of(peer));
    const Time served = later(now_, service_time(task, peers_[peer].speed));
    running_.push({later(served, beside_(task)), task.id, peer, needs});
  }

  const std::vector<Capacity> peers_;
  const std::function<Duration(const Task&)>& beside_;
  std::vector<Resources> used_;  // by peer
  std::set<Place> idle_;         // peers with a free slot
  std::deque<Task> waiting_;     // for their turn
  std::priority_queue<Running> running_;
  std::map<std::uint32_t, JobGraph> graphs_;  // of jobs with tasks that may not run yet
  Time now_{};
};

}  // namespace

Time greedy_end(Arrivals& arrivals, std::vector<Capacity> peers,
                const std::function<Duration(const Task&)>& beside, Time until) {
  Greedy greedy(std::move(peers), beside);
  std::optional<Job> job = arrivals.next();
  while (job || greedy.next_end()) {
    const bool arrives = job && (!greedy.next_end() || job->arrival < *greedy.next_end());
    if ((arrives ? job->arrival : *greedy.next_end()) > until) return Time::max();
    if (arrives) {
      greedy.arrive(*std::move(job));
      job = arrivals.next();
    } else {
      greedy.end_next();
    }
  }
  return greedy.now();
}

}  // namespace rhizome::agents::bounds
