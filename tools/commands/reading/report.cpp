#include <algorithm>
#include <filesystem>

#include "tools/chart/bundles.hpp"
#include "tools/chart/svg.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/result_file.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/running/present.hpp"
#include "tools/commands/stored.hpp"
#include "tools/report/page.hpp"

namespace rhizome::tools {

namespace {

// Charts of a single run are named by their subject; those of several also have a number.
std::vector<Chart> charts_to_write(const std::vector<Material>& materials) {
  std::vector<Chart> charts = report_charts(materials);
  if (materials.size() == 1)
    for (Chart& chart : charts) chart.id.erase(0, chart.id.find('-') + 1);
  return charts;
}

std::vector<Material> gather_all(const Arguments& arguments,
                                 const std::vector<const scenarios::Metric*>& metrics) {
  std::vector<Material> materials;
  std::vector<std::filesystem::path> paths;
  for (const std::string& word : arguments.positional()) {
    const scenarios::StoredRun run = open_stored(word, arguments);
    paths.push_back(run.path);
    materials.push_back(gather(run, metrics));
  }
  const std::vector<std::string> names = distinct_names(paths);
  for (std::size_t i = 0; i < materials.size(); ++i) materials[i].name = names[i];
  return materials;
}

}  // namespace

Exit report_command(const Arguments& arguments) {
  const auto svgs = arguments.text("svg");
  const auto pdfs = arguments.text("pdf");
  if (const std::string why = why_no_svg(); svgs && !why.empty()) throw ChartsUnavailable(why);
  if (const std::string why = why_no_pdf(); pdfs && !why.empty()) throw ChartsUnavailable(why);
  const std::vector<const scenarios::Metric*> metrics = sweep_metrics(arguments);
  const std::vector<Material> materials = gather_all(arguments, metrics);
  const bool swept = std::any_of(materials.begin(), materials.end(),
                                 [](const Material& one) { return !one.sweeps.empty(); });
  if (arguments.has("by") && !swept)
    throw UsageError("--by has no effect here: nothing was swept in what is reported");
  const std::string file = arguments.text("to").value_or("report.html");
  write_result(file, report_page(materials, {page_script(), chart_licences()}),
               name_by(arguments, "to"));
  if (svgs) write_svgs(charts_to_write(materials), *svgs);
  if (pdfs) write_pdfs(charts_to_write(materials), *pdfs);
  if (!is_output(file)) print_text(file + "\n");
  return Exit::holds;
}

}  // namespace rhizome::tools
