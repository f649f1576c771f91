#include <fmt/core.h>

#include "scenarios/text/json.hpp"
#include "tools/cli/shell.hpp"
#include "tools/compare/wording.hpp"
#include "tools/fate/fate.hpp"
#include "tools/markup/markdown.hpp"

namespace rhizome::tools {

namespace {

constexpr std::size_t name_columns = 40;

std::string heading_of(const Fate& fate) {
  std::string text = fate.name + fmt::format(": {} run{}", fate.runs, fate.runs == 1 ? "" : "s");
  if (fate.invalid > 0) text += fmt::format(", {} of them invalid", fate.invalid);
  if (fate.failed > 0) text += fmt::format(", {} of them failed", fate.failed);
  if (fate.steered > 0) text += fmt::format(", {} of them steered by hand", fate.steered);
  if (fate.cut > 0)
    text += fmt::format(", {} of them lost a process, so that what its peers did is not known here",
                        fate.cut);
  if (fate.unknown > 0)
    text += fmt::format(", {} of them that at which work enters, so that results are not known",
                        fate.unknown);
  return text + fmt::format(", {} tasks", fate.tasks);
}

// Where some of the runs do not tell; else empty.
std::string part_of_runs(const Fate& fate, const FatePart& part) {
  if (!part.known() || part.runs == fate.runs) return {};
  return fmt::format("of {} run{}, whose results are known", part.runs, part.runs == 1 ? "" : "s");
}

std::string none_of(const FatePart& part) { return part.known() ? "none" : "not known"; }

std::string hint_of(const Fate& fate) {
  const Liveliest& most = fate.liveliest;
  if (!most.undone && most.events == 0)
    return fate.unknown > 0 ? "No task is known to have been executed twice."
                            : "Every task was executed once, and completed.";
  const std::string what = fmt::format("ask {}.{} of repetition {}", most.task.job,
                                       most.task.portion, most.repetition + 1);
  return fmt::format(
      "{}: see --scheduler {} --task {}.{} --repetition {}.",
      most.undone ? "T" + what + " was never completed" : "Most happened to t" + what,
      shell_word(fate.label), most.task.job, most.task.portion, most.repetition + 1);
}

// Times, times a run, tasks concerned and their share.
std::vector<std::string> cells_of(const FatePart& part, const FateRow& row) {
  const auto share = part.share(row);
  return {std::to_string(row.times), fmt::format("{:.1f}", part.per_run(row)),
          row.tasks ? std::to_string(*row.tasks) : "",
          share ? fmt::format("{:.2f} %", 100 * *share) : ""};
}

std::string line_of(const std::string& name, const std::vector<std::string>& cells) {
  std::string line = fitted(name, name_columns);
  for (const std::string& cell : cells) line += fmt::format("{:>10}", cell);
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

}  // namespace

std::string text_of(std::span<const Fate> fates) {
  std::string text;
  for (const Fate& fate : fates) {
    text += text.empty() ? "" : "\n";
    text += wrapped(heading_of(fate), 80, 2);
    for (const FatePart& part : fate.parts) {
      const bool of_tasks = !part.rows.empty() && part.rows.front().tasks;
      std::vector<std::string> heads{"count", "per run"};
      if (of_tasks) heads.insert(heads.end(), {"tasks", "share"});
      text += "\n" + (part.rows.empty() ? part.title + ": " + none_of(part) + "\n"
                                        : line_of(part.title, heads));
      if (const std::string of = part_of_runs(fate, part); !of.empty()) text += "  " + of + ":\n";
      for (const FateRow& row : part.rows) text += line_of("  " + row.what, cells_of(part, row));
    }
    text += "\n" + wrapped(hint_of(fate), 80, 0);
  }
  return text;
}

std::string markdown_of(std::span<const Fate> fates) {
  std::string text;
  for (const Fate& fate : fates) {
    text += (text.empty() ? "" : "\n") + markdown_paragraph(heading_of(fate) + ".");
    for (const FatePart& part : fate.parts) {
      const std::string of = part_of_runs(fate, part);
      text += "\n" + markdown_head({part.title + (of.empty() ? "" : ", " + of), "count", "per run",
                                    "tasks", "share"},
                                   1);
      if (part.rows.empty())
        text += markdown_row(
            {none_of(part), part.known() ? "0" : "", part.known() ? "0.0" : "", "", ""});
      for (const FateRow& row : part.rows) {
        std::vector<std::string> cells{markdown_text(row.what)};
        for (const std::string& cell : cells_of(part, row)) cells.push_back(cell);
        text += markdown_row(cells);
      }
    }
    text += "\n" + markdown_paragraph(hint_of(fate));
  }
  return text;
}

std::string json_of(std::span<const Fate> fates) {
  Json list = Json::array();
  for (const Fate& fate : fates) {
    Json rows = Json::array();
    for (const FatePart& part : fate.parts)
      for (const FateRow& row : part.rows) {
        const auto share = part.share(row);
        rows.push_back({{"part", part.title},
                        {"what", row.what.substr(row.what.find_first_not_of(' '))},
                        {"times", row.times},
                        {"per_run", part.per_run(row)},
                        {"tasks", row.tasks ? Json(*row.tasks) : Json(nullptr)},
                        {"share", share ? Json(*share) : Json(nullptr)}});
      }
    list.push_back({{"scheduler", fate.name},
                    {"runs", fate.runs},
                    {"invalid", fate.invalid},
                    {"failed", fate.failed},
                    {"steered", fate.steered},
                    {"lost_a_process", fate.cut},
                    {"results_not_known", fate.unknown},
                    {"tasks", fate.tasks},
                    {"rows", rows}});
  }
  return scenarios::text_of(Json{{"schema", "rhizome.fate/1"}, {"schedulers", list}});
}

}  // namespace rhizome::tools
