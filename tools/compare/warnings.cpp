#include "tools/compare/warnings.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include "scenarios/text/plain_text.hpp"

namespace rhizome::tools {

namespace {

std::string count_text(std::size_t count, std::size_t all) {
  return std::to_string(count) + " of " + std::to_string(all) + " runs";
}

// Reasons that differ in numbers alone, such as that of a peer, are alike.
std::string without_numbers(std::string text) {
  std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
  return text;
}

// "organic-grid: 2 of 3 runs failed: the root is out of reach (repetitions 1, 3)".
void warn_of_failures(const Side& side, std::vector<std::string>& warnings) {
  struct Alike {
    std::string first;
    std::vector<std::string> repetitions;
  };
  std::map<std::string, Alike> reasons;
  for (const FailedRun& run : side.failed) {
    const std::string reason = scenarios::first_line(run.reason);
    Alike& alike = reasons.try_emplace(without_numbers(reason), Alike{reason, {}}).first->second;
    alike.repetitions.push_back(std::to_string(run.repetition + 1));
  }
  for (const auto& [kind, alike] : reasons) {
    const auto& [reason, repetitions] = alike;
    std::string list;
    for (const std::string& repetition : repetitions)
      list += (list.empty() ? "" : ", ") + repetition;
    warnings.push_back(side.name + ": " + count_text(repetitions.size(), side.runs) +
                       " failed: " + reason +
                       (repetitions.size() == 1 ? " (repetition " : " (repetitions ") + list + ")");
  }
}

// Warns that the runs were selected by validity: the reader must know.
void warn_of_choice(const Side& side, std::vector<std::string>& warnings) {
  if (side.repeated == 0) return;
  warnings.push_back(fmt::format(
      "{}: {} invalid {} put aside and done again (--retry), so what is left is chosen by validity",
      side.name, side.repeated, side.repeated == 1 ? "run was" : "runs were"));
}

void warn_of_steering(const Side& side, std::vector<std::string>& warnings) {
  if (side.steered == 0) return;
  std::string text = side.name + ": " + count_text(side.steered, side.runs) +
                     " steered by hand: faults befell it that its scenario does not have";
  if (!side.steered_as.empty())
    text += fmt::format("; {} does the same again", fmt::join(side.steered_as, ", "));
  warnings.push_back(std::move(text));
}

void warn_of_side(const Side& side, std::vector<std::string>& warnings) {
  const auto warn = [&](std::size_t count, const char* what) {
    if (count > 0) warnings.push_back(side.name + ": " + count_text(count, side.runs) + " " + what);
  };
  warn(side.invalid, "invalid, so times prove nothing");
  warn(side.suspect, "suspect: the machine barely kept up");
  warn(side.lost,
       "lost a process: what its peers sent and did is not counted, so no side is better or worse");
  warn_of_steering(side, warnings);
  warn_of_choice(side, warnings);
  warn_of_failures(side, warnings);
  warn(side.unfinished, "did not complete every task, so no side is better or worse");
  warn(side.violated, "broke an invariant");
}

// Warns about the worst run, with its reason and remedy.
void warn_of_validity(const Runs& runs, std::vector<std::string>& warnings) {
  const auto worst = std::ranges::max_element(runs, [](const auto* a, const auto* b) {
    return std::pair(a->validity.level, a->validity.worst_lag) <
           std::pair(b->validity.level, b->validity.worst_lag);
  });
  if (worst == runs.end() || (*worst)->validity.level == Validity::Level::valid) return;
  warnings.push_back((*worst)->identity.label + ": " + (*worst)->validity.reason + "; " +
                     (*worst)->validity.remedy);
}

// A multiset, because a run on threads may be repeated with the same seed.
std::multiset<std::uint64_t> seeds_of(const Runs& runs) {
  std::multiset<std::uint64_t> seeds;
  for (const RunFigures* run : runs) seeds.insert(run->identity.seed);
  return seeds;
}

void warn_of_seeds(const Runs& first, const Runs& side, const std::string& name, bool paired,
                   std::vector<std::string>& warnings) {
  if (std::min(first.size(), side.size()) < 2 || seeds_of(first) == seeds_of(side)) return;
  warnings.push_back(name + (paired ? ": only the runs whose seeds both sides have are paired"
                                    : ": the sides have no seeds in common, so Welch's unpaired "
                                      "test is used"));
}

}  // namespace

bool same_time(const Runs& first, const Runs& side) {
  const Duration time = first.front()->open_for;
  const auto has_it = [time](const RunFigures* run) { return run->open_for == time; };
  return std::ranges::all_of(first, has_it) && std::ranges::all_of(side, has_it);
}

void add_warnings(Comparison& comparison, const Parts& parts) {
  std::vector<std::string>& warnings = comparison.warnings;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    warn_of_side(comparison.sides[i], warnings);
    warn_of_validity(parts[i].second, warnings);
    if (i > 0 && !same_time(parts[0].second, parts[i].second))
      warnings.push_back(parts[i].first + ": open runs are compared with those of their duration");
    if (i > 0)
      warn_of_seeds(parts[0].second, parts[i].second, parts[i].first,
                    comparison.rows.front().versus[i].paired, warnings);
  }
  const auto few = [](const Side& side) { return side.runs < 2; };
  if (std::ranges::any_of(comparison.sides, few))
    warnings.emplace_back("a single run says nothing about chance: repeat it to get intervals");
}

}  // namespace rhizome::tools
