#include "scenarios/tournament/archive.hpp"

#include <array>
#include <cstdio>

#include "scenarios/experiment/world.hpp"
#include "scenarios/format/effective.hpp"
#include "scenarios/input_error.hpp"
#include "scenarios/json.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "scenarios/store/store.hpp"

namespace rhizome::scenarios {

namespace {

// FNV-1a: names of files are short, and nobody forges them.
std::string hashed(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
  return digits.data();
}

// All that a run depends on, save its repetition.
std::string fingerprint(const Cell& cell, std::size_t scheduler) {
  Scenario scenario = cell.scenario;
  scenario.schedulers = {cell.scenario.schedulers[scheduler]};
  scenario.run.repetitions = 1;
  scenario.claims.clear();
  return hashed(std::string(RHIZOME_VERSION) + "\n" + effective_toml(scenario));
}

}  // namespace

Archive::Archive(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    try {
      take(line);
    } catch (const Json::exception&) {
      throw InputError(file.string(), number, 1, "this line is no kept run of a tournament");
    }
  }
  in.close();
  out_.open(file, std::ios::binary | std::ios::app);
  if (!out_) throw CannotWrite("cannot write " + file.string());
}

void Archive::take(const std::string& line) {
  const Json json = Json::parse(line);
  Kept kept{.ending = static_cast<core::Ending>(json.at("ending").get<int>()),
            .validity = static_cast<Validity::Level>(json.at("validity").get<int>()),
            .violations = json.at("violations"),
            .unfinished = json.at("unfinished"),
            .seed = json.at("seed"),
            .values = {}};
  for (const auto& [name, value] : json.at("values").items())
    kept.values[name] = value.is_null() ? 0 : value.get<double>();
  kept_[{json.at("run"), json.at("repetition")}] = std::move(kept);
}

std::vector<RunFigures> Archive::find(const Cell& cell, std::size_t scheduler) const {
  std::vector<RunFigures> runs;
  const std::string key = fingerprint(cell, scheduler);
  const SchedulerChoice& choice = cell.scenario.schedulers[scheduler];
  for (std::uint32_t r = 0; kept_.contains({key, r}); ++r) {
    const Kept& kept = kept_.at({key, r});
    RunFigures run{.identity = {.scenario = cell.scenario.name,
                                .cell = cell.assignments,
                                .scheduler = std::string(choice.scheduler->name),
                                .label = choice.label,
                                .engine = {},
                                .seed = kept.seed,
                                .repetition = r},
                   .origin = {},
                   .ending = kept.ending,
                   .validity = {.level = kept.validity},
                   .violations = kept.violations,
                   .unfinished = kept.unfinished,
                   .values = {}};
    for (const Metric& metric : metrics()) {
      const auto value = kept.values.find(metric.name);
      run.values.push_back(value == kept.values.end() ? 0 : value->second);
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

void Archive::add(const Cell& cell, std::size_t scheduler, const RunFigures& run) {
  Json values = Json::object();
  for (std::size_t i = 0; i < run.values.size(); ++i) values[metrics()[i].name] = run.values[i];
  const Json json{{"run", fingerprint(cell, scheduler)},
                  {"scenario", run.identity.scenario},
                  {"label", run.identity.label},
                  {"repetition", run.identity.repetition},
                  {"seed", run.identity.seed},
                  {"ending", static_cast<int>(run.ending)},
                  {"validity", static_cast<int>(run.validity.level)},
                  {"violations", run.violations},
                  {"unfinished", run.unfinished},
                  {"values", std::move(values)}};
  out_ << json.dump() << std::endl;
}

}  // namespace rhizome::scenarios
