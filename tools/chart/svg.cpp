#include "tools/chart/svg.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "core/child/own_folder.hpp"
#include "scenarios/store/store.hpp"
#include "scenarios/text/files.hpp"
#include "scenarios/text/plain_text.hpp"
#include "scenarios/text/whole_file.hpp"
#include "tools/carried.hpp"
#include "tools/markup/markup.hpp"

namespace rhizome::tools {

namespace {

namespace fs = std::filesystem;
using scenarios::CannotWrite;

// The exit status of a program and its arguments; 127 where there is no such program.
int run(std::vector<std::string> words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawnp(&child, list.front(), nullptr, nullptr, list.data(), environ) != 0) return 127;
  int status = 0;
  if (waitpid(child, &status, 0) < 0) return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::string folder(rest.substr(0, rest.find(':')));
    if (access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
  }
  return false;
}

// A file is looked at without the page around it.
scenarios::Json with_title(const Chart& chart) {
  scenarios::Json spec = chart.spec;
  if (!chart.title.empty()) spec["title"] = {{"text", chart.title}, {"anchor", "start"}};
  return spec;
}

// Vega asks for the package "canvas" and draws without it. Node.js looks for it in the package that
// the script belongs to, then in this folder and in all above it: another user may have put a
// package there, or a package.json that makes the script a part of one.
void hide_packages_of_others(const fs::path& folder) {
  const fs::path package = folder / "node_modules" / "canvas";
  scenarios::make_folder(package);
  scenarios::write_whole(folder / "package.json", "{}");
  scenarios::write_whole(package / "package.json", R"({"main": "index.js"})");
  scenarios::write_whole(package / "index.js", "");
}

}  // namespace

std::string why_no_svg() {
  if (!on_path("node")) return "drawing SVG takes Node.js: install nodejs";
  return {};
}

std::vector<std::string> draw_svgs(std::span<const Chart> charts) {
  if (charts.empty()) return {};
  if (const std::string why = why_no_svg(); !why.empty()) throw ChartsUnavailable(why);
  const core::OwnFolder own;
  scenarios::Json specs = scenarios::Json::array();
  for (const Chart& chart : charts) specs.push_back(with_title(chart));
  hide_packages_of_others(own.path());
  scenarios::write_whole(own.path() / "render_svg.mjs", svg_script());
  scenarios::write_whole(own.path() / "specs.json", scenarios::line_of(specs));
  const int status = run({"node", own.path() / "render_svg.mjs", own.path() / "specs.json",
                          own.path() / "drawn.json"});
  const auto drawn =
      scenarios::parse_json(scenarios::read_file(own.path() / "drawn.json").value_or(""));
  if (status != 0 || !drawn || drawn->size() != charts.size())
    throw ChartsUnavailable("Node.js could not draw the charts (status " + std::to_string(status) +
                            ")");
  std::vector<std::string> texts;
  for (const scenarios::Json& svg : drawn->items())
    texts.push_back(scenarios::plain_lines(svg.get<std::string>()) + "\n");
  return texts;
}

std::string why_no_pdf() {
  if (!on_path("rsvg-convert")) return "drawing PDF takes rsvg-convert: install librsvg2-bin";
  return why_no_svg();
}

void write_svgs(std::span<const Chart> charts, const fs::path& folder, mode_t rights) {
  const std::vector<std::string> drawn = draw_svgs(charts);
  scenarios::make_folder(folder);
  for (std::size_t i = 0; i < charts.size(); ++i)
    scenarios::write_whole(folder / (charts[i].id + ".svg"), drawn[i],
                           scenarios::WholeFile::Name::implied, rights);
}

void write_pdfs(std::span<const Chart> charts, const fs::path& folder, mode_t rights) {
  if (const std::string why = why_no_pdf(); !why.empty()) throw ChartsUnavailable(why);
  const std::vector<std::string> drawn = draw_svgs(charts);
  scenarios::make_folder(folder);
  const core::OwnFolder own;
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const fs::path svg = own.path() / "chart.svg";
    const fs::path pdf = own.path() / "chart.pdf";
    scenarios::write_whole(svg, drawn[i]);
    const int status = run({"rsvg-convert", "-f", "pdf", "-o", pdf, svg});
    if (status != 0)
      throw ChartsUnavailable("rsvg-convert could not draw " + charts[i].id + " (status " +
                              std::to_string(status) + ")");
    scenarios::write_whole(folder / (charts[i].id + ".pdf"), scenarios::read_file(pdf).value_or(""),
                           scenarios::WholeFile::Name::implied, rights);
  }
}

std::string_view page_script() { return carried_file("chart/page.js"); }
std::string_view svg_script() { return carried_file("chart/render_svg.mjs"); }
std::string_view chart_licences() { return carried_file("chart/licences.txt"); }

}  // namespace rhizome::tools
