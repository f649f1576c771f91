// Graphs of the Standard Task Graph Set (Tobita and Kasahara 2002): the number of tasks, then a
// line for each, with its number, its time, how many it needs, and which.
#include "scenarios/world/workload/graph_files.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/text/fields.hpp"
#include "scenarios/text/lines.hpp"
#include "scenarios/world/workload/named_graph.hpp"

namespace rhizome::scenarios {

namespace {

constexpr std::size_t dummies = 2;

class StandardGraph {
 public:
  explicit StandardGraph(const WorkloadSection& section)
      : lines_(section.file), scale_(section.duration_scale) {}

  agents::Job job() {
    if (!next()) lines_.refuse(1, "the file has no graph");
    expect_fields(lines_, fields_, 1, "the number of tasks");
    const std::size_t said = count(fields_[0], "the number of tasks", most_graph_tasks);
    while (next()) add();
    const std::size_t tasks = job_.portions.size();
    if (tasks == 0 || (tasks != said && tasks != said + dummies))
      lines_.refuse(
          1, "the file says " + std::to_string(said) + " tasks and has " + std::to_string(tasks));
    return std::move(job_);
  }

 private:
  // The next line that is neither empty nor a comment; comments begin with a number sign.
  bool next() {
    std::string_view line;
    while (lines_.next(line)) {
      split(line.substr(0, line.find('#')), ' ', fields_);
      if (!fields_.empty()) return true;
    }
    return false;
  }

  // A task needs those before it alone, so that there is no cycle.
  void add() {
    if (job_.portions.size() == most_graph_tasks + dummies)
      lines_.refuse(1, "the graph has more than a million tasks");
    const auto portion = static_cast<std::uint32_t>(job_.portions.size());
    if (fields_.size() < 3) lines_.refuse(1, "a task has a number, a time, and how many it needs");
    if (count(fields_[0], "the number of the task", most_graph_tasks + dummies) != portion)
      lines_.refuse(fields_[0].column, "task " + std::to_string(portion) + " should stand here");
    const double seconds =
        bounded_field(lines_, fields_[1], "the time of the task", longest_seconds) * scale_;
    job_.portions.push_back({.id = {0, portion}, .duration = core::from_seconds(seconds)});
    const std::size_t needs = count(fields_[2], "how many it needs", portion);
    expect_fields(lines_, fields_, needs + 3, "a task that needs " + std::to_string(needs));
    connect(portion);
  }

  void connect(std::uint32_t portion) {
    std::set<std::size_t> known;
    for (std::size_t i = 3; i < fields_.size(); ++i) {
      const std::size_t other = count(fields_[i], "a task that it needs", most_graph_tasks);
      if (other >= portion)
        lines_.refuse(fields_[i].column, "a task needs only those that stand before it");
      if (!known.insert(other).second)
        lines_.refuse(fields_[i].column, "a task needs another once");
      job_.dependencies.push_back({portion, static_cast<std::uint32_t>(other)});
    }
  }

  [[nodiscard]] std::size_t count(const Field& field, std::string_view name,
                                  std::size_t most) const {
    (void)bounded_field(lines_, field, name, static_cast<double>(most));
    return static_cast<std::size_t>(integer_field(lines_, field, name));
  }

  Lines lines_;
  double scale_;
  std::vector<Field> fields_;
  agents::Job job_{};
};

}  // namespace

std::unique_ptr<agents::Arrivals> open_standard_graph(const WorkloadSection& section) {
  agents::Workload workload;
  workload.jobs.push_back(StandardGraph(section).job());
  return std::make_unique<agents::ListedArrivals>(std::move(workload));
}

}  // namespace rhizome::scenarios
