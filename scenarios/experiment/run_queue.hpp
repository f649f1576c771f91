// Who does which run of an experiment: runs are handed out in order to whoever asks, and again
// where somebody is lost or slow (machines, section 9). All answers to a run are equal, because
// runs in virtual time are determined: the first one counts.
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
  // A process; the one that hands out is 0.
  using Who = std::uint32_t;

  // `ahead`: so many runs may be handed out from the one awaited on, so that memory stays bounded.
  RunQueue(std::size_t runs, std::size_t ahead) : runs_(runs), ahead_(ahead) {}
  void look_ahead(std::size_t runs) { ahead_ = runs; }
  [[nodiscard]] std::size_t ahead() const { return ahead_; }

  // The next run for somebody: the first that nobody has. Where all are handed out that may be, the
  // first that others have had for thrice as long as any other took.
  [[nodiscard]] std::optional<std::size_t> next(Who who, RealTime now);
  // It is done. False where it was before.
  bool done(std::size_t run, Who who, RealTime now);
  // Somebody could not do it: process 0 is to, so that the reason shows there.
  void failed(std::size_t run, Who who);
  // All that he has is to be handed out again, but for what others have, too: so many runs.
  std::size_t lost(Who who);
  // Whether several have it, because it was late.
  [[nodiscard]] bool is_shared(std::size_t run) const { return runs_[run].holders.size() > 1; }
  // Those before it are awaited no more.
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
  // True where nobody has it any more, and somebody is to do it.
  bool drop(std::size_t run, Who who);

  std::vector<Run> runs_;
  std::size_t ahead_;
  std::size_t next_ = 0;            // that was never handed out
  std::set<std::size_t> returned_;  // that were, and that nobody has
  std::size_t awaited_ = 0;
  std::size_t done_ = 0;
  std::chrono::nanoseconds longest_{0};
};

}  // namespace rhizome::scenarios
