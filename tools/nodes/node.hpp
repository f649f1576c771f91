// One node of a cluster as this process sees it: its worker, which is begun when the node is
// wanted and ended when it is not, and the work that is done there. The work of a worker that dies
// is begun again by its replacement.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/child/dialogue.hpp"
#include "core/work/computation.hpp"
#include "tools/nodes/lines.hpp"
#include "tools/nodes/places.hpp"

namespace rhizome::tools {

class Node {
 public:
  // Called from the thread of the node.
  struct Hooks {
    // Called once each time that the node is wanted anew: its worker can work.
    std::function<void()> ready{};
    std::function<void(std::uint32_t tasks)> died{};  // a worker that had so many tasks
    std::function<void(const std::string&)> warn{};   // a worker has died, or cannot begin
  };
  // Work whose worker has died so often is not begun again: its result is wrong, with that reason.
  static constexpr std::uint32_t most_deaths = 3;

  // `places` outlives it.
  Node(std::uint32_t number, Places& places, Hooks hooks);
  // Ends the worker.
  ~Node();
  // Begins to end it, so that many nodes end together.
  void end();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // From any thread, like the functions below. A node that is not wanted ends its worker once it
  // has no work; a node with work begins a worker, wanted or not.
  void want(bool wanted);
  [[nodiscard]] std::unique_ptr<core::Computation> compute(const core::Work& work);
  // Wanted, and without a worker that can work.
  [[nodiscard]] bool starting() const;

 private:
  class Remote;
  struct Task {
    core::Work work;
    core::Computation::Done done;
    double rate = 1;
    bool told = false;       // the present worker knows of it
    bool cancelled = false;  // to be concluded
    std::uint32_t deaths = 0;
  };
  using Clock = std::chrono::steady_clock;
  using Tasks = std::map<std::uint32_t, Task>;

  [[nodiscard]] std::uint32_t begin(const core::Work& work, core::Computation::Done done,
                                    double rate);
  void pace(std::uint32_t id, double rate);
  void cancel(std::uint32_t id);

  void serve();
  [[nodiscard]] bool is_needed() const;
  void wait_for_news();
  void begin_worker();
  void tell_ready();
  void converse();
  void hear(const WorkerAnswer& answer);
  [[nodiscard]] std::string news_for_worker();
  void lose(const std::string& why);
  void end_worker();
  void conclude_cancelled();
  void conclude(std::vector<std::uint32_t> ids, const core::Result& result);

  const std::uint32_t number_;
  Places& places_;
  const Hooks hooks_;
  std::atomic<bool> over_{false};
  std::atomic<bool> ready_{false};

  mutable std::mutex mutex_;  // guards what follows, up to the worker
  std::condition_variable changed_;
  bool wanted_ = false;
  bool told_ready_ = false;  // since it is wanted
  Tasks tasks_;
  std::string unsaid_;  // lines for the worker
  std::uint32_t last_ = 0;

  std::unique_ptr<core::Dialogue> worker_;
  Clock::time_point heard_{};
  Clock::time_point said_{};
  Clock::time_point next_start_{};
  std::chrono::milliseconds pause_{0};  // before the next worker
  std::thread thread_;                  // the last member: it uses all others
};

}  // namespace rhizome::tools
