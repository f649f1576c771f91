#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "scenarios/experiment/conditions.hpp"
#include "scenarios/experiment/effort.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/format/unsaid.hpp"
#include "scenarios/text/duration_text.hpp"
#include "scenarios/text/files.hpp"
#include "scenarios/text/whole_file.hpp"
#include "tools/chart/svg.hpp"
#include "tools/cli/console.hpp"
#include "tools/cli/messages.hpp"
#include "tools/cli/options.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/shell.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/running/commentary.hpp"
#include "tools/commands/running/reproduce_choice.hpp"
#include "tools/commands/running/resume.hpp"
#include "tools/commands/running/run_writer.hpp"
#include "tools/compare/layout.hpp"
#include "tools/reproduce/page.hpp"
#include "tools/reproduce/places.hpp"
#include "tools/reproduce/sketches.hpp"

namespace rhizome::tools {

namespace {

namespace fs = std::filesystem;

constexpr auto index_name = "README.md";

// The labels that the wanted results of the study need; empty if one of them needs all labels.
std::vector<std::string> labels_in(const std::string& study, std::span<const Reproduction> wanted) {
  std::vector<std::string> labels;
  for (const Reproduction& one : wanted) {
    if (one.study != study) continue;
    const std::vector<std::string> named = labels_of(one);
    if (named.empty()) return {};
    labels.insert(labels.end(), named.begin(), named.end());
  }
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

scenarios::Overrides overrides_in(const Arguments& arguments) {
  scenarios::Overrides overrides;
  if (const auto repetitions = arguments.number("repetitions", 2))
    overrides.command_line.push_back("run.repetitions=" + std::to_string(*repetitions));
  if (const auto seed = arguments.number("seed", 0))
    overrides.command_line.push_back("run.seed=" + std::to_string(*seed));
  return overrides;
}

// The cells of a study, with only the schedulers that the wanted results need.
std::vector<scenarios::Cell> cells_of(const std::string& study,
                                      std::span<const Reproduction> wanted,
                                      const Arguments& arguments) {
  const std::string name = (data_folder(arguments) / study).lexically_normal().string();
  std::vector<scenarios::Cell> cells =
      scenarios::parse_scenario(study_text(study), name, overrides_in(arguments));
  const std::vector<std::string> labels = labels_in(study, wanted);
  if (labels.empty()) return cells;
  for (scenarios::Cell& cell : cells)
    std::erase_if(cell.scenario.schedulers, [&](const scenarios::SchedulerChoice& choice) {
      return !std::ranges::binary_search(labels, choice.label);
    });
  return cells;
}

// The time that the runs take here, estimated from the first repetition of each cell.
std::chrono::seconds duration_of(const std::vector<scenarios::Cell>& cells) {
  core::Duration processor{0};
  for (const scenarios::Cell& cell : cells) {
    const scenarios::Scenario& scenario = cell.scenario;
    const auto around =
        scenarios::make_surroundings(scenario, scenarios::repetition_seed(scenario, 0));
    const auto complete = scenarios::complete(scenario, around.world);
    for (const scenarios::Effort& effort : scenarios::efforts_of(complete, around.world))
      processor += effort.processor * scenario.run.repetitions;
  }
  const auto cores = std::max(1U, std::thread::hardware_concurrency());
  return std::max(std::chrono::seconds(1),
                  std::chrono::round<std::chrono::seconds>(processor / cores));
}

// Prints the results that are named, or all.
Exit list_results(const Arguments& arguments) {
  const bool as_json = arguments.text("output").value_or("text") == "json";
  auto json = scenarios::Json::array();
  for (const Reproduction& one :
       arguments.positional().empty() ? all_reproductions() : named_results(arguments)) {
    scenarios::Json entry{{"name", one.name}, {"title", one.title}, {"source", one.source}};
    std::string effort = "needs " + one.data;
    if (missing_data(one, arguments).empty()) {
      const std::vector<scenarios::Cell> cells = cells_of(one.study, {&one, 1}, arguments);
      const std::size_t runs = scenarios::count_runs(cells);
      const std::chrono::seconds duration = duration_of(cells);
      effort = fmt::format("{} runs, about {} here", runs, scenarios::rough_text(duration));
      entry["runs"] = runs;
      entry["seconds"] = duration.count();
    } else {
      entry["needs"] = one.data;
    }
    const std::string meaning = one.title + " (" + one.source + "); " + effort;
    if (as_json)
      json.push_back(std::move(entry));
    else if (output_is_terminal())
      print_text(glossed(one.name, meaning, output_columns(), 28));
    else
      print_text(one.name + "  " + meaning + "\n");  // a line, which grep finds whole
  }
  if (as_json) print_text(scenarios::text_of(json));
  return Exit::holds;
}

// The results of the runs of one study.
struct StudyRuns {
  std::vector<RunFigures> runs;
  Sketches sketches;

  void add(const scenarios::Outcome& outcome) {
    runs.push_back(figures_of(outcome));
    sketches.add(outcome);
  }
};

// Runs every study once, and keeps the runs: runs that a run directory contains are not repeated.
class Studies {
 public:
  Studies(const Arguments& arguments, std::span<const Reproduction> wanted)
      : arguments_(arguments), wanted_(wanted) {}

  // The cells of the study; the reference is valid as long as this object.
  const std::vector<scenarios::Cell>& plan(const std::string& study) {
    if (!cells_.contains(study)) cells_[study] = cells_of(study, wanted_, arguments_);
    return cells_[study];
  }
  // Returns false if interrupted; the runs of an unfinished study are not judged.
  bool run() {
    Commentary commentary({.screen = Screen::standard_error(arguments_.has("quiet")),
                           .remark = [&](const std::string& text) {
                             if (writer_) writer_->remark(text);
                           }});
    std::map<std::string, StudyRuns> begun;
    for (const auto& [study, cells] : cells_) {
      StudyRuns& runs = begun[study] = {.runs = {}, .sketches = Sketches(wanted_, study)};
      take_stored(study, cells, runs);
      commentary.expect(scenarios::count_runs(cells) - runs.runs.size());
    }
    for (const auto& [study, cells] : cells_)
      if (StudyRuns& runs = begun[study]; complete(study, cells, commentary, runs))
        runs_[study] = std::move(runs);
      else
        return false;
    return true;
  }
  [[nodiscard]] bool are_stored() const { return !arguments_.has("no-store"); }
  [[nodiscard]] bool finished(const std::string& study) const { return runs_.contains(study); }
  [[nodiscard]] const std::vector<RunFigures>& runs(const std::string& study) {
    return runs_[study].runs;
  }
  [[nodiscard]] const Sketches& sketches(const std::string& study) { return runs_[study].sketches; }
  [[nodiscard]] const scenarios::RunSection& settings() const {
    return cells_.begin()->second.front().scenario.run;
  }

 private:
  [[nodiscard]] Keeping keeping_of(const std::string& study) const {
    scenarios::Overrides overrides = overrides_in(arguments_);
    for (const std::string& label : labels_in(study, wanted_))
      overrides.schedulers.push_back("=" +
                                     label);  // "=": another scheduler may have a use of that name
    return {.store = are_stored(),
            .root = are_stored() ? runs_folder(arguments_, "runs-dir", usual_runs_dir) : "",
            .command = "rhizome run scenario.toml",
            .overrides = overrides};
  }
  void take_stored(const std::string& study, const std::vector<scenarios::Cell>& cells,
                   StudyRuns& runs) {
    const Keeping keeping = keeping_of(study);
    if (!keeping.store) return;
    const auto stored = stored_before(cells, keeping);
    if (!stored || stored->store.size() == 0) return;
    if (std::ranges::any_of(stored->record.walls,
                            [](const auto& wall) { return wall.steered > 0; }))
      return warn(stored->path.string() + ": some runs were steered by hand: all are run again");
    for (std::size_t i = 0; i < stored->store.size(); ++i) runs.add(stored->read(i));
    tell(fmt::format("{} of {} runs of {} are taken from {}", runs.runs.size(),
                     scenarios::count_runs(cells), study, stored->path.string()));
    stored_[study] = {.path = stored->path, .record = stored->record, .runs = runs.runs};
  }
  // Does the runs that are not stored; false if interrupted.
  bool complete(const std::string& study, const std::vector<scenarios::Cell>& cells,
                Commentary& commentary, StudyRuns& runs) {
    const std::size_t done = runs.runs.size();
    if (done == scenarios::count_runs(cells)) return true;
    writer_ = stored_.contains(study) ? std::make_unique<RunWriter>(cells, stored_[study])
                                      : std::make_unique<RunWriter>(cells, keeping_of(study));
    writer_->open();
    const auto take = [&](scenarios::Outcome&& outcome) {
      writer_->add(outcome);
      runs.add(outcome);
    };
    const bool whole = commentary.run(cells, take, {.runs = done});
    writer_->conclude(whole ? verdict_text({}, runs.runs) : "interrupted");
    writer_.reset();
    return whole;
  }

  static constexpr const char* usual_runs_dir = "runs/reproductions";
  const Arguments& arguments_;
  std::span<const Reproduction> wanted_;
  std::map<std::string, std::vector<scenarios::Cell>> cells_;
  std::map<std::string, Resumed> stored_;
  std::map<std::string, StudyRuns> runs_;  // of finished studies
  std::unique_ptr<RunWriter> writer_;      // of the study that is being run
};

// Drops the results whose study is unfinished: a finding that spans cells cannot be judged on some
// of them.
std::vector<std::string> leave_out_unjudged(std::vector<Reproduction>& wanted,
                                            const Studies& studies) {
  std::vector<std::string> partial;
  for (const Reproduction& one : wanted)
    if (!studies.finished(one.study))
      partial.push_back(one.name +
                        " is not judged: its runs were interrupted before all were done" +
                        (studies.are_stored() ? "; the same call goes on with the others" : ""));
  std::erase_if(wanted, [&](const Reproduction& one) { return !studies.finished(one.study); });
  return partial;
}

// Makes the folder before runs of hours, so that an unwritable folder is an error at once. The file
// that is opened here as a test is removed again.
void make_page_folder(const fs::path& folder) {
  scenarios::make_folder(folder);
  const scenarios::WholeFile page(folder / index_name);
}

// Whether there is an index with results that are not in the list, which a new one would lose.
bool has_others(const fs::path& index, const ReproducedList& list) {
  std::set<std::string> ours;
  for (const auto& one : list) ours.insert(page_name(one->result));
  const std::string text = scenarios::read_plain_file(index).value_or("");
  constexpr std::string_view page = ".md) ";  // ends the link in the row of a result
  for (std::size_t end = text.find(page); end != text.npos; end = text.find(page, end + 1)) {
    const std::size_t link = text.rfind("](", end);
    const std::size_t begin = link == text.npos ? 0 : link + 2;
    if (!ours.contains(text.substr(begin, end + 3 - begin))) return true;
  }
  return false;
}

// Writes the index, the pages and their figures. Without Node.js the pages have no figures, and say
// why.
void write_pages(const ReproducedList& list, PageOptions options, const fs::path& folder,
                 bool all) {
  std::vector<Chart> charts;
  for (const auto& one : list) charts.insert(charts.end(), one->charts.begin(), one->charts.end());
  if (const std::string why = why_no_svg(); !why.empty()) {
    warn("the pages have no figures: " + why);
    options.no_figures = why;
  } else {
    write_svgs(charts, folder);
  }
  if (const fs::path index = folder / index_name; !all && has_others(index, list))
    warn(index.string() + " has other results, too, and is left as it was");
  else
    scenarios::write_whole(index, index_of(list, options));
  for (const auto& one : list)
    scenarios::write_whole(folder / page_name(one->result), page_of(*one, options));
}

// The command line that makes the page again, for its readers.
std::string command_of(const Arguments& arguments) {
  std::string command = "rhizome reproduce";
  if (arguments.has("all")) {
    command += " --all";
  } else {
    for (const std::string& name : arguments.positional()) command += " " + shell_word(name);
  }
  for (const std::string option : {"repetitions", "seed", "data", "page"})
    if (const auto value = arguments.text(option))
      command += " --" + option + " " + shell_word(*value);
  return command;
}

Exit exit_of(Standing standing) {
  if (standing == Standing::holds) return Exit::holds;
  return standing == Standing::fails ? Exit::fails : Exit::inconclusive;
}

}  // namespace

Exit reproduce_command(const Arguments& arguments) {
  check_keeping(arguments);
  if (arguments.has("list")) return list_results(arguments);
  std::vector<Reproduction> wanted = chosen_results(arguments);
  Studies studies(arguments, wanted);
  for (Reproduction& one : wanted) {
    const auto& cells = studies.plan(one.study);
    apply_laws(one, cells);
    check_places(one, cells);
  }
  if (const auto folder = arguments.text("page")) make_page_folder(*folder);
  const bool whole = studies.run();
  const std::vector<std::string> partial = leave_out_unjudged(wanted, studies);
  const scenarios::RunSection& run = studies.settings();
  ReproducedList list;
  for (const Reproduction& one : wanted)
    list.push_back(
        reproduce(one, studies.runs(one.study), run.confidence, studies.sketches(one.study)));
  PageOptions options{.command = command_of(arguments),
                      .version = RHIZOME_VERSION,
                      .seed = run.seed,
                      .confidence = run.confidence,
                      .partial = partial};
  if (const auto folder = arguments.text("page")) {
    if (whole)
      write_pages(list, options, *folder, arguments.has("all"));
    else
      warn("interrupted: the pages are left as they were");
  }
  if (arguments.text("output").value_or("text") == "json") {
    print_text(json_of(list, options));
  } else {
    print_text(text_of(list, options, arguments.has("details")));
  }
  return whole ? exit_of(overall(list)) : Exit::interrupted;
}

}  // namespace rhizome::tools
