#include "tools/reproduce/sketches.hpp"

#include "tools/timeline/completions.hpp"
#include "tools/timeline/trace.hpp"

namespace rhizome::tools {

Sketches::Sketches(std::span<const Reproduction> results, const std::string& study) {
  for (const Reproduction& result : results) {
    if (result.study != study) continue;
    for (const PublishedFigure& figure : result.figures)
      for (const std::string& label : figure.labels) {
        if (figure.shows == Shows::completions) completions_[label];
        if (figure.shows == Shows::schedule) scheduled_.insert(label);
      }
  }
}

void Sketches::add(const Outcome& outcome) {
  const Identity& run = outcome.identity;
  if (const auto found = completions_.find(run.label); found != completions_.end())
    found->second.push_back(completions_of(outcome));
  if (run.repetition == 0 && scheduled_.contains(run.label))
    schedules_[run.label] = {schedule_of(outcome), core::seconds(outcome.ended.time_since_epoch())};
}

const std::vector<std::vector<double>>& Sketches::completions(const std::string& label) const {
  static const std::vector<std::vector<double>> none;
  const auto found = completions_.find(label);
  return found == completions_.end() ? none : found->second;
}

const Sketches::Schedule* Sketches::schedule(const std::string& label) const {
  const auto found = schedules_.find(label);
  return found == schedules_.end() ? nullptr : &found->second;
}

}  // namespace rhizome::tools
