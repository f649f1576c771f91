#include "tools/commands/guiding/work_costs.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>

#include <fmt/core.h>

#include "agents/work/kinds.hpp"
#include "core/child/own_folder.hpp"
#include "core/work/kind.hpp"
#include "scenarios/format/costs.hpp"
#include "scenarios/format/document.hpp"
#include "scenarios/format/value.hpp"
#include "scenarios/format/work_keys.hpp"

namespace rhizome::tools {

namespace {

using scenarios::WorkloadSection;

// A text that lives as long as it is counted.
class Text {
 public:
  Text() {
    constexpr int lines = 1 << 20;  // of 16 bytes
    std::ofstream out(name(), std::ios::binary);
    for (int i = 0; i < lines; ++i) out << "three words here";
  }
  [[nodiscard]] std::string name() const { return folder_.path() / "text"; }

 private:
  core::OwnFolder folder_;
};

// A section with these keys.
WorkloadSection section_of(const std::vector<std::pair<std::string, scenarios::Scalar>>& keys) {
  static const auto settings = scenarios::work_settings(agents::work_kinds());
  WorkloadSection section;
  for (const auto& [key, value] : keys) {
    scenarios::Entry entry;
    entry.key = key;
    entry.values = {{value, {}}};
    for (const core::Setting& setting : settings)
      if (setting.name == key) scenarios::assign_setting(setting, &section, entry);
  }
  return section;
}

std::vector<WorkCost> samples(const Text& text) {
  const auto of = [](const char* kind, const char* key, const scenarios::Scalar& value) {
    return WorkCost{.work = section_of({{"work", std::string(kind)}, {key, value}})};
  };
  std::vector<WorkCost> list;
  for (const std::int64_t order : {128, 256, 512})
    list.push_back(of("matrix", "matrix_order", order));
  for (const char* size : {"S", "W", "A"}) list.push_back(of("cg", "cg_class", std::string(size)));
  list.push_back(of("count", "count_file", text.name()));
  list.back().shown = "work = \"count\"\ncount_file = \"16 MiB\"\n";
  list.push_back(of("child", "child_program", std::string("true")));
  return list;
}

std::string lines_of(const WorkCost& cost) {
  return cost.shown.empty() ? scenarios::lines_of_work(cost.work) : cost.shown;
}

// Adds the real work of the cells, each once, unless it is among the samples.
void add_cells(std::vector<WorkCost>& list, std::span<const scenarios::Cell> cells) {
  for (const scenarios::Cell& cell : cells) {
    const WorkCost cost{.work = cell.scenario.workload};
    const std::string lines = lines_of(cost);
    if (cost.work.work != core::WorkKindId{} &&
        std::ranges::none_of(list, [&](const WorkCost& known) { return lines_of(known) == lines; }))
      list.push_back(cost);
  }
}

void measure(WorkCost& cost, const std::atomic<bool>& stop) {
  constexpr std::size_t runs = 5;
  using Clock = std::chrono::steady_clock;
  const core::WorkKinds kinds = agents::work_kinds();
  const core::Recipe recipe = core::recipe_of(kinds, cost.work.work, cost.work.work_options);
  std::vector<core::Duration> times;
  for (std::uint64_t seed = 0; seed < runs && !stop; ++seed) {
    const auto computation = core::computation_of(kinds, {.recipe = recipe, .seed = seed});
    const Clock::time_point from = Clock::now();
    computation->begin([&cost](const core::Result& result) {
      cost.right = cost.right && result.verdict == core::Result::Verdict::right;
    });
    times.emplace_back(Clock::now() - from);
  }
  std::ranges::sort(times);
  if (!times.empty()) cost.time = times[times.size() / 2];
}

std::string in_microseconds(core::Duration time) {
  return fmt::format("{:.1f}us", core::seconds(time) * 1e6);
}

}  // namespace

std::vector<WorkCost> measure_work(std::span<const scenarios::Cell> cells,
                                   const std::atomic<bool>& stop) {
  const Text text;
  std::vector<WorkCost> costs = samples(text);
  add_cells(costs, cells);
  for (WorkCost& cost : costs)
    if (!stop) measure(cost, stop);
  return costs;
}

std::string text_of(const std::vector<WorkCost>& costs) {
  std::string text =
      "Costs of real work on one processor of this machine, as [workload] keys of virtual time:\n";
  for (const WorkCost& cost : costs) {
    const std::string lines = lines_of(cost);
    for (std::size_t from = 0, until = 0; from < lines.size(); from = until + 1) {
      until = lines.find('\n', from);
      text += fmt::format("{:<24} ", lines.substr(from, until - from));
    }
    text += fmt::format("portion_time = \"{:.2f}ms\"{}\n", core::seconds(cost.time) * 1e3,
                        cost.right ? "" : "  # computed wrongly");
  }
  return text;
}

std::string costs_file(const core::CostModel& events, const std::vector<WorkCost>& works) {
  std::string text =
      "# What events, and real work on one processor, cost on a machine, as `rhizome doctor\n"
      "# --calibrate` measured it. A scenario beside it takes it by costs = \"NAME OF THIS "
      "FILE\".\n"
      "\n[engine]\n";
  text +=
      fmt::format("handling = \"{}\"\nwake_up = \"{}\"\ncores = {}\n",
                  in_microseconds(events.handling), in_microseconds(events.wake_up), events.cores);
  for (const WorkCost& cost : works)
    if (cost.shown.empty() && cost.right)
      text += "\n[[work]]\n" + lines_of(cost) + "time = \"" + in_microseconds(cost.time) + "\"\n";
  return text;
}

}  // namespace rhizome::tools
