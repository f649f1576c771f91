#include "scenarios/world/workload/trace_jobs.hpp"

namespace rhizome::scenarios {

std::optional<TraceJob> TraceJobs::next() {
  while (!ended_ && !first_is_complete()) ended_ = !read_line();
  if (held_.empty()) return {};
  auto first = held_.extract(held_.begin());
  HeldJob& held = first.mapped();
  lines_held_ -= held.job.tasks.size();
  last_submitted_ = held.job.submitted;
  if (held.id) {
    places_.erase(*held.id);
    gone_.insert(*held.id);
  }
  return std::move(held.job);
}

// Whether the first job is complete, as far as can be known. A job that is longer than the window
// may go on in the next line.
bool TraceJobs::first_is_complete() const {
  const bool grows = joined_ && latest_ == held_.begin()->first;
  return lines_held_ > window_ && !grows;
}

bool TraceJobs::read_line() {
  std::string_view text;
  if (!lines_.next(text)) {
    format_->end();
    return false;
  }
  if (const auto line = format_->read(lines_, text)) take(*line);
  return true;
}

void TraceJobs::take(const TraceLine& line) {
  check_order(line);
  auto at = place_of(line);
  if (line.submitted < at->first.first) move(at, line.submitted);
  joined_ = !at->second.job.tasks.empty();
  at->second.job.tasks.push_back({.run = line.run,
                                  .estimate = line.estimate,
                                  .memory = line.memory,
                                  .cpus = line.cpus,
                                  .count = line.tasks,
                                  .submitted = line.submitted,
                                  .recipe = line.recipe});
  ++lines_held_;
  latest_ = at->first;
}

void TraceJobs::check_order(const TraceLine& line) const {
  const auto refuse = [this](const std::string& what, const std::string& remedy) {
    lines_.refuse(1, what + " more than " + std::to_string(window_) + " lines before: " + remedy);
  };
  if (line.job && gone_.contains(*line.job))
    refuse("other tasks of this job stand", "put the tasks of a job together");
  if (line.submitted < last_submitted_)
    refuse("what was submitted later stands", "sort the trace by submission");
}

TraceJobs::Window::iterator TraceJobs::place_of(const TraceLine& line) {
  if (line.job)
    if (const auto known = places_.find(*line.job); known != places_.end())
      return held_.find(known->second);
  const Place place{line.submitted, jobs_++};
  if (line.job) places_.emplace(*line.job, place);
  return held_.emplace(place, HeldJob{{line.submitted, {}, lines_.number()}, line.job}).first;
}

void TraceJobs::move(Window::iterator& at, double submitted) {
  auto node = held_.extract(at);
  node.key().first = submitted;
  node.mapped().job.submitted = submitted;
  places_[*node.mapped().id] = node.key();
  at = held_.insert(std::move(node)).position;
}

}  // namespace rhizome::scenarios
