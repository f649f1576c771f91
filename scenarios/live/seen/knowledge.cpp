#include "scenarios/live/seen/knowledge.hpp"

#include <algorithm>

namespace rhizome::scenarios::live {

const RunEnd* Knowledge::end_of(std::uint32_t run) const {
  const auto found =
      std::find_if(ends.rbegin(), ends.rend(), [run](const RunEnd& end) { return end.run == run; });
  return found == ends.rend() ? nullptr : &*found;
}

bool Knowledge::take(const Frame& frame) {
  if (!state.apply(frame)) return false;
  latest_facts = frame.facts;
  suspicions.see(state, latest_facts, welcome, plan_of_run());
  return true;
}

// Keeps the first end of each run, because a message may tell of an end again.
void Knowledge::take_ends(const std::vector<RunEnd>& said) {
  for (const RunEnd& end : said)
    if (ended.insert(end.run).second) ends.push_back(end);
}

void Knowledge::take(RunsAnswer said) {
  under_way = std::move(said.under_way);
  take_ends(said.ends);
}

void Knowledge::take(const Over& over) {
  under_way.clear();
  take_ends(over.ends);
}

}  // namespace rhizome::scenarios::live
