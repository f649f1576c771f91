#include "scenarios/world/workload/csv.hpp"

namespace rhizome::scenarios {

namespace {

using O = CsvOptions;
using Settings = core::Settings<CsvOptions>;

const std::vector<std::string> units{"s", "ms", "us", "ns", "min", "h", "d"};

void add_table(Settings& settings) {
  settings
      .add("columns", &O::columns,
           {"The names of the columns, separated by commas, of a file whose first line does not "
            "name them. \"\": the first line names them.",
            "our choice"})
      .add("header", &O::header,
           {"Whether the first line may name the columns. If not, and \"columns\" does not either, "
            "they are $1, $2 and so on.",
            "our choice"})
      .add("separator", &O::separator,
           {"The character between fields; \"tab\"; or \"blank\", for runs of white space.",
            "RFC 4180"})
      .add("filter", &O::filter,
           {"Only rows for which this is true are used: \"status == 'Terminated' && run_us > 0\". "
            "The others are counted.",
            "our choice"})
      .add("require", &O::require,
           {"A row for which this is false is broken: see \"on_bad_row\".", "our choice"})
      .add("on_bad_row", &O::on_bad_row, {"refuse", "skip"},
           {"A row that is broken ends it with its line and column (refuse), or is left out and "
            "counted (skip).",
            "our choice"});
}

void add_times(Settings& settings) {
  settings
      .add("arrival", &O::arrival,
           {"When a row's tasks arrive: a column, or a formula of columns. Only differences count: "
            "the first job comes at the start.",
            "our choice"})
      .add("arrival_unit", &O::arrival_unit, units, {"The unit of \"arrival\".", "our choice"})
      .add("duration", &O::duration,
           {"How long each takes on a peer of speed 1: \"run_us * cpu_request / 9.7\".",
            "our choice"})
      .add("duration_unit", &O::duration_unit, units,
           {"The unit of \"duration\" and \"estimate\".", "our choice"})
      .add("estimate", &O::estimate,
           {"What is believed of the duration beforehand, by the peer that orders or places tasks "
            "by their sizes. \"\" or 0: the duration itself.",
            "our choice"});
}

void add_tasks(Settings& settings) {
  settings
      .add("job", &O::job,
           {"The column whose value rows of one job have in common. \"\": each row is a job.",
            "our choice"})
      .add("task_arrivals", &O::task_arrivals, {"together", "apart"},
           {"The tasks of a job arrive together with its first, or apart, each at the time of its "
            "row.",
            "our choice"})
      .add("tasks", &O::tasks, {"How many tasks alike a row is. \"\": one.", "our choice"})
      .add("task_cpus", &O::task_cpus,
           {"How many slots each occupies, a whole number: \"ceil(cores)\". \"\": one.",
            "our choice"})
      .add("task_memory", &O::task_memory,
           {"The memory that each needs, in the unit of the peers'. \"\": none.", "our choice"});
}

}  // namespace

std::vector<core::Setting> csv_settings() {
  Settings settings;
  add_table(settings);
  add_times(settings);
  add_tasks(settings);
  return own_settings<WorkloadSection>(settings);
}

}  // namespace rhizome::scenarios
