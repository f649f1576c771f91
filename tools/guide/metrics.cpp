#include "tools/guide/guide.hpp"

#include "tools/cli/command.hpp"
#include "tools/compare/wording.hpp"
#include "tools/markup/markdown.hpp"

namespace rhizome::tools {

using scenarios::Better;
using scenarios::Json;
using scenarios::Metric;

namespace {

std::string direction_of(const Metric& metric) {
  return metric.better == Better::neither ? "neither way is better"
                                          : std::string(name_of(metric.better)) + " is better";
}

}  // namespace

std::string text_of(const Metric& metric) {
  const std::string unit = metric.unit.empty() ? "a plain number" : "in " + metric.unit;
  std::string text = "  " + metric.name + "  (" + unit + "; " + direction_of(metric) + ")\n";
  return text + paragraph(metric.meaning, guide_columns, "      ");
}

std::string markdown_row_of(const Metric& metric) {
  return markdown_row({"`" + metric.name + "`", metric.unit.empty() ? "1" : metric.unit,
                       std::string(name_of(metric.better)), metric.meaning});
}

Json data_of(const Metric& metric) {
  return {{"name", metric.name},
          {"unit", metric.unit},
          {"better", name_of(metric.better)},
          {"meaning", metric.meaning}};
}

const Metric& metric_called(const std::string& name) {
  if (const Metric* metric = scenarios::find_metric(name)) return *metric;
  throw UsageError(scenarios::no_metric(name));
}

}  // namespace rhizome::tools
