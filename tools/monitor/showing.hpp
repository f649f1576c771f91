// Showing: lets monitors attach to the runs of a session while this object lives.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "scenarios/experiment/under_way.hpp"
#include "scenarios/live/feed.hpp"
#include "tools/monitor/registry.hpp"

namespace rhizome::tools {

class Showing {
 public:
  struct Options {
    std::string scenario;
    std::uint64_t runs = 0;
    std::string directory;  // empty: no directory is kept
    bool control = false;   // whether monitors may steer runs
    bool wait = false;      // whether the first run waits until a monitor lets it begin
    bool real_time = true;  // whether any run must keep up with a clock
  };
  // Throws NoRegistry or core::ExchangeFailed if monitors could not attach.
  explicit Showing(Options options);

  // Adds the hooks that this object needs in each run to the others.
  void add_to(scenarios::RunHooks& hooks);
  // Tells monitors the outcome of a run. Must be called for each run, in order.
  void conclude(const scenarios::Outcome& outcome);
  // The entry by which monitors find the session.
  [[nodiscard]] const RegisteredRun& entry() const { return entry_; }
  // Why monitors are no longer answered; empty while they are.
  [[nodiscard]] std::string failure() { return feed_->failure(); }
  // The load of the attached monitors so far.
  [[nodiscard]] scenarios::live::Attention attention() { return feed_->attention(); }

 private:
  const Options options_;
  RegisteredRun entry_;
  std::uint32_t concluded_ = 0;
  std::unique_ptr<scenarios::live::Feed> feed_;
  std::unique_ptr<Registration> registration_;  // destroyed first: no monitor can come now
};

}  // namespace rhizome::tools
