// The fates of a scheduler's tasks, by cause, over all repetitions: which peers came and went,
// which executions were cut off, why tasks were handed out again, and which results came twice or
// never.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/outcome/outcome.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// How often an event happened, and to how many tasks; none if such events do not concern tasks.
struct FateRow {
  std::string what;
  std::uint64_t times = 0;
  std::optional<std::uint64_t> tasks{};
};

struct FatePart {
  std::string title;
  bool ranked = false;      // rows that occurred, most frequent first; else fixed rows
  std::uint64_t runs = 1;   // of which it is known; without any there are no rows
  std::uint64_t tasks = 0;  // of these runs
  std::vector<FateRow> rows{};

  [[nodiscard]] bool known() const { return runs > 0; }
  [[nodiscard]] double per_run(const FateRow& row) const;
  // The share of all tasks to which it happened; none if it does not concern tasks.
  [[nodiscard]] std::optional<double> share(const FateRow& row) const;
};

// The task with the most events beyond the usual ones: a starting point for reading. A task that
// was never completed goes before all others.
struct Liveliest {
  agents::TaskId task;
  std::uint32_t repetition = 0;  // from 0
  bool undone = false;           // never completed
  std::uint32_t events = 0;      // further starts, reissues and results than usual; 0: none
};

struct Fate {
  std::string name;   // label and cell of the scheduler
  std::string label;  // label of the scheduler
  std::uint64_t runs = 0;
  std::uint64_t invalid = 0;  // of the runs
  std::uint64_t failed = 0;   // of the runs
  std::uint64_t steered = 0;  // of the runs, by hand
  std::uint64_t cut = 0;      // of the runs: a process was lost, and what its peers noted with it
  std::uint64_t unknown = 0;  // of the runs: that was the process at which work enters
  std::uint64_t tasks = 0;    // of all runs, including tasks that were never handed to a peer
  std::vector<FatePart> parts{};
  Liveliest liveliest{};
};

// The fate of the tasks of one run.
[[nodiscard]] Fate fate_of(const Outcome& outcome);
// Adds the runs of `other` to `sum`.
void add(Fate& sum, const Fate& other);
// Adds `other` to the fate of the same name, or appends it.
void add(std::vector<Fate>& fates, const Fate& other);

[[nodiscard]] std::string text_of(std::span<const Fate> fates);
[[nodiscard]] std::string markdown_of(std::span<const Fate> fates);
[[nodiscard]] std::string json_of(std::span<const Fate> fates);

}  // namespace rhizome::tools
