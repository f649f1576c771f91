#include "scenarios/world/workload/csv.hpp"

namespace rhizome::scenarios {

const CsvLayout& google_layout() {
  static const CsvLayout layout{
      .options = {.columns = "job_id,task_index,submit_us,wait_us,run_us,attempts,"
                             "scheduling_class,priority,cpu_request,memory_request",
                  .arrival = "submit_us / 1e6",
                  .duration = "run_us / 1e6",
                  .job = "job_id",
                  .task_memory = "memory_request",
                  .require = "cpu_request >= 0 && cpu_request <= 1 && memory_request <= 1 && "
                             "job_id >= 0"},
      .other_table = 13,
      .advice =
          "this has the 13 fields of a task event; the events of a task become one line "
          "of 10 first, as scenarios/data/README.md says"};
  return layout;
}

const CsvLayout& alibaba_layout() {
  static const CsvLayout layout{
      .options = {.columns = "task_name,instance_num,job_name,task_type,status,start_time,"
                             "end_time,plan_cpu,plan_mem",
                  .arrival = "start_time",
                  .duration = "end_time - start_time",
                  .job = "job_name",
                  .tasks = "instance_num",
                  .filter = "status == 'Terminated' && end_time > start_time"}};
  return layout;
}

const CsvLayout& azure_layout() {
  static const CsvLayout layout{.options = {.columns = "app,func,end_timestamp,duration",
                                            .arrival = "end_timestamp - duration",
                                            .duration = "duration",
                                            .filter = "end_timestamp >= duration"}};
  return layout;
}

}  // namespace rhizome::scenarios
