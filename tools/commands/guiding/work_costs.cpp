#include "tools/commands/guiding/work_costs.hpp"

#include <algorithm>
#include <any>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <variant>

#include <fmt/core.h>
#include <unistd.h>

#include "agents/work/kinds.hpp"
#include "core/work/kind.hpp"
#include "scenarios/format/document.hpp"

namespace rhizome::tools {

namespace {

struct Sample {
  std::string kind;
  std::string setting;
  scenarios::Scalar value;
  std::string shown{};  // instead of it
};

// A text that lives as long as it is counted.
class Text {
 public:
  Text()
      : path_(std::filesystem::temp_directory_path() /
              ("rhizome_count_" + std::to_string(getpid()))) {
    constexpr int lines = 1 << 20;  // of 16 bytes
    std::ofstream out(path_, std::ios::binary);
    for (int i = 0; i < lines; ++i) out << "three words here";
  }
  ~Text() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  [[nodiscard]] std::string name() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::vector<Sample> samples(const Text& text) {
  std::vector<Sample> list;
  for (const std::int64_t order : {128, 256, 512}) list.push_back({"matrix", "order", order});
  for (const char* size : {"S", "W", "A"}) list.push_back({"cg", "class", std::string(size)});
  list.push_back({"count", "file", text.name(), "\"16 MiB\""});
  list.push_back({"child", "program", std::string("true")});
  return list;
}

core::Recipe recipe_of(const Sample& sample) {
  const core::WorkKinds kinds = agents::work_kinds();
  const auto at = static_cast<std::size_t>(
      std::find_if(kinds.begin(), kinds.end(),
                   [&](const core::WorkKind& kind) { return kind.name == sample.kind; }) -
      kinds.begin());
  std::vector<std::any> options(kinds.size());
  options[at] = kinds[at].defaults();
  for (const core::Setting& setting : kinds[at].settings)
    if (setting.name == sample.setting)
      std::visit([&](const auto& value) { setting.assign(kinds[at].address(options[at]), value); },
                 sample.value);
  return core::recipe_of(kinds, static_cast<core::WorkKindId>(at), options);
}

WorkCost measure(const Sample& sample, const std::atomic<bool>& stop) {
  constexpr std::size_t runs = 5;
  using Clock = std::chrono::steady_clock;
  WorkCost cost{
      .keys = {"work = \"" + sample.kind + "\"",
               sample.kind + "_" + sample.setting + " = " +
                   (sample.shown.empty() ? scenarios::toml_text(sample.value) : sample.shown)}};
  const core::Recipe recipe = recipe_of(sample);
  std::vector<core::Duration> times;
  for (std::uint64_t seed = 0; seed < runs && !stop; ++seed) {
    const auto computation =
        core::computation_of(agents::work_kinds(), {.recipe = recipe, .seed = seed});
    const Clock::time_point from = Clock::now();
    computation->begin([&cost](const core::Result& result) {
      cost.right = cost.right && result.verdict == core::Result::Verdict::right;
    });
    times.emplace_back(Clock::now() - from);
  }
  std::sort(times.begin(), times.end());
  if (!times.empty()) cost.time = times[times.size() / 2];
  return cost;
}

}  // namespace

std::vector<WorkCost> measure_work(const std::atomic<bool>& stop) {
  const Text text;
  std::vector<WorkCost> costs;
  for (const Sample& sample : samples(text))
    if (!stop) costs.push_back(measure(sample, stop));
  return costs;
}

std::string text_of(const std::vector<WorkCost>& costs) {
  std::string text =
      "Costs of real work on one processor of this machine, as [workload] keys of virtual time:\n";
  for (const WorkCost& cost : costs) {
    for (const std::string& key : cost.keys) text += fmt::format("{:<24} ", key);
    text += fmt::format("portion_time = \"{:.2f}ms\"{}\n", core::seconds(cost.time) * 1e3,
                        cost.right ? "" : "  # computed wrongly");
  }
  return text;
}

}  // namespace rhizome::tools
