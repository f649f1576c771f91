#include <cstdio>
#include <filesystem>

#include "scenarios/store/directory.hpp"
#include "tools/chart/bundles.hpp"
#include "tools/chart/svg.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/stored.hpp"
#include "tools/report/page.hpp"

namespace rhizome::tools {

Exit report_command(const Arguments& arguments) {
  const auto folder = arguments.text("svg");
  if (const std::string why = why_no_svg(); folder && !why.empty()) throw ChartsUnavailable(why);
  std::vector<Material> materials;
  for (const std::string& word : arguments.positional())
    materials.push_back(gather(scenarios::open_run(stored_path(word, arguments))));
  const std::string file = arguments.text("to").value_or("report.html");
  scenarios::write_whole(file, report_page(materials, {page_script(), chart_licences()}));
  if (folder) write_svgs(report_charts(materials), *folder);
  std::printf("%s\n", file.c_str());
  return Exit::holds;
}

}  // namespace rhizome::tools
