#include "tools/sweep/words.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scenarios/text/option_path.hpp"
#include "tools/compare/wording.hpp"

namespace rhizome::tools {

namespace {

using Values = std::vector<std::string>;

// A longer list would hide its subject; the table marks the settings.
constexpr std::size_t most_named = 5;

bool holds(const std::vector<std::size_t>& list, std::size_t one) {
  return std::ranges::find(list, one) != list.end();
}

FittingUnit unit_of(const Sweep& sweep) {
  double largest = 0;
  for (const SweepSide& side : sweep.sides)
    for (const SweepPoint& point : side.points)
      if (point.mean.exists()) largest = std::max(largest, std::fabs(point.mean.value));
  return fitting_unit(sweep.metric->unit, largest);
}

std::string mean_of(const Sweep& sweep, const SweepPoint& point) {
  return mean_text(in_unit(point.mean, unit_of(sweep)));
}

std::string figure_of(const Sweep& sweep, const SweepSide& side, std::size_t point) {
  return mean_of(sweep, side.points[point]) + mark_of(side, point);
}

// "max_children=5 burst=2": the values of the requested keys.
std::string setting_text(const Sweep& sweep, const SweepSide& side, std::size_t point,
                         const std::vector<std::size_t>& keys) {
  std::string text;
  for (std::size_t k = 0; k < side.keys.size(); ++k) {
    if (!holds(keys, side.keys[k])) continue;
    const std::string& path = sweep.keys[side.keys[k]];
    const bool own = scenarios::option_path(path).has_value();
    const std::string key = own ? path.substr(path.rfind('.') + 1) : path;
    text += (text.empty() ? "" : " ") + key + "=" + side.points[point].values[k];
  }
  return text;
}

// Whether they are equal to the last digit: what was swept had no effect on this metric.
bool are_equal(const SweepSide& side, const std::vector<std::size_t>& points) {
  return points.size() > 1 && std::ranges::all_of(points, [&](std::size_t i) {
           return side.points[i].mean == side.points[points.front()].mean;
         });
}

// The first figure of a scheduler with these values; nothing where it never ran so.
std::string figure_at(const Sweep& sweep, const SweepSide& side, const Values& values) {
  for (std::size_t i = 0; i < side.points.size(); ++i)
    if (side.points[i].values == values) return figure_of(sweep, side, i);
  return {};
}

using SideList = std::vector<const SweepSide*>;

SweepTable rows_table(const Sweep& sweep, const SideList& sides, const SideList& any) {
  const std::vector<std::size_t>& keys = sides.front()->keys;
  SweepTable table{.rows = {{}}, .keys = keys.size()};
  for (const std::size_t key : keys) table.rows[0].emplace_back(shown_key(sweep.keys[key]));
  for (const SweepSide* side : sides) table.rows[0].push_back(side->label);
  for (const SweepSide* side : any) table.rows[0].push_back(side->label);
  for (const SweepPoint& point : sides.front()->points) {
    table.rows.push_back(point.values);
    for (const SweepSide* side : sides)
      table.rows.back().push_back(figure_at(sweep, *side, point.values));
    table.rows.back().resize(table.rows[0].size());
  }
  if (any.empty()) return table;
  table.rows.push_back({"any"});
  table.rows.back().resize(keys.size() + sides.size());
  for (const SweepSide* side : any) table.rows.back().push_back(figure_of(sweep, *side, 0));
  return table;
}

// The values of one key, in the order of their first appearance.
Values axis_of(const SweepSide& side, std::size_t position) {
  Values values;
  for (const SweepPoint& point : side.points)
    if (std::ranges::find(values, point.values[position]) == values.end())
      values.push_back(point.values[position]);
  return values;
}

SweepTable grid_of(const Sweep& sweep, const SweepSide& side) {
  const std::string across(shown_key(sweep.keys[side.keys[1]]));
  SweepTable table{.title = side.label + ", " + across + " from left to right",
                   .rows = {{std::string(shown_key(sweep.keys[side.keys[0]]))}}};
  const Values columns = axis_of(side, 1);
  table.rows[0].insert(table.rows[0].end(), columns.begin(), columns.end());
  for (const std::string& down : axis_of(side, 0)) {
    table.rows.push_back({down});
    for (const std::string& column : columns)
      table.rows.back().push_back(figure_at(sweep, side, {down, column}));
  }
  return table;
}

std::string list_of(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : (i + 1 == words.size() ? " and " : ", ")) + words[i];
  return text;
}

std::vector<std::size_t> keys_beside(const SweepSide& side) {
  std::vector<std::size_t> keys;
  for (const std::size_t key : side.keys)
    if (!holds(side.chosen, key)) keys.push_back(key);
  return keys;
}

// ", with workload.jobs=200": nothing where one choice is all there is.
std::string condition_text(const Sweep& sweep, const SweepSide& side, const SweepChoice& choice) {
  if (side.choices.size() < 2) return {};
  return ", with " + setting_text(sweep, side, choice.candidates.front(), keys_beside(side));
}

std::string rest_text(const Sweep& sweep, const SweepSide& side, const SweepChoice& choice,
                      const std::vector<std::size_t>& keys) {
  std::vector<std::string> alike;
  for (const std::size_t i : choice.alike) alike.push_back(setting_text(sweep, side, i, keys));
  const std::size_t unsound = static_cast<std::size_t>(std::ranges::count_if(
      choice.candidates, [&](std::size_t i) { return !side.points[i].sound; }));
  std::string text;
  const std::size_t compared = choice.candidates.size() - unsound - choice.incomparable;
  if (side.points[*choice.best].runs < 2) {
    text = "; a single run has no interval";
  } else if (compared < 2) {
    text = "; no other setting can be compared with it";
  } else if (alike.empty()) {
    text = "; every other setting is worse";
  } else if (alike.size() + 1 == compared) {
    text = "; no other setting is distinguishable from it";
  } else if (alike.size() > most_named) {
    text = "; " + std::to_string(alike.size()) + " others are not distinguishable from it (~)";
  } else {
    text = "; not distinguishable from it: " + list_of(alike);
  }
  if (unsound > 0)
    text += "; " + std::to_string(unsound) + " with unsound runs (!) " +
            (unsound == 1 ? "is" : "are") + " left out";
  if (choice.incomparable > 0)
    text += "; " + std::to_string(choice.incomparable) +
            (choice.incomparable == 1 ? " is" : " are") +
            " left out, since the metric does not apply or they last differently";
  return text;
}

std::string sentence_on(const Sweep& sweep, const SweepSide& side, const SweepChoice& choice) {
  const std::string who = side.label + condition_text(sweep, side, choice) + ": ";
  if (!choice.best) return who + "no setting is best, as none has sound runs to which it applies.";
  if (are_equal(side, choice.candidates))
    return who + "every setting gives exactly " + mean_of(sweep, side.points[*choice.best]) + ".";
  return who + "best is " + setting_text(sweep, side, *choice.best, side.chosen) + " (" +
         mean_of(sweep, side.points[*choice.best]) + ")" +
         rest_text(sweep, side, choice, side.chosen) + ".";
}

// For a key that nobody chooses: the range of the metric. Empty for fewer than two settings.
std::string range_text(const Sweep& sweep, const SweepSide& side) {
  std::vector<std::size_t> known;
  for (std::size_t i = 0; i < side.points.size(); ++i)
    if (side.points[i].mean.exists()) known.push_back(i);
  if (known.size() < 2) return {};
  if (are_equal(side, known))
    return side.label + ": every setting gives exactly " +
           mean_of(sweep, side.points[known.front()]) + ".";
  const auto [least, most] =
      std::ranges::minmax_element(known, [&side](std::size_t a, std::size_t b) {
        return side.points[a].mean.value < side.points[b].mean.value;
      });
  const auto told = [&](std::size_t point) {
    return figure_of(sweep, side, point) + " at " + setting_text(sweep, side, point, side.keys);
  };
  return side.label + ": least " + told(*least) + ", most " + told(*most) + ".";
}

}  // namespace

