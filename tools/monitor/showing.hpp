// Showing: lets monitors attach to the runs of a session for as long as it lives.
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
    std::string directory;  // empty: nothing is kept
    bool control = false;   // whether monitors may steer runs
    bool wait = false;      // whether the first of them waits for one that lets it begin
    bool real_time = true;  // whether any run has to keep up with a clock
  };
  // Throws NoRegistry or core::ExchangeFailed, where nobody could attach.
  explicit Showing(Options options);

  // What is to be called of each run under way, besides what else is.
  void add_to(scenarios::RunHooks& hooks);
  // Tells monitors what came of a run; of each, in their order.
  void conclude(const scenarios::Outcome& outcome);
  // Where monitors find it.
  [[nodiscard]] const RegisteredRun& entry() const { return entry_; }
  // Why monitors are not answered any more; empty as long as all is well.
  [[nodiscard]] std::string failure() { return feed_->failure(); }
  // What it has taken until now.
  [[nodiscard]] scenarios::live::Attention attention() { return feed_->attention(); }

 private:
  const Options options_;
  RegisteredRun entry_;
  std::uint32_t concluded_ = 0;
  std::unique_ptr<scenarios::live::Feed> feed_;
  std::unique_ptr<Registration> registration_;  // goes first: who comes now comes too late
};

}  // namespace rhizome::tools
