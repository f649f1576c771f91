// The commentary: tells the console how an experiment goes. It shows the progress, says remarks and
// broken invariants at once, not only in the table at the end, and stops at an interrupt; what a
// command makes of the outcomes is the command's.
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

// "3.3663": five figures, and more where a time is longer than they say.
[[nodiscard]] std::string in_seconds(core::Time time);

class Commentary {
 public:
  struct Options {
    Screen screen{};
    std::function<std::string(const scenarios::Identity&)> name = describe;  // what runs are called
    std::function<void(const std::string&)> remark{};             // hears every remark that is told
    std::function<void(const scenarios::Outcome&)> broken_off{};  // of which it hears, too
    std::uint32_t retries = 0;    // how often a run on threads is done again while it is invalid
    scenarios::RunShare share{};  // of the runs
    std::size_t done = 0;         // of these, the first so many are left out
    scenarios::Helpers* helpers = nullptr;             // other processes, with runs in virtual time
    std::function<void(scenarios::RunHooks&)> also{};  // adds what else each run is to tell
    scenarios::DistributedRun* distributed_run =
        nullptr;                             // who does runs on threads; none: this process alone
    scenarios::RecordingTarget recording{};  // where these are recorded
    // What the loss of a process means beside; asked at each news.
    std::function<std::optional<std::string>()> aside{};
    // Ends the runs once it is true; none: an interrupt does.
    const std::atomic<bool>* stop = nullptr;
  };
  using Take = std::function<void(scenarios::Outcome&&)>;

  explicit Commentary(Options options);

  // So many more runs are to come.
  void expect(std::size_t runs);
  // Does the runs of an experiment but for repetitions before `first`, and hands each outcome over
  // once it has been told. False when interrupted. Remarks are told once each, however often this
  // is called.
  [[nodiscard]] bool run(std::span<const scenarios::Cell> cells, const Take& take,
                         std::uint32_t first = 0);

 private:
  [[nodiscard]] scenarios::RunHooks run_hooks();
  void show();
  void tell(const scenarios::Outcome& outcome);
  void tell_put_aside(const scenarios::Outcome& invalid);
  void tell(const std::string& remark);
  void tell_news(const std::string& text);
  void warn(const scenarios::Outcome& outcome);

  const Options options_;
  std::mutex mutex_;  // runs in virtual time tell of themselves, each from its own thread
  Progress progress_;
  std::map<std::size_t, Advance> under_way_;  // by number
  std::set<std::string> told_;                // remarks
  std::size_t broken_ = 0;                    // runs with broken invariants
};

}  // namespace rhizome::tools
