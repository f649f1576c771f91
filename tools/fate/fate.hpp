// What became of the tasks of a scheduler, by cause, over all its repetitions: who came and went,
// which executions were cut off, why tasks were handed out again, what came twice or never.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/outcome/outcome.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// How often something happened, and to how many tasks; none where it does not happen to tasks.
struct FateRow {
  std::string what;
  std::uint64_t times = 0;
  std::optional<std::uint64_t> tasks{};
};

struct FatePart {
  std::string title;
  bool ranked = false;  // its rows are whatever there was, most times first; else always the same
  std::vector<FateRow> rows{};
};

// The task to which most happened, to begin with.
struct Liveliest {
  agents::TaskId task;
  std::uint32_t repetition = 0;  // from 0
  std::uint32_t events = 0;  // starts, repeats and results beyond those of a quiet task; 0: none
};

struct Fate {
  std::string name;   // of the scheduler, and of its cell
  std::string label;  // of the scheduler
  std::uint64_t runs = 0;
  std::uint64_t invalid = 0;  // of them
  std::uint64_t failed = 0;   // of them
  std::uint64_t steered = 0;  // of them, by hand
  std::uint64_t tasks = 0;    // of all runs, those included that nobody was ever handed
  std::vector<FatePart> parts;
  Liveliest liveliest{};

  [[nodiscard]] double per_run(const FateRow& row) const;
  // Of all tasks, those that it happened to; none as above.
  [[nodiscard]] std::optional<double> share(const FateRow& row) const;
};

// Of one run.
[[nodiscard]] Fate fate_of(const Outcome& outcome);
// Adds the runs of another.
void add(Fate& sum, const Fate& other);
// Adds them to those of the same name, or as the first of it.
void add(std::vector<Fate>& fates, const Fate& other);

[[nodiscard]] std::string text_of(std::span<const Fate> fates);
[[nodiscard]] std::string markdown_of(std::span<const Fate> fates);
[[nodiscard]] std::string json_of(std::span<const Fate> fates);

}  // namespace rhizome::tools
