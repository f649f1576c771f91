#include "scenarios/world/workload/workload.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/world/workload/csv.hpp"
#include "scenarios/world/workload/graph_files.hpp"
#include "scenarios/world/workload/job_list.hpp"
#include "scenarios/world/workload/task_graphs.hpp"

namespace rhizome::scenarios {

namespace {

using core::Rng;
using S = WorkloadSection;

// A well-known trace by columns.
WorkloadModel traced(const char* word, const char* meaning, std::vector<std::string> keys,
                     const CsvLayout& (*layout)()) {
  for (const core::Setting& setting : csv_settings()) keys.push_back(setting.name);
  return {{word, meaning, std::move(keys)},
          [layout](const S& s, const Rng&) { return open_csv(s, layout()); },
          false,
          {},
          {},
          [layout](const S& s) { return csv_complaint(s, layout()); }};
}

std::vector<WorkloadModel> make_workloads() {
  const std::vector<std::string> own{"jobs",    "portions",   "portion_time", "arrivals",
                                     "spacing", "start",      "cpus",         "cpus_max",
                                     "memory",  "memory_max", "work"};
  const std::vector<std::string> of_traces{"file",  "max_jobs",         "from",
                                           "until", "time_compression", "duration_scale"};
  return {
      {{"generated", "jobs of equal portions, with spacing", own}, generate_jobs, true},
      traced("google-trace",
             "the Google cluster trace of 2011, but for its requests of processors: a task has a "
             "slot",
             of_traces, google_layout),
      {{"swf", "the Standard Workload Format", of_traces},
       [](const S& s, const Rng&) { return open_swf(s); }},
      {{"job-list",
        "a line for each job: when, how many tasks, how long each, what they compute; from a file, "
        "or through a pipe while the run goes on",
        {"file", "max_jobs"},
        job_list_settings()},
       [](const S& s, const Rng&) { return open_job_list(s); },
       false,
       bounds_of_job_list,
       job_list_folder},
      {{"matrix",
        "a graph of tasks that may need their neighbours in a matrix, and independent ones",
        {"portion_time", "start", "cpus", "cpus_max", "memory", "memory_max", "work"},
        matrix_settings()},
       generate_matrix},
      {{"wfformat", "a workflow of WfCommons, a JSON file", {"file", "duration_scale"}},
       [](const S& s, const Rng&) { return open_wfformat(s); }},
      {{"stg", "a graph of the Standard Task Graph Set", {"file", "duration_scale"}},
       [](const S& s, const Rng&) { return open_standard_graph(s); }},
      {{"dax", "a workflow of Pegasus, an XML file", {"file", "duration_scale"}},
       [](const S& s, const Rng&) { return open_dax(s); }},
      {{"dot", "a graph of tasks in the DOT language", {"file", "duration_scale"}},
       [](const S& s, const Rng&) { return open_dot(s); }},
      {{"growing",
        "jobs of equal portions, with spacing, whose tasks may add tasks when they are done", own,
        growth_settings()},
       generate_growing},
      {{"csv", "a table of which the scenario says what its columns mean", of_traces,
        csv_settings()},
       [](const S& s, const Rng&) { return open_csv(s); },
       false,
       {},
       {},
       [](const S& s) { return csv_complaint(s, {}); }},
      traced("alibaba-trace", "batch_task.csv of the Alibaba cluster trace of 2018", of_traces,
             alibaba_layout),
      traced("azure-trace", "the invocations of the Azure functions trace of 2021", of_traces,
             azure_layout),
  };
}

}  // namespace

std::span<const WorkloadModel> workload_models() {
  static const std::vector<WorkloadModel> models = make_workloads();
  return models;
}

const WorkloadModel& workload_model(WorkloadKind kind) {
  return workload_models()[static_cast<std::size_t>(kind)];
}

bool comes_live(const WorkloadSection& section) {
  std::error_code ignored;
  return workload_model(section.kind).bounds &&
         (section.file == "-" || std::filesystem::is_fifo(section.file, ignored) ||
          std::filesystem::is_character_file(section.file, ignored));
}

}  // namespace rhizome::scenarios
