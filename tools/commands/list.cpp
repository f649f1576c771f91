#include <cstdio>
#include <string>
#include <vector>

#include "agents/discipline.hpp"
#include "agents/scheduler.hpp"
#include "agents/work/kinds.hpp"
#include "scenarios/format/schema.hpp"
#include "scenarios/outcome/facts.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "scenarios/text/nearest.hpp"
#include "scenarios/world/faults/lifetimes.hpp"
#include "scenarios/world/graphs.hpp"
#include "scenarios/world/network/latencies.hpp"
#include "scenarios/world/workload/workload.hpp"
#include "tools/commands/commands.hpp"

namespace rhizome::tools {

namespace {

void print(const std::string& name, const std::string& text) {
  std::printf("  %-28s %s\n", name.c_str(), text.c_str());
}

void list_schedulers() {
  std::puts("Schedulers ([[scheduler]] use = ...)");
  for (const agents::Scheduler& scheduler : agents::catalogue())
    print(std::string(scheduler.name), std::string(scheduler.summary));
}

// What is in a catalogue of models, for one key.
template <class Models>
void list_models(const std::string& title, const std::string& key, const Models& models) {
  std::printf("%s (%s = ...)\n", title.c_str(), key.c_str());
  for (const auto& model : models) print(model.word, model.meaning);
}

void list_disciplines() {
  std::puts("Disciplines ([peers] discipline = ...)");
  for (const agents::Discipline& discipline : agents::disciplines())
    print(std::string(discipline.name), std::string(discipline.summary));
}

void list_work() {
  std::puts("Kinds of work ([workload] work = ...)");
  for (const core::WorkKind& kind : agents::work_kinds())
    print(std::string(kind.name), std::string(kind.summary));
}

void list_graphs() { list_models("Graphs", "[graph] kind", scenarios::graph_models()); }

void list_workloads() { list_models("Workloads", "[workload] kind", scenarios::workload_models()); }

void list_latencies() {
  list_models("Latencies", "[network] latency", scenarios::latency_models());
}

void list_lifetimes() {
  list_models("Lifetimes", "[faults.lifetimes] distribution", scenarios::lifetime_models());
}

void list_metrics() {
  std::puts("Metrics (in claims: LABEL.METRIC)");
  for (const scenarios::Metric& metric : scenarios::metrics()) print(metric.name, metric.meaning);
}

void list_facts() {
  std::puts("Facts (in the results store: a table fact_... for each)");
  scenarios::Facts{}.for_each_type([]<class F>(std::type_identity<F>, const auto&) {
    print(std::string(F::info.name),
          std::string(F::info.meaning) + " (" + std::string(F::info.fields) + ")");
  });
}

}  // namespace

Exit list_command(const Arguments& arguments) {
  struct Topic {
    std::string name;
    void (*print)();
  };
  const std::vector<Topic> topics{
      {"schedulers", list_schedulers}, {"disciplines", list_disciplines},
      {"graphs", list_graphs},         {"overlays", list_graphs},
      {"workloads", list_workloads},   {"work", list_work},
      {"latencies", list_latencies},   {"lifetimes", list_lifetimes},
      {"metrics", list_metrics},       {"facts", list_facts}};
  if (arguments.positional().empty()) {
    for (const Topic& topic : topics)
      if (topic.name != "overlays") {
        topic.print();
        std::puts("");
      }
    return Exit::holds;
  }
  const std::string& what = arguments.positional().front();
  if (what == "keys") {
    std::fputs(scenarios::describe_keys().c_str(), stdout);
    return Exit::holds;
  }
  std::vector<std::string> names{"keys"};
  for (const Topic& topic : topics) {
    names.push_back(topic.name);
    if (topic.name != what) continue;
    topic.print();
    return Exit::holds;
  }
  throw UsageError("there is no list of \"" + what + "\"" + scenarios::suggestion(what, names));
}

Exit schema_command(const Arguments&) {
  std::fputs(scenarios::scenario_schema().c_str(), stdout);
  return Exit::holds;
}

}  // namespace rhizome::tools
