// Assigns the runs of an experiment to processes. Runs are handed out in order to each process that
// asks, and again where a process is lost or slow (machines, section 9). The first answer to a run
// counts: all answers are equal, because runs in virtual time are deterministic.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace rhizome::scenarios {

class RunQueue {
 public:
  using RealTime = std::chrono::steady_clock::time_point;
  // A process. Process 0 hands out the runs.
  using Who = std::uint32_t;

  // `ahead`: so many runs, counted from the one awaited, may be handed out, so that memory stays
  // bounded.
  RunQueue(std::size_t runs, std::size_t ahead) : runs_(runs), ahead_(ahead) {}
  void look_ahead(std::size_t runs) { ahead_ = runs; }
  [[nodiscard]] std::size_t ahead() const { return ahead_; }

  // The next run for that process: the first run that no process has. Where all allowed runs are
  // handed out, the first run that other processes have had for three times as long as the longest
  // finished run took.
  [[nodiscard]] std::optional<std::size_t> next(Who who, RealTime now);
  // Marks the run as done. Returns false where it was done before.
  bool done(std::size_t run, Who who, RealTime now);
  // A process could not do the run. Process 0 does it then, so that the reason shows there.
  void failed(std::size_t run, Who who);
  // Returns to the queue all runs that only that process has. Returns their number.
  std::size_t lost(Who who);
  // Whether several processes have the run, because it was late.
  [[nodiscard]] bool is_shared(std::size_t run) const { return runs_[run].holders.size() > 1; }
  // Runs before `run` are awaited no more.
  void await(std::size_t run) { awaited_ = run; }
  [[nodiscard]] bool finished() const { return done_ == runs_.size(); }

 private:
  struct Holder {
    Who who = 0;
    RealTime since{};
  };
  struct Run {
    bool done = false;
    bool only_here = false;  // only process 0 may have it
    std::vector<Holder> holders{};
  };
  [[nodiscard]] bool may_have(Who who, std::size_t run) const {
    return run < awaited_ + ahead_ && (who == 0 || !runs_[run].only_here);
  }
  [[nodiscard]] std::optional<std::size_t> overdue(Who who, RealTime now) const;
  // Returns true where the run is not done and no process has it any more.
  bool drop(std::size_t run, Who who);

  std::vector<Run> runs_;
  std::size_t ahead_;
  std::size_t next_ = 0;            // the first run that was never handed out
  std::set<std::size_t> returned_;  // handed out before, and now with no process
  std::size_t awaited_ = 0;
  std::size_t done_ = 0;
  std::chrono::nanoseconds longest_{0};
};

}  // namespace rhizome::scenarios
