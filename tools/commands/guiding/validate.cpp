#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/experiment/effort.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/experiment/memory.hpp"
#include "scenarios/experiment/world_summary.hpp"
#include "scenarios/format/effective.hpp"
#include "scenarios/format/unsaid.hpp"
#include "scenarios/store/reading_limits.hpp"
#include "scenarios/text/whole_file.hpp"
#include "scenarios/world/workload/graph_files.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/output.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/running/session.hpp"
#include "tools/compare/layout.hpp"

namespace rhizome::tools {

namespace {

std::string shape_text(const agents::GraphShape& shape) {
  if (shape.edges == 0) return {};
  return fmt::format(
      "tasks need each other: {} dependencies with {:.6g} bytes; the longest chain has {} tasks, "
      "the critical path takes {:.6g} s at speed 1, and the widest level has {} tasks",
      shape.edges, shape.bytes, shape.depth, core::seconds(shape.critical_path), shape.width);
}

// A user knows the submitted tasks and how they may grow; the total is only shown here.
std::string growth_text(const agents::Profile& profile) {
  if (!profile.grows()) return {};
  return fmt::format(
      "the work is not known beforehand: {} tasks are handed in, and others add {} when they are "
      "done, drawn from the seed of the repetition; no scheduler but the bounds knows of a task "
      "before it is added",
      profile.tasks - profile.added, profile.added);
}

// The first job whose tasks need each other; the first of all where there is none.
std::optional<agents::Job> workflow_in(const agents::OpenArrivals& open, bool any_edges) {
  const auto arrivals = open();
  std::optional<agents::Job> job = arrivals->next();
  while (any_edges && job && job->dependencies.empty()) job = arrivals->next();
  return job;
}

std::string counted(std::uint64_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

// The least and the greatest of a number that differs between the cells of a sweep.
struct Counts {
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t most = 0;
  void add(std::uint64_t count) {
    least = std::min(least, count);
    most = std::max(most, count);
  }
};

std::string counted(const Counts& counts, std::string_view what) {
  if (counts.least == counts.most) return counted(counts.most, what);
  return fmt::format("{} to {}", counts.least, counted(counts.most, what));
}

struct Efforts {
  std::string label;
  scenarios::Effort least{};
  scenarios::Effort most{};
  void add(const scenarios::Effort& effort) {
    least.events = std::min(least.events, effort.events);
    least.processor = std::min(least.processor, effort.processor);
    most.events = std::max(most.events, effort.events);
    most.processor = std::max(most.processor, effort.processor);
  }
};

// The summary of all cells: counts and remarks of each repetition, and the rest from the first.
class Summary {
 public:
  void add(const scenarios::Surroundings& around, std::uint32_t repetition, bool first) {
    const agents::Profile& profile = around.world.profile;
    peers_.add(around.world.peers());
    jobs_.add(profile.jobs);
    tasks_.add(profile.tasks);
    faults_.add(around.faults.size());
    live_ = live_ || around.world.live;
    for (const std::string& remark : around.remarks)
      if (told_.insert(remark).second)
        add(first ? remark : fmt::format("repetition {}: {}", repetition + 1, remark));
  }
  void add_first(const scenarios::Scenario& scenario, const scenarios::Surroundings& around,
                 const scenarios::Scenario& complete) {
    const agents::Profile& profile = around.world.profile;
    const auto need =
        scenarios::memory_of_run(scenario, scenarios::work_in(scenario, profile)).bytes();
    least_memory_ = cells_++ == 0 ? need : std::min(least_memory_, need);
    most_memory_ = std::max(most_memory_, need);
    for (const scenarios::Effort& effort : scenarios::efforts_of(complete, around.world))
      add(effort);
    for (const std::string& sentence : scenarios::summary_of(complete, around)) add(sentence);
    add(shape_text(profile.graphs));
    add(growth_text(profile));
    add(scenarios::remark_on_pace(around.world));
  }

  [[nodiscard]] std::string head(const std::string& file, std::size_t runs) const {
    return fmt::format("{}: valid; {}, {}, {}, {}{} of {}, {}, at least {} of memory a run", file,
                       counted(cells_, "cell"), counted(runs, "run"), counted(peers_, "peer"),
                       live_ ? "at most " : "", counted(jobs_, "job"), counted(tasks_, "task"),
                       counted(faults_, "fault"), memory_text());
  }
  // A remark that differs between cells is listed once in each form.
  [[nodiscard]] std::vector<std::string> remarks() const {
    std::vector<std::string> all = remarks_;
    for (const Efforts& efforts : efforts_)
      all.push_back("a run of " + efforts.label + ": " +
                    scenarios::text_of(efforts.least, efforts.most));
    return all;
  }
  [[nodiscard]] std::size_t cells() const { return cells_; }

 private:
  void add(const scenarios::Effort& effort) {
    auto of_label = std::ranges::find_if(
        efforts_, [&](const Efforts& efforts) { return efforts.label == effort.label; });
    if (of_label == efforts_.end())
      of_label = efforts_.insert(efforts_.end(), {effort.label, effort, effort});
    of_label->add(effort);
  }
  // At most so many remarks are listed: each cell of a large sweep might have one of its own.
  void add(const std::string& remark) {
    constexpr std::size_t most = 8;
    const bool known = std::ranges::find(remarks_, remark) != remarks_.end();
    if (!remark.empty() && !known && remarks_.size() < most) remarks_.push_back(remark);
  }
  [[nodiscard]] std::string memory_text() const {
    const std::string least = scenarios::memory_text(least_memory_);
    const std::string most = scenarios::memory_text(most_memory_);
    return least == most ? most : least + " to " + most;
  }

  std::size_t cells_ = 0;
  Counts peers_;
  Counts jobs_;
  Counts tasks_;
  Counts faults_;
  bool live_ = false;
  double least_memory_ = 0;
  double most_memory_ = 0;
  std::vector<Efforts> efforts_;
  std::vector<std::string> remarks_;
  std::set<std::string> told_;  // remarks on worlds
};

// Prints a sentence as a comment of the scenario that follows.
void say(const std::string& sentence) { print_text(paragraph(sentence, usual_page, "# ")); }

// A large sweep is checked with fewer repetitions of each cell, so that it ends within seconds.
std::uint32_t repetitions_looked_at(std::size_t cells) {
  constexpr std::size_t most_worlds = 20'000;
  return static_cast<std::uint32_t>(std::max<std::size_t>(1, most_worlds / cells));
}

std::string left_out_text(const std::vector<scenarios::Cell>& cells, std::uint32_t looked_at,
                          std::size_t cells_looked_at) {
  if (cells_looked_at < cells.size())
    return fmt::format(
        "looked at the first {}, of {}, for want of time: rhizome run looks at all before the "
        "first run",
        counted(cells_looked_at, "cell"), cells.size());
  std::uint32_t most = 0;
  for (const scenarios::Cell& cell : cells)
    most = std::max(most, cell.scenario.run.repetitions - cell.scenario.run.left_out());
  if (most <= looked_at) return {};
  return fmt::format(
      "looked at {} of each cell, of {}: rhizome run looks at all before the first run",
      counted(looked_at, "repetition"), most);
}

// Each cell may read its files anew, so that a sweep over large files would take hours.
constexpr std::chrono::seconds most_time{20};

// Prints the summary of the file.
void validate(const std::string& file, const Arguments& arguments) {
  std::optional<EndsAtOnce> only_reads(std::in_place);
  const auto cells = read_cells(file, arguments);
  std::uint32_t looked_at = repetitions_looked_at(cells.size());
  Summary summary;
  std::string whole;            // the first cell
  agents::OpenArrivals survey;  // its first repetition's jobs
  bool any_edges = false;       // among their tasks
  std::size_t cells_looked_at = 0;
  std::uint32_t seen_of_cell = 0;
  const auto see = [&](const scenarios::Cell& cell, std::uint32_t repetition,
                       const scenarios::Surroundings& around) {
    const bool first = repetition == cell.scenario.run.left_out();
    cells_looked_at += first ? 1 : 0;
    seen_of_cell = first ? 1 : seen_of_cell + 1;
    summary.add(around, repetition, first);
    if (!first) return;
    const scenarios::Scenario complete = scenarios::complete(cell.scenario, around.world);
    summary.add_first(cell.scenario, around, complete);
    if (!whole.empty()) return;
    whole = scenarios::effective_toml(complete);
    survey = around.survey;
    any_edges = around.world.profile.graphs.edges > 0;
  };
  const auto enough = [&, begun = std::chrono::steady_clock::now()] {
    if (std::chrono::steady_clock::now() - begun <= most_time) return false;
    looked_at = seen_of_cell;
    return true;
  };
  scenarios::check_beforehand(cells, {.repetitions = looked_at, .seen = see, .enough = enough});
  const auto to = arguments.text("workflow");
  const std::optional<agents::Job> workflow = to ? workflow_in(survey, any_edges) : std::nullopt;
  only_reads.reset();
  if (workflow)
    write_result(*to, scenarios::text_of(scenarios::wfformat_of(*workflow)),
                 scenarios::WholeFile::Name::chosen, rights_beside(cells, *to));
  say(summary.head(file, scenarios::count_runs(cells)));
  for (const std::string& remark : summary.remarks()) say(remark);
  if (const std::string text = left_out_text(cells, looked_at, cells_looked_at); !text.empty())
    say(text);
  if (summary.cells() > 1) say("the first cell, whole:");
  print_text(whole);
}

}  // namespace

Exit validate_command(const Arguments& arguments) {
  scenarios::ReadingLimits limits = scenarios::scenario_limits;
  limits.seconds *= arguments.positional().size();
  if (!arguments.has("trusted"))
    scenarios::limit_reading(static_cast<int>(Exit::unavailable), limits);
  for (const std::string& file : arguments.positional()) validate(file, arguments);
  return Exit::holds;
}

}  // namespace rhizome::tools
