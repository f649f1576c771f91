#include "test/fuzz/protocol/shrinker.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace rhizome::fuzz {

namespace {

struct Count {
  std::string_view section;
  std::string_view key;
  long least;
};
// The defaults of these keys are large, so the values are lowered and not removed.
constexpr std::array<Count, 3> counts{
    {{"peers", "count", 3}, {"workload", "jobs", 1}, {"workload", "portions", 1}}};

// Keys that must stay: counts, the end of churn, and keys without which a scenario cannot be
// judged.
bool needed(const Assignment& assignment) {
  const bool counted = std::any_of(counts.begin(), counts.end(), [&](const Count& count) {
    return assignment.section == count.section && assignment.key == count.key;
  });
  const bool engine =
      assignment.section == "engine" &&
      (assignment.key == "kind" || assignment.key == "time_limit" || assignment.key == "grace");
  const bool ending = assignment.section == "faults.lifetimes" && assignment.key == "until";
  return counted || engine || ending || assignment.section == "run" || assignment.key == "use";
}

class Shrinker {
 public:
  Shrinker(Draft draft, const std::function<bool(const Draft&)>& fails, std::size_t most)
      : draft_(std::move(draft)), fails_(fails), most_(most) {}

  Shrinking run() {
    bool smaller = true;
    while (smaller && runs_ < most_) {
      smaller = drop_tables();
      smaller = drop_keys() || smaller;
      for (const Count& count : counts) smaller = lower(count) || smaller;
    }
    return {std::move(draft_), runs_};
  }

 private:
  // A draft also counts as failing if it fails with another seed of the run.
  bool accept(const Draft& candidate) {
    for (const char* seed : {"", "1", "2", "3"}) {
      if (runs_ >= most_) return false;
      Draft tried = candidate;
      if (*seed != '\0') assign(tried, "run", "seed", seed);
      ++runs_;
      if (!fails_(tried)) continue;
      draft_ = std::move(tried);
      return true;
    }
    return false;
  }

  bool drop_tables() {
    std::set<std::string> tables;
    for (const Assignment& assignment : draft_)
      if (!needed(assignment) && !assignment.section.starts_with("scheduler"))
        tables.insert(assignment.section);
    bool smaller = false;
    for (const std::string& table : tables) {
      Draft without = draft_;
      std::erase_if(without,
                    [&](const Assignment& each) { return each.section == table && !needed(each); });
      smaller = accept(without) || smaller;
    }
    return smaller;
  }

  bool drop_keys() {
    bool smaller = false;
    for (std::size_t i = draft_.size(); i-- > 0;) {
      if (i >= draft_.size() || needed(draft_[i])) continue;
      Draft without = draft_;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      smaller = accept(without) || smaller;
    }
    return smaller;
  }

  // Lowers a count to the least, to half, or by one.
  bool lower(const Count& count) {
    bool smaller = false;
    for (bool again = true; again;) {
      again = false;
      const std::string text(value_of(draft_, count.section, count.key));
      const long now = std::strtol(text.c_str(), nullptr, 10);
      std::set<long> tried;
      for (const long less : {count.least, now / 2, now - 1}) {
        if (text.empty() || less < count.least || less >= now || !tried.insert(less).second)
          continue;
        Draft lowered = draft_;
        assign(lowered, count.section, count.key, std::to_string(less));
        again = accept(lowered);
        if (again) break;
      }
      smaller = smaller || again;
    }
    return smaller;
  }

  Draft draft_;
  const std::function<bool(const Draft&)>& fails_;
  std::size_t most_;
  std::size_t runs_ = 0;
};

}  // namespace

Shrinking shrink(Draft draft, const std::function<bool(const Draft&)>& fails, std::size_t most) {
  return Shrinker(std::move(draft), fails, most).run();
}

}  // namespace rhizome::fuzz
