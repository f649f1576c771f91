#include "agents/provision/cluster.hpp"

#include <algorithm>

namespace rhizome::agents::provision {

// A job that ends at a time frees its nodes for a job that is submitted at the same time.
void Cluster::advance(core::Time now) {
  for (;;) {
    const core::Time end = running_.empty() ? core::Time::max() : running_.top().ends;
    const core::Time submission =
        next_ < coming_.size() ? coming_[next_].submitted : core::Time::max();
    const core::Time at = std::min(end, submission);
    if (at > now || at == core::Time::max()) break;
    now_ = at;
    if (end <= submission) {
      idle_ += running_.top().nodes;
      running_.pop();
    } else {
      if (waiting_.empty()) on_top_since_ = now_;
      waiting_.push_back(coming_[next_++]);
    }
    serve();
  }
  now_ = std::max(now_, now);
}

void Cluster::serve() {
  while (!waiting_.empty() && waiting_.front().nodes <= idle_) {
    const OtherJob job = waiting_.front();
    waiting_.pop_front();
    on_top_since_ = now_;
    idle_ -= job.nodes;
    running_.push({now_ + job.runs, job.nodes});
    waits_.push_back(now_ - job.submitted);
  }
}

bool Cluster::reserve() {
  std::uint32_t& idle = seen_ ? seen_->idle : idle_;
  if (idle == 0) return false;
  --idle;
  return true;
}

void Cluster::release() {
  ++idle_;
  serve();
}

ClusterState Cluster::state() const {
  if (seen_) return *seen_;
  if (waiting_.empty()) return {.idle = idle_};
  return {.idle = idle_, .required = waiting_.front().nodes, .waited = now_ - on_top_since_};
}

}  // namespace rhizome::agents::provision
