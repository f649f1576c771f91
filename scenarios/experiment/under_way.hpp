// A run under way, as its experiment reports it while it goes on.
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

// Valid until the end of the run has been reported.
struct RunUnderWay {
  std::size_t number;  // in the order of the experiment's outcomes, from 0
  const Identity& identity;
  Duration open_for;               // length of the run; 0: until all tasks are done
  std::uint64_t completed;         // tasks
  std::uint64_t tasks;             // in all, known before the first event; 0: unknown
  const core::Foreseen& foreseen;  // empty until its world has been made
};

// Called from the thread that does the run: runs in virtual time go on side by side, so these are
// called from several threads at once, and while outcomes of other runs are handed over. They must
// not throw.
struct RunHooks {
  std::function<void(const RunUnderWay&)> begin{};
  std::function<void(const RunUnderWay&, Time now)> tick{};  // about ten times a real second
  // Called before a run begins: returns the pace of the run, for engines in virtual time.
  std::function<core::Pace*(const RunUnderWay&)> pace{};
  // Called before a run begins: gives the object that takes faults by hand, until `over`. Empty:
  // the run takes no faults by hand.
  std::function<void(const RunUnderWay&, core::Steering&)> steer{};
  // Machines that do the work of peers, which outlive the run; none: this process does.
  core::Nodes* nodes = nullptr;
  // Called before the first event: the board may be read from now on, from any thread, until
  // `unwatch` returns. Not called for a run that fails to begin.
  std::function<void(const RunUnderWay&, const core::Board&)> watch{};
  std::function<void(const RunUnderWay&)> unwatch{};  // the board has the ending
  // The last call for a run, however it ended, before its outcome is handed over.
  std::function<void(const RunUnderWay&)> over{};
};

// Calls the hooks for one run during its lifetime.
class AnnouncedRun {
 public:
  struct Run {
    std::size_t number = 0;
    Identity identity{};
    Duration open_for{0};
    bool struck = true;  // faults may strike its peers, which none may under [provision]
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
    return {run_.number,       run_.identity,        run_.open_for,
            counted_->count(), counted_->expected(), foreseen_};
  }

  const RunHooks& hooks_;
  const Run run_;
  std::shared_ptr<core::FactCount> counted_;
  core::Foreseen foreseen_;
  core::Steering steering_;
};

}  // namespace rhizome::scenarios
