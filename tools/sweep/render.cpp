// A sweep for people (text, Markdown) and for programs (JSON).
#include "tools/compare/render.hpp"
#include "scenarios/text/json.hpp"
#include "tools/compare/wording.hpp"
#include "tools/markup/markdown.hpp"
#include "tools/sweep/words.hpp"

namespace rhizome::tools {

namespace {

Json point_json(const Sweep& sweep, const SweepSide& side, const SweepPoint& point) {
  Json values = Json::object();
  for (std::size_t k = 0; k < side.keys.size(); ++k)
    values[sweep.keys[side.keys[k]]] = point.values[k];
  Json item = json_of(point.mean);
  item["values"] = values;
  item["runs"] = point.runs;
  item["sound"] = point.sound;
  return item;
}

Json values_json(const Sweep& sweep, const SweepSide& side, std::size_t point) {
  return point_json(sweep, side, side.points[point]).at("values");
}

Json choice_json(const Sweep& sweep, const SweepSide& side, const SweepChoice& choice) {
  Json candidates = Json::array();
  for (const std::size_t i : choice.candidates) candidates.push_back(values_json(sweep, side, i));
  Json alike = Json::array();
  for (const std::size_t i : choice.alike) alike.push_back(values_json(sweep, side, i));
  return {{"of", candidates},
          {"best", choice.best ? values_json(sweep, side, *choice.best) : Json(nullptr)},
          {"not_distinguishable", alike}};
}

Json side_json(const Sweep& sweep, const SweepSide& side) {
  Json keys = Json::array();
  for (const std::size_t key : side.keys) keys.push_back(sweep.keys[key]);
  Json points = Json::array();
  for (const SweepPoint& point : side.points) points.push_back(point_json(sweep, side, point));
  Json choices = Json::array();
  for (const SweepChoice& choice : side.choices)
    choices.push_back(choice_json(sweep, side, choice));
  return {{"label", side.label}, {"keys", keys}, {"points", points}, {"choices", choices}};
}

}  // namespace

std::string text_of(const Sweep& sweep, const TextOptions& options) {
  const Painter paint(options.colour);
  const std::size_t page = options.columns;
  std::string text = paint(Ink::bold, wrapped(title_of(sweep), page, 2)) + "\n";
  for (const SweepTable& table : tables_of(sweep)) {
    if (!table.title.empty()) text += wrapped(table.title, page, 2);
    text += in_blocks(table.rows, page, table.keys) + "\n";
  }
  for (const std::string& sentence : sentences_on(sweep)) text += wrapped(sentence, page, 2);
  return text + "\n" + wrapped(method_text(sweep), page, 0);
}

std::string markdown_of(const Sweep& sweep) {
  const auto safe = [](std::vector<std::string> row) {
    for (std::string& cell : row) cell = markdown_text(cell);
    return row;
  };
  std::string text = "### " + markdown_text(title_of(sweep)) + "\n\n";
  for (const SweepTable& table : tables_of(sweep)) {
    if (!table.title.empty()) text += markdown_text(table.title) + ":\n\n";
    text += markdown_head(safe(table.rows.front()), table.keys);
    for (std::size_t i = 1; i < table.rows.size(); ++i) text += markdown_row(safe(table.rows[i]));
    text += "\n";
  }
  for (const std::string& sentence : sentences_on(sweep))
    text += markdown_paragraph(sentence) + "\n";
  return text + markdown_paragraph(method_text(sweep));
}

Json json_of(const Sweep& sweep) {
  Json sides = Json::array();
  for (const SweepSide& side : sweep.sides) sides.push_back(side_json(sweep, side));
  return {{"metric", sweep.metric->name},
          {"unit", sweep.metric->unit},
          {"better", name_of(sweep.metric->better)},
          {"confidence", sweep.confidence},
          {"keys", sweep.keys},
          {"schedulers", sides}};
}

}  // namespace rhizome::tools
