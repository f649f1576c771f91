// Workflows in WfFormat 1.5, the JSON of WfCommons (Coleman et al. 2022), in which traces of real
// scientific workflows are published: read as one job, and written from any.
#include "scenarios/world/workload/graph_files.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/text/fields.hpp"
#include "scenarios/text/source_text.hpp"
#include "scenarios/world/workload/named_graph.hpp"

namespace rhizome::scenarios {

namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20U;
constexpr double largest_file = 1e15;
constexpr double most_cores = 1024;

class Workflow {
 public:
  Workflow(const SourceText& source, double duration_scale)
      : source_(source), scale_(duration_scale), graph_(source) {}

  agents::Job job() {
    const Json document = parse_json(source_);
    try {
      read(document);
    } catch (const JsonError& error) {
      source_.refuse(0, "this is no workflow of WfFormat 1.0 to 1.5: " + std::string(error.what()));
    }
    return graph_.job();
  }

 private:
  void read(const Json& document) {
    const auto version = document.at("schemaVersion").get<std::string>();
    const Json& workflow = document.at("workflow");
    if (version == "1.5") {
      read_specified(workflow);
    } else if (version.size() == 3 && version >= "1.0" && version <= "1.4") {
      read_measured(workflow);
    } else {
      source_.refuse_at(version,
                        "a workflow of schemaVersion 1.0 to 1.5 is needed, not of " + version);
    }
  }

  // Version 1.5 separates the specification of tasks from their execution.
  void read_specified(const Json& workflow) {
    const Json& specification = workflow.at("specification");
    for (const Json& run : workflow.at("execution").at("tasks").items()) {
      const auto id = run.at("id").get<std::string>();
      if (!runs_.emplace(id, &run).second)
        source_.refuse_at(id, "the task \"" + id + "\" has two executions: which one counts?");
    }
    if (specification.contains("files"))
      for (const Json& file : specification.at("files").items()) {
        const auto id = file.at("id").get<std::string>();
        sizes_.emplace(id, number(file, "sizeInBytes", id, largest_file));
      }
    read_tasks(specification.at("tasks"));
  }

  // Up to 1.4: a task has all its data, also its files; before 1.2 it was called a job.
  void read_measured(const Json& workflow) {
    const Json& tasks = workflow.contains("tasks") ? workflow.at("tasks") : workflow.at("jobs");
    for (const Json& task : tasks.items()) {
      const std::string id = id_of(task);
      runs_.emplace(id, &task);
      if (!task.contains("files")) continue;
      for (const Json& file : task.at("files").items()) {
        const auto name = file.at(file.contains("name") ? "name" : "id").get<std::string>();
        sizes_.emplace(
            name, number(file, file.contains("size") ? "size" : "sizeInBytes", name, largest_file));
        const bool written = file.at("link").get<std::string>() == "output";
        (written ? written_ : read_)[id].insert(name);
      }
    }
    read_tasks(tasks);
    if (!declared_) connect_by_files();
  }

  void read_tasks(const Json& tasks) {
    if (tasks.empty()) source_.refuse_at("tasks", "the workflow has no tasks");
    for (const Json& task : tasks.items()) add(task);
    for (const Json& task : tasks.items()) connect(task);
  }

  // Before 1.4 a task may have no other id than its name.
  static std::string id_of(const Json& task) {
    return task.at(task.contains("id") ? "id" : "name").get<std::string>();
  }

  // The first of these that there is.
  [[nodiscard]] std::string key_of(const Json& run, std::initializer_list<const char*> keys,
                                   const std::string& id) const {
    for (const char* key : keys)
      if (run.contains(key)) return key;
    source_.refuse_at(id, "the " + std::string(*keys.begin()) + " of \"" + id + "\" is missing");
  }

  void add(const Json& task) {
    const std::string id = id_of(task);
    const auto found = runs_.find(id);
    if (found == runs_.end())
      source_.refuse_at(id, "the execution of the task \"" + id + "\" is missing");
    const Json& run = *found->second;
    const std::string runtime = key_of(run, {"runtimeInSeconds", "runtime"}, id);
    const double seconds = number(run, runtime, id, longest_seconds) * scale_;
    double cores = 1;
    for (const char* key : {"coreCount", "cores"})
      if (run.contains(key)) cores = number(run, key, id, most_cores);
    graph_.add(id, {.duration = core::from_seconds(seconds),
                    .cpus = static_cast<std::uint32_t>(std::max(1.0, std::ceil(cores)))});
    if (task.contains("name")) ids_[task.at("name").get<std::string>()].insert(id);
    for (const std::string& file : texts(task, "outputFiles")) written_[id].insert(file);
    for (const std::string& file : texts(task, "inputFiles")) read_[id].insert(file);
  }

  // The task that is called so: by its id, or by a name that only one has.
  [[nodiscard]] std::string called(const std::string& word) const {
    const auto named = ids_.find(word);
    if (runs_.contains(word) || named == ids_.end()) return word;
    if (named->second.size() > 1)
      source_.refuse_at(word, "several tasks have the name \"" + word + "\"");
    return *named->second.begin();
  }

