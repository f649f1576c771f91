// The books of a head: queries that wait, by model and in order, and batches that are at workers.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "agents/central/messages.hpp"
#include "agents/central/rules.hpp"

namespace rhizome::agents::central {

struct Batch {
  std::uint64_t id = 0;
  std::uint32_t model = 0;
  std::vector<Task> tasks{};
  PeerId worker = core::no_peer;  // executes the batch
  std::uint32_t recalls = 0;      // preemptions so far
  bool recalled = false;          // preempted at this worker, whose answer is missing
  bool got = false;               // the worker has acknowledged it
  Time sent{};                    // the latest message about it to the worker
};

// A model's queries and its measured batch time.
class ModelQueue {
 public:
  explicit ModelQueue(const QueryModel& model) : model_(model) {}

  void add(const Task& task) { fresh_.push_back(task); }
  void put_back(Batch batch) { returned_.push_front(std::move(batch)); }
  [[nodiscard]] bool empty() const { return returned_.empty() && fresh_.empty(); }
  [[nodiscard]] std::size_t waiting() const;
  // The next batch: first a returned one, then queries of the oldest job. The queue must not be
  // empty.
  [[nodiscard]] Batch next();
  // All waiting tasks, in order.
  void list(std::vector<Task>& into) const;

  void measure(Duration took) { measured_ = {measured_.batches + 1, measured_.total + took}; }
  [[nodiscard]] const Measure& measured() const { return measured_; }
  void remember(const Measure& measured) { measured_ = measured; }
  // Queries per second of one worker: as measured, or before that as expected at that speed.
  [[nodiscard]] double rate(double speed) const;
  [[nodiscard]] const QueryModel& model() const { return model_; }

 private:
  QueryModel model_;
  std::deque<Batch> returned_;
  std::deque<Task> fresh_;
  Measure measured_;
};

// A copy of the books, built from the parts that arrive: undone tasks in order of arrival.
class Copy {
 public:
  // Parts of a complete copy replace the present one once the last part has arrived; other parts
  // change it.
  void apply(const Relay& part);
  // A complete copy has arrived, or none was needed.
  [[nodiscard]] bool valid() const { return valid_; }
  void begin_empty() { valid_ = true; }
  // A complete copy follows.
  void begin_again() {
    coming_ = {};
    valid_ = false;
  }
  [[nodiscard]] std::vector<Task> undone() const;
  [[nodiscard]] const std::set<std::uint32_t>& hands() const { return now_.hands; }
  [[nodiscard]] const std::vector<Measure>& measured() const { return now_.measured; }

 private:
  struct State {
    std::map<std::uint64_t, Task> tasks{};  // by order
    std::map<TaskId, std::uint64_t> order{};
    std::uint64_t count = 0;
    std::set<std::uint32_t> hands{};
    std::vector<Measure> measured{};
  };
  static void change(State& state, const Relay& part);
  bool valid_ = false;
  State now_;
  State coming_;
};

// A whole copy, in parts that fit a packet; the last part is marked; numbered from 1.
[[nodiscard]] std::vector<Relay> in_parts(Epoch epoch, const std::vector<Task>& undone,
                                          const std::set<std::uint32_t>& hands,
                                          const std::vector<Measure>& measured);

}  // namespace rhizome::agents::central
