#include "tools/compare/render.hpp"
#include "tools/reproduce/page.hpp"

namespace rhizome::tools {

namespace {

Json json_of(const CellVerdict& cell) {
  Json made{{"cell", cell.cell},
            {"standing", std::string(name_of(cell.standing))},
            {"left", json_of(cell.left)},
            {"right", cell.right ? json_of(*cell.right) : Json(nullptr)},
            {"difference", json_of(cell.difference)}};
  made["ratio"] = cell.right ? json_of(cell.ratio) : Json(nullptr);
  return made;
}

Json json_of(const ClaimVerdict& verdict) {
  Json cells = Json::array();
  for (const CellVerdict& cell : verdict.cells) cells.push_back(json_of(cell));
  return {{"says", verdict.claim->says},
          {"test", verdict.claim->test},
          {"counting", std::string(name_of(verdict.counting))},
          {"standing", std::string(name_of(verdict.standing))},
          {"origin", std::string(name_of(verdict.claim->origin))},
          {"holding", verdict.holding},
          {"open", verdict.open},
          {"cells", cells}};
}

}  // namespace

std::string json_of(const ReproducedList& list, const PageOptions& options) {
  Json results = Json::array();
  for (const auto& one : list) {
    Json claims = Json::array();
    for (const ClaimVerdict& verdict : one->verdicts) claims.push_back(json_of(verdict));
    results.push_back({{"name", one->result.name},
                       {"title", one->result.title},
                       {"source", one->result.source},
                       {"study", one->result.study},
                       {"repetitions", one->repetitions},
                       {"claims", claims}});
  }
  return scenarios::text_of(Json{{"schema", "rhizome.reproduction/1"},
                                 {"version", options.version},
                                 {"seed", options.seed},
                                 {"confidence", options.confidence},
                                 {"partial", options.partial},
                                 {"results", results}});
}

}  // namespace rhizome::tools
