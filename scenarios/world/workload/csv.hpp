// Traces in columns: a table of comma-separated values, plain or gzipped. The scenario gives the
// meaning of its columns. The layouts of well-known traces are defaults for that, a few lines each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/arrivals.hpp"
#include "core/peer/setting.hpp"
#include "scenarios/world/model.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

enum class TableUnit : std::uint8_t { s, ms, us, ns, min, h, d };
enum class BadRow : std::uint8_t { refuse, skip };
enum class TaskArrivals : std::uint8_t { together, apart };

// The meanings of columns, as formulas. "" stands for the value of the layout, or for none.
struct CsvOptions {
  std::string columns{};  // names, separated by commas; "": the first line has them
  bool header = true;
  std::string separator = ",";
  std::string arrival{};
  TableUnit arrival_unit{};
  std::string duration{};
  TableUnit duration_unit{};
  std::string job{};
  TaskArrivals task_arrivals{};
  std::string tasks{};
  std::string task_cpus{};
  std::string task_memory{};
  std::string estimate{};
  std::string filter{};
  std::string require{};
  BadRow on_bad_row{};
};

// The layout of a well-known trace: defaults for what the scenario leaves out.
struct CsvLayout {
  CsvOptions options{};
  // A row with so many fields belongs to another table of the same trace; `advice`: the remedy.
  std::size_t other_table = 0;
  const char* advice = "";
};

// The tasks of the Google cluster trace of 2011 (Reiss, Wilkes, Hellerstein), a row for each:
// scenarios/data/README.md says how to make these rows from the events of the trace. A task
// requests a share of the processors of a machine, which is not a whole number of slots, so every
// task occupies one slot.
[[nodiscard]] const CsvLayout& google_layout();
// batch_task.csv of the Alibaba cluster trace of 2018: the instances of a task become equal tasks.
[[nodiscard]] const CsvLayout& alibaba_layout();
// The invocations of the Azure functions trace of 2021, each a job of one task.
[[nodiscard]] const CsvLayout& azure_layout();

[[nodiscard]] std::vector<core::Setting> csv_settings();
// Options that do not fit the file. Reads the first lines of the file, and throws what reading them
// throws.
[[nodiscard]] std::optional<Complaint> csv_complaint(const WorkloadSection& section,
                                                     const CsvLayout& layout);
[[nodiscard]] std::unique_ptr<agents::Arrivals> open_csv(const WorkloadSection& section,
                                                         const CsvLayout& layout = {});

}  // namespace rhizome::scenarios
