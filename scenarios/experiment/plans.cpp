#include "scenarios/experiment/plans.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace rhizome::scenarios {

namespace {

// Finds the cell that runs for all cells that are equal for a scheduler.
class Shared {
 public:
  explicit Shared(std::span<const Cell> cells) : alone_(cells.size() == 1) {}

  [[nodiscard]] Assignments choices(const Cell& cell, const SchedulerChoice& choice) const {
    return alone_ ? cell.assignments : choices_for(cell, choice.label);
  }
  // Whether this is the first cell with these choices.
  bool first(const Cell& cell, const SchedulerChoice& choice) {
    const auto key = std::pair(choice.label, choices(cell, choice));
    return first_.try_emplace(key, &cell).first->second == &cell;
  }

 private:
  bool alone_;
  std::map<std::pair<std::string, Assignments>, const Cell*> first_;
};

}  // namespace

std::vector<PlannedRun> make_plans(std::span<const Cell> cells, std::uint32_t first) {
  std::vector<PlannedRun> plans;
  Shared shared(cells);
  for (const Cell& cell : cells)
    for (std::uint32_t r = std::max(first, cell.scenario.run.left_out());
         r < cell.scenario.run.repetitions; ++r)
      for (std::size_t s = 0; s < cell.scenario.schedulers.size(); ++s) {
        const SchedulerChoice& choice = cell.scenario.schedulers[s];
        if (shared.first(cell, choice))
          plans.push_back({&cell, s, r, shared.choices(cell, choice)});
      }
  return plans;
}

std::vector<PlannedRun> held_by(std::vector<PlannedRun> plans, const RunShare& share) {
  std::size_t place = 0;
  std::erase_if(plans, [&](const PlannedRun&) { return !share.holds(place++); });
  return plans;
}

}  // namespace rhizome::scenarios