std::string mark_of(const SweepSide& side, std::size_t point) {
  if (!side.points[point].sound) return " !";
  for (const SweepChoice& choice : side.choices) {
    if (choice.best == point) return " *";
    if (holds(choice.alike, point)) return " ~";
  }
  return {};
}

std::vector<SweepTable> tables_of(const Sweep& sweep) {
  std::vector<std::pair<std::vector<std::size_t>, SideList>> groups;
  SideList any;
  for (const SweepSide& side : sweep.sides) {
    if (side.keys.empty()) {
      any.push_back(&side);
      continue;
    }
    auto group =
        std::ranges::find_if(groups, [&](const auto& known) { return known.first == side.keys; });
    if (group == groups.end()) group = groups.insert(groups.end(), {side.keys, {}});
    group->second.push_back(&side);
  }
  std::vector<SweepTable> tables;
  for (const auto& [keys, sides] : groups) {
    if (keys.size() == 2) {
      for (const SweepSide* side : sides) tables.push_back(grid_of(sweep, *side));
    } else {
      tables.push_back(rows_table(sweep, sides, std::exchange(any, {})));
    }
  }
  for (const SweepSide* side : any)
    tables.push_back({.rows = {{"any", figure_of(sweep, *side, 0)}}});
  return tables;
}

std::vector<std::string> sentences_on(const Sweep& sweep) {
  std::vector<std::string> sentences;
  for (const SweepSide& side : sweep.sides) {
    for (const SweepChoice& choice : side.choices)
      sentences.push_back(sentence_on(sweep, side, choice));
    if (side.keys.empty())
      sentences.push_back(side.label +
                          ": it depends on no swept key, so it ran once for all cells (" +
                          mean_of(sweep, side.points.front()) + ").");
    if (side.chosen.empty() && !side.keys.empty())
      if (std::string range = range_text(sweep, side); !range.empty())
        sentences.push_back(std::move(range));
  }
  return sentences;
}

std::string title_of(const Sweep& sweep) {
  return sweep.scenario + " (" + sweep.engine +
         "): " + lone_heading(*sweep.metric, unit_of(sweep).name);
}

std::string method_text(const Sweep& sweep) {
  if (sweep.metric->better == Better::neither)
    return "No setting is marked as the best, because this metric has no good direction; ! marks "
           "unsound runs.";
  if (std::ranges::all_of(sweep.sides, [](const SweepSide& side) { return side.choices.empty(); }))
    return "No setting is marked as the best, because the swept key describes the surroundings and "
           "is not a choice of the user; ! marks unsound runs.";
  const std::string better = sweep.metric->better == Better::more ? "more" : "less";
  return "* marks the best mean (" + better +
         " is better). Every other setting is compared with it over common seeds, and the tests of "
         "a choice are corrected together (Holm); ~ marks those not distinguishable from the best.";
}

}  // namespace rhizome::tools
