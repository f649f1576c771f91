#include <algorithm>
#include <filesystem>

#include "tools/chart/bundles.hpp"
#include "tools/chart/svg.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/result_file.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/present.hpp"
#include "tools/commands/reading/stored.hpp"
#include "tools/report/page.hpp"

namespace rhizome::tools {

Exit report_command(const Arguments& arguments) {
  const auto folder = arguments.text("svg");
  if (const std::string why = why_no_svg(); folder && !why.empty()) throw ChartsUnavailable(why);
  const std::vector<const scenarios::Metric*> metrics = sweep_metrics(arguments);
  std::vector<Material> materials;
  for (const std::string& word : arguments.positional())
    materials.push_back(gather(open_stored(word, arguments), metrics));
  const bool swept = std::any_of(materials.begin(), materials.end(),
                                 [](const Material& one) { return !one.sweeps.empty(); });
  if (arguments.has("by") && !swept)
    throw UsageError("--by has no effect here: nothing was swept in what is reported");
  const std::string file = arguments.text("to").value_or("report.html");
  write_result(file, report_page(materials, {page_script(), chart_licences()}));
  if (folder) write_svgs(report_charts(materials), *folder);
  if (!is_output(file)) print_text(file + "\n");
  return Exit::holds;
}

}  // namespace rhizome::tools
