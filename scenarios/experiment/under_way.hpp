// A run under way, as its experiment tells it while it goes on.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/engine/board.hpp"
#include "core/engine/fact_count.hpp"
#include "core/engine/foreseen.hpp"
#include "core/engine/observer.hpp"
#include "core/engine/pace.hpp"
#include "core/engine/steering.hpp"
#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// All of it is there until its end has been told.
struct RunUnderWay {
  std::size_t number;  // in the order of the experiment's outcomes, from 0
  const Identity& identity;
  Duration open_for;               // that it takes; 0: until all is done
  Duration limit;                  // after which it is given up
  std::uint64_t completed;         // tasks
  std::uint64_t tasks;             // in all, known before the first event; 0: nobody knows
  const core::Foreseen& foreseen;  // empty until its world has been made
};

// Called from the thread that does the run: runs in virtual time go on side by side, so these are
// called from several threads at once, and while outcomes of other runs are handed over. They must
// not throw.
struct RunHooks {
  std::function<void(const RunUnderWay&)> begin{};
  std::function<void(const RunUnderWay&, Time now)> tick{};  // about ten times a real second
  // Of a run that is about to begin: how fast it goes, for engines in virtual time.
  std::function<core::Pace*(const RunUnderWay&)> pace{};
  // Of a run that is about to begin: where faults by hand may be posted, until `over`. None: nobody
  // may.
  std::function<void(const RunUnderWay&, core::Steering&)> steer{};
  // Before its first event: the board may be read from now on, from any thread, until `unwatch`
  // returns. Not called of a run that fails to begin.
  std::function<void(const RunUnderWay&, const core::Board&)> watch{};
  std::function<void(const RunUnderWay&)> unwatch{};  // the board says how it ended
  // However it ended, and before its outcome is handed over: the last that is told of it.
  std::function<void(const RunUnderWay&)> over{};
};

// Tells hooks of a run as long as it lives.
class AnnouncedRun {
 public:
  struct Run {
    std::size_t number = 0;
    Identity identity{};
    Duration open_for{0};
    Duration limit{0};
  };
  // The hooks outlive it.
  AnnouncedRun(const RunHooks& hooks, Run run);
  ~AnnouncedRun();
  AnnouncedRun(const AnnouncedRun&) = delete;
  AnnouncedRun& operator=(const AnnouncedRun&) = delete;

  // For the engine that does the run.
  [[nodiscard]] core::Observer observer(const std::atomic<bool>* stop);

 private:
  [[nodiscard]] RunUnderWay now() const {
    return {run_.number,       run_.identity,        run_.open_for, run_.limit,
            counted_->count(), counted_->expected(), foreseen_};
  }

  const RunHooks& hooks_;
  const Run run_;
  std::shared_ptr<core::FactCount> counted_;
  core::Foreseen foreseen_;
  core::Steering steering_;
};

}  // namespace rhizome::scenarios
