#include "agents/discipline.hpp"

#include <algorithm>
#include <vector>

#include "agents/attained_levels.hpp"
#include "agents/division.hpp"
#include "core/peer/names.hpp"

namespace rhizome::agents {

// Processor sharing: every task has the same part of the processors, or all that it asks for where
// there is enough.
class EqualShares final : public Division {
 public:
  void add(ResidentTask* resident, core::Time) override { residents_.push_back(resident); }
  void remove(const ResidentTask* resident, core::Time) override {
    std::erase(residents_, resident);
  }
  void divide(double processors, core::Time, const Give& give) override {
    double wanted = 0;
    for (const ResidentTask* resident : residents_) wanted += resident->task.cpus;
    for (ResidentTask* resident : residents_) give(*resident, std::min(1.0, processors / wanted));
  }

 private:
  std::vector<ResidentTask*> residents_;  // in the order in which they came
};

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

std::vector<std::string> discipline_names() { return core::names_of(all_disciplines); }

}  // namespace rhizome::agents
