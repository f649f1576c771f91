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

void Knowledge::take(Roll said) {
  under_way = std::move(said.under_way);
  for (RunEnd& end : said.ends)
    if (end_of(end.run) == nullptr) ends.push_back(std::move(end));
}

void Knowledge::take(const Over& over) {
  under_way.clear();
  for (const RunEnd& end : over.ends)
    if (end_of(end.run) == nullptr) ends.push_back(end);
}

}  // namespace rhizome::scenarios::live
