#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "agents/discipline.hpp"
#include "agents/program/protocols.hpp"
#include "agents/provision/policy.hpp"
#include "agents/scheduler.hpp"
#include "agents/work/kinds.hpp"
#include "core/peer/names.hpp"
#include "scenarios/format/schema.hpp"
#include "scenarios/outcome/facts.hpp"
#include "scenarios/outcome/invariant_catalogue.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "scenarios/text/nearest.hpp"
#include "scenarios/world/faults/lifetimes.hpp"
#include "scenarios/world/graphs.hpp"
#include "scenarios/world/network/latencies.hpp"
#include "scenarios/world/workload/workload.hpp"
#include "tools/cli/console.hpp"
#include "tools/cli/output.hpp"
#include "tools/commands/commands.hpp"
#include "tools/compare/layout.hpp"
#include "tools/guide/guide.hpp"
#include "tools/markup/markdown.hpp"

namespace rhizome::tools {

using scenarios::Json;

namespace {

// One entry of a catalogue.
struct Item {
  std::string name;
  std::string meaning;
  std::string promise{};  // of a scheduler; documents leave it out
};
struct Catalogue {
  std::string title;
  std::vector<Item> items{};
};

template <class Things>
Catalogue summaries_of(const std::string& title, const Things& things) {
  Catalogue catalogue{.title = title};
  for (const auto& thing : things)
    catalogue.items.push_back(
        {.name = std::string(thing.name), .meaning = std::string(thing.summary)});
  return catalogue;
}

// The entries of a catalogue of models, for one key.
template <class Models>
Catalogue models_of(const std::string& title, const std::string& key, const Models& models) {
  Catalogue catalogue{.title = title + " (" + key + " = ...)"};
  for (const auto& model : models)
    catalogue.items.push_back({.name = model.word, .meaning = model.meaning});
  return catalogue;
}

// The promised time of a scheduler's last result; see scenarios/experiment/in_time.hpp.
std::string promise_of(const agents::Scheduler& scheduler) {
  const auto& [times, reason] = scheduler.in_time;
  return times > 0 ? fmt::format(
                         "in time: {} times a greedy schedule, and the longest task at the "
                         "slowest peer, {}",
                         times, reason)
                   : fmt::format("promises no time, {}", reason);
}

Catalogue schedulers() {
  Catalogue catalogue = summaries_of("Schedulers ([[scheduler]] use = ...)", agents::catalogue());
  for (std::size_t i = 0; i < catalogue.items.size(); ++i)
    catalogue.items[i].promise = promise_of(agents::catalogue()[i]);
  return catalogue;
}
Catalogue protocols() {
  return summaries_of("Protocols ([[protocol]] use = ...)", agents::program::protocols());
}
Catalogue disciplines() {
  return summaries_of("Disciplines ([peers] discipline = ...)", agents::disciplines());
}
Catalogue work() {
  return summaries_of("Kinds of work ([workload] work = ...)", agents::work_kinds());
}
Catalogue graphs() { return models_of("Graphs", "[graph] kind", scenarios::graph_models()); }
Catalogue workloads() {
  return models_of("Workloads", "[workload] kind", scenarios::workload_models());
}
Catalogue latencies() {
  return models_of("Latencies", "[network] latency", scenarios::latency_models());
}
Catalogue lifetimes() {
  return models_of("Lifetimes", "[faults.lifetimes] distribution", scenarios::lifetime_models());
}
Catalogue provision() {
  Catalogue catalogue{.title = "Policies of provisioning ([provision] policy = ...)"};
  for (const auto& policy : agents::provision::policies())
    catalogue.items.push_back(
        {.name = std::string(policy.word), .meaning = std::string(policy.meaning)});
  return catalogue;
}
Catalogue facts() {
  Catalogue catalogue{.title = "Facts (in the results store: a table fact_... for each)"};
  scenarios::Facts{}.for_each_type([&]<class F>(std::type_identity<F>, const auto&) {
    std::string fields;
    for (const std::string_view name : core::fields_of(F::info))
      fields += (fields.empty() ? "" : " ") + std::string(name);
    catalogue.items.push_back({.name = std::string(F::info.name),
                               .meaning = std::string(F::info.meaning) + " (" + fields + ")"});
  });
  return catalogue;
}

template <Catalogue (*Make)()>
std::string text_of_catalogue(const std::string&) {
  const Catalogue catalogue = Make();
  std::string text = catalogue.title + "\n";
  for (const auto& [name, meaning, promise] : catalogue.items)
    text += glossed(name, meaning + (promise.empty() ? "" : "; ") + promise, output_columns(), 23);
  return text;
}
template <Catalogue (*Make)()>
Json data_of_catalogue(const std::string&) {
  Json list = Json::array();
  for (const auto& [name, meaning, promise] : Make().items) {
    Json item{{"name", name}, {"meaning", meaning}};
    if (!promise.empty()) item["promise"] = promise;
    list.push_back(item);
  }
  return list;
}

template <Catalogue (*Make)()>
std::string markdown_of_catalogue(const std::string&) {
  std::string text = markdown_head({"name", "meaning"});
  for (const auto& [name, meaning, promise] : Make().items)
    text += markdown_row({"`" + name + "`", meaning});
  return text;
}

// All metrics, or the one of that name.
std::string text_of_metrics(const std::string& name) {
  if (!name.empty()) return text_of(metric_called(name));
  std::string text = "Metrics (in claims: LABEL.METRIC)\n";
  for (const scenarios::Metric& metric : scenarios::metrics()) text += text_of(metric);
  return text;
}
Json data_of_metrics(const std::string& name) {
  if (!name.empty()) return Json::array({data_of(metric_called(name))});
  Json list = Json::array();
  for (const scenarios::Metric& metric : scenarios::metrics()) list.push_back(data_of(metric));
  return list;
}

std::string markdown_of_metrics(const std::string& name) {
  std::string text = markdown_head({"metric", "unit", "better", "meaning"});
  if (!name.empty()) return text + markdown_row_of(metric_called(name));
  for (const scenarios::Metric& metric : scenarios::metrics()) text += markdown_row_of(metric);
  return text;
}

// The schedulers of the catalogue that the invariant concerns.
std::vector<std::string> schedulers_of(const scenarios::Invariant& invariant) {
  std::vector<std::string> names;
  for (const agents::Scheduler& scheduler : agents::catalogue())
    if (invariant.concerns == nullptr || invariant.concerns(scheduler))
      names.emplace_back(scheduler.name);
  return names;
}
std::string schedulers_text(const scenarios::Invariant& invariant) {
  if (invariant.concerns == nullptr) return "all";
  return fmt::format("{}", fmt::join(schedulers_of(invariant), ", "));
}

std::string text_of_invariants(const std::string&) {
  std::string text =
      "Invariants (of every run, judged by itself; a broken one ends with status 1)\n";
  for (const scenarios::Invariant& invariant : scenarios::invariants) {
    const std::string of =
        invariant.concerns == nullptr ? "" : "; of " + schedulers_text(invariant);
    text += glossed(invariant.name, std::string(invariant.promise) + of, output_columns(), 23);
  }
  return text;
}
Json data_of_invariants(const std::string&) {
  Json list = Json::array();
  for (const scenarios::Invariant& invariant : scenarios::invariants)
    list.push_back({{"name", std::string(invariant.name)},
                    {"promise", std::string(invariant.promise)},
                    {"schedulers", schedulers_of(invariant)}});
  return list;
}
std::string markdown_of_invariants(const std::string&) {
  std::string text = markdown_head({"invariant", "what holds", "schedulers"});
  for (const scenarios::Invariant& invariant : scenarios::invariants)
    text += markdown_row({"`" + std::string(invariant.name) + "`", std::string(invariant.promise),
                          schedulers_text(invariant)});
  return text;
}

std::vector<SectionGuide> sections_called(const std::string& name) {
  return name.empty() ? guide_to_keys() : sections_within(guide_to_keys(), name);
}
std::string text_of_keys(const std::string& name) {
  std::string text;
  for (const SectionGuide& section : sections_called(name))
    text += (text.empty() ? "" : "\n") + text_of(section);
  return text;
}
Json data_of_keys(const std::string& name) {
  Json list = Json::array();
  for (const SectionGuide& section : sections_called(name)) list.push_back(data_of(section));
  return list;
}

std::string markdown_of_keys(const std::string& name) {
  std::string text;
  for (const SectionGuide& section : sections_called(name))
    text += (text.empty() ? "" : "\n") + markdown_of(section);
  return text;
}

// The sections of a scenario, each with its sentence and the names of its keys.
Catalogue sections() {
  Catalogue catalogue{.title = "Sections (of a scenario; `rhizome list keys SECTION` explains)"};
  for (const SectionGuide& section : guide_to_keys()) {
    std::string names;
    for (const KeyGuide& key : section.keys) names += (names.empty() ? " Keys: " : ", ") + key.name;
    catalogue.items.push_back(
        {.name = section.name, .meaning = section.about + (names.empty() ? "" : names + ".")});
  }
  return catalogue;
}

// A topic of `list`, and one entry of it by name if there is such a page.
struct Topic {
  std::string name;
  std::string (*text)(const std::string& name);
  std::string (*markdown)(const std::string& name);
  Json (*data)(const std::string& name);
  bool by_name = false;
};

template <Catalogue (*Make)()>
Topic of_catalogue(const std::string& name) {
  return {name, text_of_catalogue<Make>, markdown_of_catalogue<Make>, data_of_catalogue<Make>};
}

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all{
      of_catalogue<schedulers>("schedulers"),
      of_catalogue<protocols>("protocols"),
      of_catalogue<disciplines>("disciplines"),
      of_catalogue<graphs>("graphs"),
      of_catalogue<graphs>("overlays"),
      of_catalogue<workloads>("workloads"),
      of_catalogue<work>("work"),
      of_catalogue<latencies>("latencies"),
      of_catalogue<lifetimes>("lifetimes"),
      of_catalogue<provision>("provision"),
      {"metrics", text_of_metrics, markdown_of_metrics, data_of_metrics, true},
      {"invariants", text_of_invariants, markdown_of_invariants, data_of_invariants},
      of_catalogue<facts>("facts"),
      of_catalogue<sections>("sections"),
      {"keys", text_of_keys, markdown_of_keys, data_of_keys, true}};
  return all;
}

const Topic& topic_called(const std::string& name) {
  for (const Topic& topic : topics())
    if (topic.name == name) return topic;
  throw UsageError("there is no list of \"" + name + "\"" +
                   scenarios::suggestion(name, list_topics()));
}

// The requested catalogues, under their names. For people the keys are left out, which are as long
// as all else together; overlays are another word for graphs.
std::vector<const Topic*> chosen(const std::vector<std::string>& words, bool for_people) {
  if (!words.empty()) return {&topic_called(words.front())};
  std::vector<const Topic*> list;
  for (const Topic& topic : topics())
    if (topic.name != "overlays" && !(for_people && topic.name == "keys")) list.push_back(&topic);
  return list;
}

void check_name(const std::vector<std::string>& words) {
  if (words.size() > 1 && !topic_called(words.front()).by_name)
    throw UsageError("\"" + words[1] +
                     "\" has no effect: only keys and metrics are listed by name");
}

}  // namespace

std::vector<std::string> list_topics() { return core::names_of(topics()); }

Exit list_command(const Arguments& arguments) {
  const auto& words = arguments.positional();
  check_name(words);
  const std::string name = words.size() > 1 ? words[1] : "";
  const std::string output = arguments.text("output").value_or("text");
  const bool json = output == "json";
  Json data = Json::object();
  data["schema"] = "rhizome.list/1";
  std::string text;
  for (const Topic* topic : chosen(words, !json)) {
    if (json)
      data[topic->name] = topic->data(name);
    else if (output == "markdown")
      text += (words.empty() ? "## " + topic->name + "\n\n" : "") + topic->markdown(name) +
              (words.empty() ? "\n" : "");
    else
      text += topic->text(name) + (words.empty() ? "\n" : "");
  }
  if (json) text = scenarios::text_of(data);
  print_text(text);
  return Exit::holds;
}

Exit schema_command(const Arguments&) {
  print_text(scenarios::scenario_schema());
  return Exit::holds;
}

}  // namespace rhizome::tools
