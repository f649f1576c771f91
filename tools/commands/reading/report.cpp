#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/child/own_folder.hpp"
#include "tools/chart/svg.hpp"
#include "tools/cli/output.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/reading/span_options.hpp"
#include "tools/commands/running/present.hpp"
#include "tools/commands/stored.hpp"
#include "tools/report/page.hpp"

namespace rhizome::tools {

namespace {

using Paths = std::vector<std::filesystem::path>;

// Charts of a single run are named by their subject; those of several also have a number.
std::vector<Chart> charts_to_write(const std::vector<Material>& materials) {
  std::vector<Chart> charts = report_charts(materials);
  if (materials.size() == 1)
    for (Chart& chart : charts) chart.id.erase(0, chart.id.find('-') + 1);
  return charts;
}

std::vector<Material> gather_all(const Arguments& arguments,
                                 const std::vector<const scenarios::Metric*>& metrics,
                                 Paths& paths) {
  std::vector<Material> materials;
  for (const std::string& word : arguments.positional()) {
    const scenarios::StoredRun run = open_stored(word, arguments);
    paths.push_back(run.path);
    materials.push_back(gather(run, metrics));
  }
  const std::vector<std::string> names = distinct_names(paths);
  for (std::size_t i = 0; i < materials.size(); ++i) materials[i].name = names[i];
  return materials;
}

// The page shows scenarios and results: it is for those who can read all of them.
mode_t rights_of_page(const std::string& file, const Paths& runs) {
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  mode_t rights = 0644;
  std::error_code ignored;
  for (const std::filesystem::path& run : runs)
    for (const std::filesystem::path& shown : {run, run / "scenario.toml", run / "results.sqlite"})
      if (std::filesystem::exists(shown, ignored)) rights &= core::readers_of(shown, folder);
  return rights;
}

void publish(const std::string& page, const std::vector<Chart>& charts, const Paths& runs,
             const Arguments& arguments) {
  const std::string file = arguments.text("to").value_or("report.html");
  write_result(file, page, name_by(arguments, "to"), rights_of_page(file, runs));
  if (const auto svgs = arguments.text("svg")) write_svgs(charts, *svgs);
  if (const auto pdfs = arguments.text("pdf")) write_pdfs(charts, *pdfs);
  if (!is_output(file)) print_text(file + "\n");
}

}  // namespace

Exit report_command(const Arguments& arguments) {
  if (const std::string why = why_no_svg(); arguments.has("svg") && !why.empty())
    throw ChartsUnavailable(why);
  if (const std::string why = why_no_pdf(); arguments.has("pdf") && !why.empty())
    throw ChartsUnavailable(why);
  const PageLibrary library{page_script(), chart_licences()};
  if (has_span(arguments)) {
    const ServedReport report = served_report(arguments);
    publish(served_page(report, library), served_charts(report), {report.path}, arguments);
    return Exit::holds;
  }
  Paths runs;
  const std::vector<Material> materials = gather_all(arguments, sweep_metrics(arguments), runs);
  const bool swept =
      std::ranges::any_of(materials, [](const Material& one) { return !one.sweeps.empty(); });
  if (arguments.has("by") && !swept)
    throw UsageError("--by has no effect here: nothing was swept in what is reported");
  publish(report_page(materials, library), charts_to_write(materials), runs, arguments);
  return Exit::holds;
}

}  // namespace rhizome::tools
