#include "scenarios/live/fact_tail.hpp"

#include <algorithm>

namespace rhizome::scenarios::live {

FactSlice FactTail::slice(std::uint64_t from, std::uint32_t most) const {
  const std::uint64_t end = first_ + facts_.size();
  const std::uint64_t newest = end - std::min<std::uint64_t>(most, facts_.size());
  const std::uint64_t begin = from == 0 ? newest : std::clamp(from, first_, end);
  FactSlice slice{.next = std::min(begin + most, end),
                  .missed = from == 0 || from > begin ? 0 : begin - from};
  for (std::uint64_t number = begin; number < slice.next; ++number)
    slice.facts.push_back(facts_[number - first_]);
  return slice;
}

}  // namespace rhizome::scenarios::live