  // Connects parents and children; either of them may name the other.
  void connect(const Json& task) {
    const std::string id = id_of(task);
    for (const std::string& parent : texts(task, "parents")) connect(id, called(parent));
    for (const std::string& child : texts(task, "children")) connect(called(child), id);
  }
  void connect(const std::string& id, const std::string& parent) {
    declared_ = true;
    if (id == parent) source_.refuse_at(id, "the task \"" + id + "\" is its own parent");
    if (!graph_.is_connected(id, parent)) graph_.connect(id, parent, bytes_between(parent, id));
  }

  // Parents are optional up to 1.4: where no task has one, who reads a file needs the one that
  // writes it.
  void connect_by_files() {
    std::map<std::string, std::set<std::string>> writers;
    for (const auto& [id, files] : written_)
      for (const std::string& file : files) writers[file].insert(id);
    for (const auto& [id, files] : read_)
      for (const std::string& file : files)
        if (const auto& by = writers[file]; by.size() == 1 && *by.begin() != id)
          connect(id, *by.begin());
  }

  // A parent that is named very often, or writes very many files, would take the square of a file's
  // length: bytes are counted once, and of two lists the shorter is gone through.
  std::uint64_t bytes_between(const std::string& parent, const std::string& child) {
    const bool few_read = read_[child].size() < written_[parent].size();
    const std::set<std::string>& some = few_read ? read_[child] : written_[parent];
    const std::set<std::string>& others = few_read ? written_[parent] : read_[child];
    graph_.compare_files(child, some.size());
    double bytes = 0;
    for (const std::string& file : some)
      if (const auto size = sizes_.find(file); size != sizes_.end() && others.contains(file))
        bytes += size->second;
    return static_cast<std::uint64_t>(std::min(bytes, largest_file));
  }

  [[nodiscard]] double number(const Json& of, const std::string& key, const std::string& id,
                              double most) const {
    const Json& value = of.at(key);
    const double said = value.is_number() ? value.get<double>() : -1;
    if (!(said >= 0 && said <= most))
      source_.refuse_at(
          id, "the " + key + " of \"" + id + "\" is no number between 0 and " + line_of(most));
    return said;
  }

  static std::vector<std::string> texts(const Json& of, const std::string& key) {
    std::vector<std::string> all;
    if (of.contains(key))
      for (const Json& text : of.at(key).items()) all.push_back(text.get<std::string>());
    return all;
  }

  const SourceText& source_;
  double scale_;
  bool declared_ = false;  // whether some task has a parent
  NamedGraph graph_;
  std::map<std::string, const Json*> runs_;
  std::map<std::string, double> sizes_;               // of files
  std::map<std::string, std::set<std::string>> ids_;  // by name
  std::map<std::string, std::set<std::string>> written_, read_;
};

std::string name_of(std::uint32_t portion) { return "task_" + std::to_string(portion); }

Json described(std::uint32_t portion) {
  const std::string name = name_of(portion);
  return {{"name", name},
          {"id", name},
          {"parents", Json::array()},
          {"children", Json::array()},
          {"inputFiles", Json::array()},
          {"outputFiles", Json::array()}};
}

Json executed(const agents::Task& task) {
  return {{"id", name_of(task.id.portion)},
          {"runtimeInSeconds", core::seconds(task.duration)},
          {"coreCount", task.cpus}};
}

}  // namespace

std::unique_ptr<agents::Arrivals> open_wfformat(const WorkloadSection& section) {
  const SourceText source(section.file, most_bytes);
  agents::Workload workload;
  workload.jobs.push_back(Workflow(source, section.duration_scale).job());
  return std::make_unique<agents::ListedArrivals>(std::move(workload));
}

// The document, as if one machine had executed one task after another.
Json wfformat_of(const agents::Job& job) {
  Json tasks = Json::array();
  Json files = Json::array();
  Json runs = Json::array();
  double seconds = 0;
  for (const agents::Task& task : job.portions) {
    tasks.push_back(described(task.id.portion));
    runs.push_back(executed(task));
    seconds += core::seconds(task.duration);
  }
  for (const agents::Dependency& edge : job.dependencies) {
    const std::string file = name_of(edge.needs) + "_to_" + name_of(edge.task);
    files.push_back({{"id", file}, {"sizeInBytes", edge.bytes}});
    Json& task = tasks.items()[edge.task];
    Json& needed = tasks.items()[edge.needs];
    task["parents"].push_back(name_of(edge.needs));
    task["inputFiles"].push_back(file);
    needed["children"].push_back(name_of(edge.task));
    needed["outputFiles"].push_back(file);
  }
  return {{"name", "job " + std::to_string(job.id)},
          {"schemaVersion", "1.5"},
          {"workflow",
           {{"specification", {{"tasks", tasks}, {"files", files}}},
            {"execution",
             {{"makespanInSeconds", seconds},
              {"executedAt", "1970-01-01T00:00:00Z"},
              {"tasks", runs}}}}}};
}

}  // namespace rhizome::scenarios
