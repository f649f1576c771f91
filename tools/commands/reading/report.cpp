#include <algorithm>
#include <filesystem>

#include "tools/chart/svg.hpp"
#include "tools/cli/output.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/reading/span_options.hpp"
#include "tools/commands/running/present.hpp"
#include "tools/commands/stored.hpp"
#include "tools/report/page.hpp"

namespace rhizome::tools {

namespace {

using Runs = std::vector<scenarios::StoredRun>;

// Charts of a single run are named by their subject; those of several also have a number.
std::vector<Chart> charts_to_write(const std::vector<Material>& materials) {
  std::vector<Chart> charts = report_charts(materials);
  if (materials.size() == 1)
    for (Chart& chart : charts) chart.id.erase(0, chart.id.find('-') + 1);
  return charts;
}

Runs runs_in(const Arguments& arguments) {
  Runs runs;
  for (const std::string& word : arguments.positional())
    runs.push_back(open_stored(word, arguments));
  return runs;
}

std::vector<Material> gather_all(const Runs& runs,
                                 const std::vector<const scenarios::Metric*>& metrics) {
  std::vector<Material> materials;
  std::vector<std::filesystem::path> paths;
  for (const scenarios::StoredRun& run : runs) {
    paths.push_back(run.path);
    materials.push_back(gather(run, metrics));
  }
  const std::vector<std::string> names = distinct_names(paths);
  for (std::size_t i = 0; i < materials.size(); ++i) materials[i].name = names[i];
  return materials;
}

// What shows scenarios and results is for those who can read all of them.
mode_t readers_in(const std::filesystem::path& folder, const Runs& runs) {
  mode_t rights = 0644;
  for (const scenarios::StoredRun& run : runs) rights &= run.readers(folder);
  return rights;
}

void publish(const std::string& page, const std::vector<Chart>& charts, const Runs& runs,
             const Arguments& arguments) {
  const std::string file = arguments.text("to").value_or("report.html");
  write_result(file, page, name_by(arguments, "to"), readers_in(folder_of_result(file), runs));
  const auto rights_in = [&](const std::string& folder) {
    return readers_in(scenarios::led_to(std::filesystem::absolute(folder)), runs);
  };
  if (const auto svgs = arguments.text("svg")) write_svgs(charts, *svgs, rights_in(*svgs));
  if (const auto pdfs = arguments.text("pdf")) write_pdfs(charts, *pdfs, rights_in(*pdfs));
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
    arguments.refuse({"by"}, "has no effect with --from or --until");
    if (arguments.positional().size() > 1) throw UsageError("a span is one of a single run");
    Runs run;
    run.push_back(scenarios::open_run(stored_path(arguments.positional().front(), arguments)));
    const ServedReport report = served_report(run.front(), arguments);
    publish(served_page(report, library), served_charts(report), run, arguments);
    return Exit::holds;
  }
  const Runs runs = runs_in(arguments);
  const std::vector<Material> materials = gather_all(runs, sweep_metrics(arguments));
  const bool swept =
      std::ranges::any_of(materials, [](const Material& one) { return !one.sweeps.empty(); });
  if (arguments.has("by") && !swept)
    throw UsageError("--by has no effect here: nothing was swept in what is reported");
  publish(report_page(materials, library), charts_to_write(materials), runs, arguments);
  return Exit::holds;
}

}  // namespace rhizome::tools
