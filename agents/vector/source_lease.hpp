// The link of a peer to the source: it sends results there, and with recovery it reports its tasks
// and results until the source has noted them. Reports only name results: a result with bytes is
// sent once more if the source, when asked, has not noted it. So the source hears of every task,
// and a peer that hears nothing of the source for long gives up. Costs two messages for each
// report. Our design.
#pragma once

#include <map>
#include <vector>

#include "agents/backoff.hpp"
#include "agents/vector/messages.hpp"
#include "agents/vector/options.hpp"

namespace rhizome::agents::vectors {

class SourceLease {
 public:
  // A report without an answer is repeated after `patience`.
  SourceLease(const Options& options, PeerId source, core::Duration patience)
      : options_(options), source_(source), backoff_(patience) {}

  void start(Env& env);
  // A task has been done here.
  void done(Env& env, const Product& product);
  // Whether a task was done here and the source may not know.
  [[nodiscard]] bool has_done(TaskId task) const { return done_.contains(task); }
  void on(Env& env, const Heard& heard);
  // Reports these tasks; false once the source is given up.
  [[nodiscard]] bool report(Env& env, const std::vector<TaskId>& held);
  void stop(Env& env) { env.cancel(due_); }

 private:
  void bring_again(Env& env);

  const Options& options_;
  PeerId source_;
  Backoff backoff_;
  std::uint32_t unanswered_ = 0;  // reports
  struct Done {
    core::DeclaredBytes given;
    bool reported = false;  // since it was brought last
  };
  std::map<TaskId, Done> done_;  // and not noted
  core::Time heard_{};           // last message of the source
  core::TimerId due_{};
};

}  // namespace rhizome::agents::vectors
