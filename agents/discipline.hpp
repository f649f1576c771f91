// Disciplines: in which order, and how, the processors of a server work on the tasks at it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/task.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents {

// A task at a server.
struct ResidentTask {
  Task task;
  core::Duration left{0};    // service that it still needs there, when it was last looked at
  double expected = 0;       // the same by the declared duration, in ns with fractions, so that
                             // equal shares add up; below 0 once it has had more than declared
  std::uint64_t number = 0;  // in order of arrival
  bool begun = false;
  core::WorkId work{};  // once begun
  double rate = 0;      // of its service: 1 on processors of its own, 0 while it waits
  core::Time since{};   // at that rate

  // What a server that orders tasks by size knows of its need.
  [[nodiscard]] core::Duration need() const {
    return core::Duration(std::llround(std::max(expected, 0.0)));
  }
};

class Division;

struct Discipline {
  enum class Rule : std::uint8_t {
    waits,       // a task that has begun is not interrupted
    interrupts,  // a task that has begun is interrupted for one of a lesser rank
    divides      // no task waits: a division gives each a part of the processors
  };
  std::string_view name;
  std::string_view summary;
  // The task of the least rank is served first, of equal ranks the earliest. No task overtakes one
  // of a lesser rank, even if only it fits into the free room.
  core::Duration (*rank)(const ResidentTask&);
  Rule rule = Rule::waits;
  bool by_size = false;                               // ranks tasks by their estimated durations
  std::unique_ptr<Division> (*division)() = nullptr;  // for one server
};
[[nodiscard]] std::unique_ptr<Division> made_division(const Discipline& discipline);

// A position in the catalogue; the first is the default.
enum class DisciplineId : std::uint8_t {};

// The disciplines that a scenario may choose.
[[nodiscard]] std::span<const Discipline> disciplines();
[[nodiscard]] std::vector<std::string> discipline_names();
[[nodiscard]] inline const Discipline& discipline_of(DisciplineId id) {
  return disciplines()[static_cast<std::size_t>(id)];
}

}  // namespace rhizome::agents
