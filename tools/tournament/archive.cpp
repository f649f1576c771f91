#include "tools/tournament/archive.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "core/peer/rng.hpp"
#include "scenarios/experiment/replay.hpp"
#include "scenarios/format/effective.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "scenarios/store/record.hpp"
#include "scenarios/store/store.hpp"
#include "scenarios/text/counted.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/json.hpp"

namespace rhizome::tools {

namespace {

// The beginning of every line of an archive.
constexpr std::string_view beginning = "{\"run\":\"";
constexpr std::size_t most_bytes = std::size_t{256} << 20U;  // some 80,000 runs

std::string hashed(std::string_view text) {
  return fmt::format("{:016x}", core::derive_seed({}, text));
}

// The contents of the files that the scenario reads, and of programs that its commands name.
std::string fingerprints_of_files(const Cell& cell) {
  std::string all;
  const scenarios::Replay replay = scenarios::replay_of({&cell, 1});
  for (const auto* files : {&replay.read, &replay.programs})
    for (const scenarios::FileRead& file : *files) all += " " + file.fingerprint;
  return all;
}

}  // namespace

// Another build may run otherwise, whatever its version.
std::string Archive::fingerprint(const Cell& cell, std::size_t scheduler) const {
  Cell one = cell;
  one.scenario.schedulers = {cell.scenario.schedulers[scheduler]};
  one.scenario.run.repetitions = 1;
  one.scenario.engine.at_once = 0;
  one.scenario.claims.clear();
  const std::string text = scenarios::this_program() + effective_toml(one.scenario);
  const auto [known, is_new] = files_.try_emplace(text);
  if (is_new) known->second = fingerprints_of_files(one);
  return hashed(text + known->second);
}

Archive::Archive(const std::filesystem::path& named)
    : lines_(named, scenarios::OwnLines::Begin::kept), name_(named.string()) {
  read();
}

void Archive::read() {
  const std::optional<std::string> kept = lines_.text(most_bytes);
  if (!kept) throw scenarios::UnreadableFile(name_ + ": is larger than what a tournament keeps");
  const std::string& text = *kept;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    ++number;
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    if (end == text.size() && line.starts_with(beginning)) {
      if (!lines_.cut(begin)) throw CannotWrite("cannot write " + name_);
      return;
    }
    begin = end + 1;
    try {
      take(line);
    } catch (const JsonError&) {
      throw InputError(name_, number, 1, "this line is no kept run of a tournament");
    }
  }
}

// An enumerator by its number, which the file may not have from this program.
template <class Enum>
Enum enumerator_in(const Json& json) {
  const auto number = json.get<double>();
  if (!(number >= 0 && number <= static_cast<double>(Enum::last)))
    throw JsonError("there is no such number");
  return static_cast<Enum>(static_cast<int>(number));
}

// A run with a figure that is no number is not worth keeping.
void Archive::take(const std::string& line) {
  const std::optional<Json> parsed = parse_json(line);
  if (!parsed) throw JsonError("this line is no JSON");
  const Json& json = *parsed;
  Kept kept{.ending = enumerator_in<core::Ending>(json.at("ending")),
            .validity = enumerator_in<Validity::Level>(json.at("validity")),
            .violations = json.at("violations").get<std::size_t>(),
            .unfinished = json.at("unfinished").get<std::size_t>(),
            .seed = json.at("seed").get<std::uint64_t>()};
  for (const auto& [name, value] : json.at("values").members())
    kept.values[name] = value.is_number() ? value.get<double>() : not_applicable;
  for (const Metric& metric : metrics())
    if (!kept.values.contains(metric.name)) return;
  kept_[{json.at("run").get<std::string>(), scenarios::repetition_in(json)}] = std::move(kept);
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
                                .seed = kept.seed,
                                .repetition = r},
                   .ending = kept.ending,
                   .validity = {.level = kept.validity},
                   .violations = kept.violations,
                   .unfinished = kept.unfinished};
    for (const Metric& metric : metrics()) run.values.push_back(kept.values.at(metric.name));
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
                  {"repetition", run.identity.repetition + 1},
                  {"seed", run.identity.seed},
                  {"ending", static_cast<int>(run.ending)},
                  {"validity", static_cast<int>(run.validity.level)},
                  {"violations", run.violations},
                  {"unfinished", run.unfinished},
                  {"values", std::move(values)}};
  if (!lines_.add(line_of(json) + "\n")) throw CannotWrite("cannot write " + name_);
}

}  // namespace rhizome::tools
