#include "agents/discipline.hpp"

namespace rhizome::agents {

namespace {

core::Duration none(const Guest&) { return core::Duration::zero(); }
core::Duration need(const Guest& guest) { return guest.left; }
// As durations, which only their order makes ranks.
core::Duration depth(const Guest& guest) {
  return guest.task.level > 0 ? core::Duration(guest.task.level) : core::Duration::max();
}

constexpr Discipline all_disciplines[]{
    {"fcfs", "first come, first served", none},
    {"sjf", "whoever needs the least goes first, without interrupting others", need},
    {"shallowest-first",
     "of a graph whoever has the shortest chain before it, and who needs nobody last (Peterson)",
     depth},
};

}  // namespace

std::span<const Discipline> disciplines() { return all_disciplines; }

std::vector<std::string> discipline_names() {
  std::vector<std::string> names;
  for (const Discipline& discipline : all_disciplines) names.emplace_back(discipline.name);
  return names;
}

}  // namespace rhizome::agents
