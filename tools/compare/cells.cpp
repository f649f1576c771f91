#include "tools/compare/figures.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "scenarios/text/input_error.hpp"

namespace rhizome::tools {

namespace {

using Choices = std::vector<std::pair<std::string, std::string>>;

// Of runs, each of which may stand for all cells of a sweep.
constexpr std::size_t most_bytes = std::size_t{128} << 20U;

// Of texts of cells that are compared to find the runs of each.
constexpr std::size_t most_comparisons = 20'000'000;

// About how much memory a copy in that cell takes.
std::size_t weight_of(const RunFigures& run, const Choices& cell) {
  std::size_t bytes = sizeof(RunFigures) + run.values.size() * sizeof(double);
  for (const std::string* text :
       {&run.identity.scenario, &run.identity.label, &run.origin, &run.validity.reason,
        &run.validity.remedy, &run.failure, &run.steered_as})
    bytes += text->size();
  for (const Judged& judged : run.judged) bytes += sizeof(Judged) + judged.invariant.size();
  for (const auto& choice : cell)
    bytes += sizeof(choice) + choice.first.size() + choice.second.size();
  return bytes;
}

// A key of the sweep, with its values in the order in which runs had them.
struct Axis {
  std::string key;
  std::vector<std::string> values;
};

std::vector<Axis> axes_of(const std::vector<const RunFigures*>& runs) {
  std::vector<Axis> axes;
  std::map<std::string, std::size_t> places;
  std::set<std::pair<std::size_t, std::string>> known;
  for (const RunFigures* run : runs)
    for (const auto& [key, value] : run->identity.cell) {
      const auto place = places.emplace(key, axes.size());
      if (place.second) axes.push_back({key, {}});
      const std::size_t axis = place.first->second;
      if (known.emplace(axis, value).second) axes[axis].values.push_back(value);
    }
  return axes;
}

std::set<std::string> keys_of(const Choices& choices) {
  std::set<std::string> keys;
  for (const auto& [key, value] : choices) keys.insert(key);
  return keys;
}

// The runs of one source.
class Matrix {
 public:
  explicit Matrix(std::vector<const RunFigures*> runs)
      : runs_(std::move(runs)), axes_(axes_of(runs_)) {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const Identity& identity = runs_[i]->identity;
      Choices part = identity.cell;
      std::ranges::sort(part);
      kinds_.insert(keys_of(part));
      keys_by_label_[identity.label].insert(keys_of(part));
      found_[part].push_back(i);
      ranks_.emplace(identity.label, ranks_.size());
    }
    std::map<std::string, std::size_t> axis_of;
    for (std::size_t i = 0; i < axes_.size(); ++i) axis_of[axes_[i].key] = i;
    for (const auto& keys : kinds_) {
      places_.emplace_back();
      for (const std::string& key : keys) places_.back().push_back(axis_of.at(key));
    }
  }

  void add_to(std::vector<RunFigures>& all) const {
    if (kinds_.size() <= 1 || several_sweeps()) {
      for (const RunFigures* run : runs_) all.push_back(*run);
      return;
    }
    std::size_t bytes = 0;
    std::size_t keys = 0;
    for (const auto& kind : places_) keys += 1 + kind.size();
    if (keys > most_comparisons / cells()) refuse();
    each_in_cells([&](const RunFigures& run, const Choices& cell) {
      if ((bytes += weight_of(run, cell)) > most_bytes) refuse();
    });
    each_in_cells([&](const RunFigures& run, const Choices& cell) {
      all.push_back(run);
      all.back().identity.cell = cell;
    });
  }

 private:
  // Calls visit(run, cell) for each run in each cell for which it stands. The last key varies
  // fastest, as in the sweep.
  template <class Visit>
  void each_in_cells(Visit visit) const {
    Choices cell;
    each_below(cell, visit);
  }
  template <class Visit>
  void each_below(Choices& cell, Visit& visit) const {
    if (cell.size() == axes_.size()) return each_in(cell, visit);
    const Axis& axis = axes_[cell.size()];
    for (const std::string& value : axis.values) {
      cell.emplace_back(axis.key, value);
      each_below(cell, visit);
      cell.pop_back();
    }
  }
  template <class Visit>
  void each_in(const Choices& cell, Visit& visit) const {
    std::vector<std::pair<std::size_t, std::size_t>> members;  // by label, then by run
    std::vector<bool> concerned(axes_.size());
    for (const std::vector<std::size_t>& places : places_) {
      Choices part;
      for (const std::size_t place : places) part.push_back(cell[place]);
      const auto found = found_.find(part);
      if (found == found_.end()) continue;
      for (const std::size_t place : places) concerned[place] = true;
      for (const std::size_t i : found->second) members.emplace_back(label_rank(i), i);
    }
    if (std::ranges::count(concerned, false) > 0) return;
    std::ranges::sort(members);
    for (const auto& [rank, i] : members) visit(*runs_[i], cell);
  }
  [[noreturn]] void refuse() const {
    throw scenarios::UnreadableFile(fmt::format(
        "{}: in the {} cells that its values span, its runs and their figures take more than {} "
        "MiB or {} comparisons: that is too much",
        runs_.front()->origin.empty() ? "the sweep" : runs_.front()->origin, cells(),
        most_bytes >> 20U, most_comparisons));
  }
  [[nodiscard]] std::size_t cells() const {
    std::size_t cells = 1;
    for (const Axis& axis : axes_) cells *= axis.values.size();
    return cells;
  }
  // Within one sweep, all runs of a scheduler have the same keys.
  [[nodiscard]] bool several_sweeps() const {
    return std::ranges::any_of(keys_by_label_, [](const auto& of) { return of.second.size() > 1; });
  }
  [[nodiscard]] std::size_t label_rank(std::size_t run) const {
    return ranks_.at(runs_[run]->identity.label);
  }

  std::vector<const RunFigures*> runs_;
  std::vector<Axis> axes_;
  std::set<std::set<std::string>> kinds_;         // the sets of keys that runs have
  std::vector<std::vector<std::size_t>> places_;  // of these keys among the axes, kind by kind
  std::map<std::string, std::set<std::set<std::string>>> keys_by_label_;
  std::map<Choices, std::vector<std::size_t>> found_;  // runs by their assignments
  std::map<std::string, std::size_t> ranks_;           // of labels, by their first run
};

}  // namespace

std::vector<RunFigures> in_every_cell(std::span<const RunFigures> runs) {
  std::vector<std::pair<std::string, std::vector<const RunFigures*>>> sources;
  for (const RunFigures& run : runs) {
    auto source =
        std::ranges::find_if(sources, [&](const auto& known) { return known.first == run.origin; });
    if (source == sources.end()) source = sources.insert(sources.end(), {run.origin, {}});
    source->second.push_back(&run);
  }
  std::vector<RunFigures> all;
  for (auto& [origin, list] : sources) Matrix(std::move(list)).add_to(all);
  return all;
}

}  // namespace rhizome::tools
