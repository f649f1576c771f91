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
#include "tools/guide/keys.hpp"
#include "tools/guide/metrics.hpp"

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
  for (const scenarios::Metric& metric : scenarios::metrics())
    std::fputs(text_of(metric).c_str(), stdout);
}

void list_metric(const std::string& name) {
  std::fputs(text_of(metric_called(name)).c_str(), stdout);
}

void print(const std::vector<SectionGuide>& sections) {
  for (const SectionGuide& section : sections) {
    if (&section != &sections.front()) std::puts("");
    std::fputs(text_of(section).c_str(), stdout);
  }
}

void list_keys() { print(guide_to_keys()); }

void list_keys_of(const std::string& section) { print(sections_within(guide_to_keys(), section)); }

void list_facts() {
  std::puts("Facts (in the results store: a table fact_... for each)");
  scenarios::Facts{}.for_each_type([]<class F>(std::type_identity<F>, const auto&) {
    print(std::string(F::info.name),
          std::string(F::info.meaning) + " (" + std::string(F::info.fields) + ")");
  });
}

// What can be listed, and one thing of it by name if that can be asked for.
struct Topic {
  std::string name;
  void (*print)();
  void (*print_one)(const std::string& name) = nullptr;
};

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all{{"schedulers", list_schedulers},
                                      {"disciplines", list_disciplines},
                                      {"graphs", list_graphs},
                                      {"overlays", list_graphs},
                                      {"workloads", list_workloads},
                                      {"work", list_work},
                                      {"latencies", list_latencies},
                                      {"lifetimes", list_lifetimes},
                                      {"metrics", list_metrics, list_metric},
                                      {"facts", list_facts},
                                      {"keys", list_keys, list_keys_of}};
  return all;
}

const Topic& topic_called(const std::string& name) {
  for (const Topic& topic : topics())
    if (topic.name == name) return topic;
  throw UsageError("there is no list of \"" + name + "\"" +
                   scenarios::suggestion(name, list_topics()));
}

// The keys are as long as all else together, and overlays are another word for graphs.
void list_most() {
  for (const Topic& topic : topics()) {
    if (topic.name == "overlays" || topic.name == "keys") continue;
    topic.print();
    std::puts("");
  }
}

}  // namespace

std::vector<std::string> list_topics() {
  std::vector<std::string> names;
  for (const Topic& topic : topics()) names.push_back(topic.name);
  return names;
}

Exit list_command(const Arguments& arguments) {
  const auto& words = arguments.positional();
  if (words.empty()) {
    list_most();
    return Exit::holds;
  }
  const Topic& topic = topic_called(words.front());
  if (words.size() == 1) {
    topic.print();
  } else if (topic.print_one != nullptr) {
    topic.print_one(words[1]);
  } else {
    throw UsageError("\"" + words[1] +
                     "\" has no effect: only keys and metrics are listed by name");
  }
  return Exit::holds;
}

Exit schema_command(const Arguments&) {
  std::fputs(scenarios::scenario_schema().c_str(), stdout);
  return Exit::holds;
}

}  // namespace rhizome::tools
