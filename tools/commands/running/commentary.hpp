// The commentary: reports the progress of an experiment on the console. It shows the progress,
// tells remarks and broken invariants at once and not only in the table at the end, and stops at an
// interrupt. The command itself decides what to do with the outcomes.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "scenarios/experiment/experiment.hpp"
#include "tools/cli/console.hpp"

namespace rhizome::tools {

// "organic-grid, repetition 2, peers.count=600".
[[nodiscard]] std::string describe(const scenarios::Identity& identity);

// "3.3663": five significant digits, or all whole seconds where a time is longer than that.
[[nodiscard]] std::string in_seconds(core::Time time);

class Commentary {
 public:
  struct Options {
    Screen screen{};
    std::function<std::string(const scenarios::Identity&)> name = describe;  // names runs
    std::function<void(const std::string&)> remark{};  // is called with every remark that is told
    std::function<void(const scenarios::Outcome&)> broken_off{};  // is called with interrupted runs
    std::uint32_t retries = 0;              // how often an invalid run on threads is repeated
    scenarios::RunShare share{};            // the share of the runs that this process does
    scenarios::Helpers* helpers = nullptr;  // other processes that do runs in virtual time
    std::function<void(scenarios::RunHooks&)> also{};  // adds further hooks to each run
    scenarios::DistributedRun* distributed_run =
        nullptr;                             // does runs on threads; none: this process does
    scenarios::RecordingTarget recording{};  // where these runs are recorded
    // Further text on the loss of a process; called at each news. May return nothing.
    std::function<std::optional<std::string>()> aside{};
    // Ends the runs when it becomes true; nullptr: an interrupt ends them.
    const std::atomic<bool>* stop = nullptr;
  };
  using Take = std::function<void(scenarios::Outcome&&)>;

  explicit Commentary(Options options);

  // Announces so many more runs.
  void expect(std::size_t runs);
  // Runs that an experiment leaves out, since they have been done already.
  struct Skipped {
    std::uint32_t repetitions = 0;  // of each scheduler, from the first
    std::size_t runs = 0;           // of the share, from the first
  };
  // Does the other runs of an experiment, and passes each outcome on after telling it. Returns
  // false if interrupted. Each remark is told once, over all calls.
  [[nodiscard]] bool run(std::span<const scenarios::Cell> cells, const Take& take,
                         const Skipped& skipped = {0, 0});

 private:
  [[nodiscard]] scenarios::RunHooks run_hooks();
  void show();
  void tell(const scenarios::Outcome& outcome);
  void tell_put_aside(const scenarios::Outcome& invalid);
  void tell(const std::string& remark);
  void tell_news(const std::string& text);
  void warn(const scenarios::Outcome& outcome);

  const Options options_;
  std::mutex mutex_;  // runs in virtual time report from their own threads
  Progress progress_;
  std::map<std::size_t, Advance> under_way_;  // by run number
  std::set<std::string> told_;                // remarks, and failures with their last words
  std::size_t broken_ = 0;                    // runs with broken invariants
};

}  // namespace rhizome::tools
