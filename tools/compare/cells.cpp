#include "tools/compare/figures.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "scenarios/text/input_error.hpp"

namespace rhizome::tools {

namespace {

// Of runs, each of which may stand for all cells of a sweep.
constexpr std::size_t most_bytes = std::size_t{128} << 20U;

// About how much memory a copy takes.
std::size_t weight_of(const RunFigures& run) {
  std::size_t bytes = sizeof(RunFigures) + run.values.size() * sizeof(double);
  for (const std::string* text :
       {&run.identity.scenario, &run.identity.label, &run.origin, &run.validity.reason,
        &run.validity.remedy, &run.failure, &run.steered_as})
    bytes += text->size();
  for (const Judged& judged : run.judged) bytes += sizeof(Judged) + judged.invariant.size();
  for (const auto& choice : run.identity.cell)
    bytes += sizeof(choice) + choice.first.size() + choice.second.size();
  return bytes;
}

using Choices = std::vector<std::pair<std::string, std::string>>;

// A key of the sweep, with its values in the order in which runs had them.
struct Axis {
  std::string key;
  std::vector<std::string> values;
};

template <class List>
bool holds(const List& list, const typename List::value_type& value) {
  return std::ranges::find(list, value) != list.end();
}

std::vector<Axis> axes_of(const std::vector<const RunFigures*>& runs) {
  std::vector<Axis> axes;
  for (const RunFigures* run : runs)
    for (const auto& [key, value] : run->identity.cell) {
      auto axis = std::ranges::find_if(axes, [&](const Axis& known) { return known.key == key; });
      if (axis == axes.end()) axis = axes.insert(axes.end(), {key, {}});
      if (!holds(axis->values, value)) axis->values.push_back(value);
    }
  return axes;
}

std::set<std::string> keys_of(const Choices& choices) {
  std::set<std::string> keys;
  for (const auto& [key, value] : choices) keys.insert(key);
  return keys;
}

// The assignments of a cell for these keys, sorted by key.
Choices part_of(const Choices& cell, const std::set<std::string>& keys) {
  Choices part;
  for (const auto& choice : cell)
    if (keys.contains(choice.first)) part.push_back(choice);
  std::ranges::sort(part);
  return part;
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
      if (!holds(labels_, identity.label)) labels_.push_back(identity.label);
    }
  }

  void add_to(std::vector<RunFigures>& all) const {
    if (kinds_.size() <= 1 || several_sweeps()) {
      for (const RunFigures* run : runs_) all.push_back(*run);
      return;
    }
    std::size_t bytes = 0;
    each_in_cells([&](const RunFigures& run, const Choices&) { check(bytes += weight_of(run)); });
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
    std::set<std::string> concerned;
    for (const auto& keys : kinds_) {
      const auto found = found_.find(part_of(cell, keys));
      if (found == found_.end()) continue;
      concerned.insert(keys.begin(), keys.end());
      for (const std::size_t i : found->second) members.emplace_back(label_rank(i), i);
    }
    if (concerned.size() < axes_.size()) return;
    std::ranges::sort(members);
    for (const auto& [rank, i] : members) visit(*runs_[i], cell);
  }
  void check(std::size_t bytes) const {
    if (bytes <= most_bytes) return;
    throw scenarios::UnreadableFile(fmt::format(
        "{}: in the {} cells that its values span, the figures of its runs take more than {} MiB: "
        "that is too much to compare",
        runs_.front()->origin.empty() ? "the sweep" : runs_.front()->origin, cells(),
        most_bytes >> 20U));
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
    return static_cast<std::size_t>(std::ranges::find(labels_, runs_[run]->identity.label) -
                                    labels_.begin());
  }

  std::vector<const RunFigures*> runs_;
  std::vector<Axis> axes_;
  std::set<std::set<std::string>> kinds_;  // the sets of keys that runs have
  std::map<std::string, std::set<std::set<std::string>>> keys_by_label_;
  std::map<Choices, std::vector<std::size_t>> found_;  // runs by their assignments
  std::vector<std::string> labels_;                    // in order of their first run
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
