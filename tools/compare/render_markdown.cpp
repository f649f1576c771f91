#include "tools/compare/render.hpp"
#include "tools/compare/wording.hpp"
#include "tools/markup/markdown.hpp"

namespace rhizome::tools {

std::string markdown_of(const Comparison& comparison, bool all) {
  std::vector<std::string> head{"metric"};
  for (const Side& side : comparison.sides)
    head.push_back(markdown_text(side.name) + (sound(side) ? "" : " !"));
  for (std::size_t i = 1; i < comparison.sides.size(); ++i)
    head.push_back(markdown_text(comparison.sides[i].name + " / " + comparison.sides.front().name));
  const std::string winner = markdown_text(winner_text(comparison));
  std::string out = "### " + markdown_text(comparison.title) + " (" +
                    markdown_text(comparison.engine) + ")\n\n" +
                    (winner.empty() ? "" : winner + "\n\n") + markdown_head(head, 1);
  for (const ComparisonRow& in_seconds : comparison.rows) {
    if (!all && !comparison.headline(in_seconds)) continue;
    const ComparisonRow row = in_fitting_unit(in_seconds);
    std::vector<std::string> cells{lone_heading(row)};
    for (const Estimate& mean : row.means) cells.push_back(mean_text(mean));
    for (std::size_t i = 1; i < row.versus.size(); ++i)
      cells.push_back(versus_text(row.versus[i]) + " " + verdict_text(*row.metric, row.versus[i]));
    out += markdown_row(cells);
  }
  out += "\n" + markdown_paragraph(method_text(comparison));
  if (const std::string judged = judged_text(comparison); !judged.empty())
    out += "\n" + markdown_paragraph(judged);
  for (const std::string& warning : comparison.warnings) out += "\n" + markdown_warning(warning);
  return out;
}

std::string markdown_of(std::span<const ClaimResult> claims) {
  if (claims.empty()) return {};
  std::string out = markdown_head({"claim", "cell", "verdict", "why"});
  for (const ClaimResult& claim : claims)
    out += markdown_row({markdown_text(claim.claim), markdown_text(claim.cell),
                         std::string(name_of(claim.standing)), markdown_text(claim.reason)});
  return out;
}

}  // namespace rhizome::tools
