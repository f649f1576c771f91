#include "agents/discipline.hpp"

#include "agents/attained_levels.hpp"
#include "agents/equal_shares.hpp"

namespace rhizome::agents {

namespace {

using Rule = Discipline::Rule;

template <class D>
std::unique_ptr<Division> make() {
  return std::make_unique<D>();
}

core::Duration none(const ResidentTask&) { return core::Duration::zero(); }
core::Duration need(const ResidentTask& resident) { return resident.need(); }
// The level as a duration, since ranks are durations; only their order matters.
core::Duration depth(const ResidentTask& resident) {
  return resident.task.level > 0 ? core::Duration(resident.task.level) : core::Duration::max();
}

constexpr Discipline all_disciplines[]{
    {"fcfs", "first come, first served", none},
    {"sjf", "the shortest task goes first, without interrupting others", need, Rule::waits, true},
    {"shallowest-first",
     "of a graph the task with the shortest chain before it, and a task without dependencies last "
     "(Peterson)",
     depth},
    {"srpt", "the shortest remaining task goes first, and interrupts longer ones (Schrage)", need,
     Rule::interrupts, true},
    {"ps", "processor sharing: all tasks are served at once, at equal rates", none, Rule::divides,
     false, make<EqualShares>},
    {"las",
     "the least attained service goes first: those served least share the processors equally", none,
     Rule::divides, false, make<AttainedLevels>},
};

}  // namespace

std::span<const Discipline> disciplines() { return all_disciplines; }

std::unique_ptr<Division> made_division(const Discipline& discipline) {
  return discipline.division == nullptr ? nullptr : discipline.division();
}

std::vector<std::string> discipline_names() {
  std::vector<std::string> names;
  for (const Discipline& discipline : all_disciplines) names.emplace_back(discipline.name);
  return names;
}

}  // namespace rhizome::agents
