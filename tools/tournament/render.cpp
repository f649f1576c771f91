// A tournament for people (text, Markdown) and for programs (JSON).
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tools/compare/layout.hpp"
#include "tools/compare/render.hpp"
#include "tools/compare/wording.hpp"
#include "tools/markup/markdown.hpp"
#include "tools/tournament/tournament.hpp"

namespace rhizome::tools {

namespace {

using Row = std::array<std::string, 5>;

FittingUnit unit_of(const Tournament& tournament, const Contest& contest) {
  double largest = 0;
  for (const Entrant& entrant : contest.entrants)
    if (entrant.mean.exists()) largest = std::max(largest, std::fabs(entrant.mean.value));
  return fitting_unit(tournament.metric->unit, largest);
}

Row header(const Tournament& tournament, const Contest& contest, bool overall) {
  return {"rank", "group", "scheduler",
          overall ? "share of the mean"
                  : lone_heading(*tournament.metric, unit_of(tournament, contest).name),
          "ratio to the first"};
}

std::string rank_text(const Entrant& entrant) {
  const std::string best = std::to_string(entrant.best_rank);
  return entrant.best_rank == entrant.worst_rank ? best
                                                 : best + "–" + std::to_string(entrant.worst_rank);
}

std::string disqualification(const Entrant& entrant) {
  const auto of_runs = [&](std::size_t count, const std::string& what) {
    return std::to_string(count) + " of " + std::to_string(entrant.runs) + " " + what;
  };
  if (entrant.violated > 0) return of_runs(entrant.violated, "broke an invariant");
  if (entrant.unfinished > 0) return of_runs(entrant.unfinished, "lost tasks");
  if (entrant.invalid > 0) return of_runs(entrant.invalid, "were invalid");
  return "the metric does not apply";
}

Row row_of(const Tournament& tournament, const Contest& contest, std::size_t i) {
  const Entrant& entrant = contest.entrants[i];
  Row row{"–", "", entrant.label, mean_text(in_unit(entrant.mean, unit_of(tournament, contest))),
          i == 0 ? "1" : versus_text({.difference = entrant.difference, .ratio = entrant.ratio})};
  if (!entrant.sound()) {
    row[4] = disqualification(entrant);
  } else if (entrant.bound) {
    row[0] = "bound";
    if (contest.ranked == 0) row[4].clear();
  } else {
    row[0] = rank_text(entrant);
    row[1] = entrant.letters;
  }
  return row;
}

std::size_t repetitions_of(const Contest& contest) {
  return contest.entrants.empty() ? 0 : contest.entrants.front().values.size();
}

std::string title_of(const Contest& contest) {
  return contest.name + ", " + std::to_string(repetitions_of(contest)) + " repetitions";
}

std::string text_table(const Tournament& tournament, const Contest& contest, bool overall) {
  const Columns columns({{1}, {5}, {5}, {20}, {17}, {24}}, usual_page);
  std::string text = title_of(contest) + "\n";
  const auto add = [&](const Row& row) {
    std::vector<std::string> cells{""};
    cells.insert(cells.end(), row.begin(), row.end());
    text += columns.row(cells);
  };
  add(header(tournament, contest, overall));
  for (std::size_t i = 0; i < contest.entrants.size(); ++i) add(row_of(tournament, contest, i));
  return text + "\n";
}

std::string markdown_table(const Tournament& tournament, const Contest& contest, bool overall) {
  const auto safe = [](const Row& row) {
    std::vector<std::string> cells;
    for (const std::string& cell : row) cells.push_back(markdown_text(cell));
    return cells;
  };
  std::string text = "### " + markdown_text(title_of(contest)) + "\n\n" +
                     markdown_head(safe(header(tournament, contest, overall)));
  for (std::size_t i = 0; i < contest.entrants.size(); ++i)
    text += markdown_row(safe(row_of(tournament, contest, i)));
  return text + "\n";
}

std::string percent(double share) { return fmt::format("{:.4g} %", share * 100); }

bool anybody_ranked(const Tournament& tournament) {
  return std::ranges::any_of(tournament.contests,
                             [](const Contest& contest) { return contest.ranked > 0; });
}

std::string tests_of(const Tournament& tournament) {
  if (tournament.tests == 1) return "The pair is tested over common seeds (paired Student's t)";
  return "Every pair is tested over common seeds (paired Student's t), and the " +
         std::to_string(tournament.tests) + " tests are corrected together (Holm)";
}

std::string bounds_text(const Tournament& tournament) {
  const bool any = std::any_of(
      tournament.contests.begin(), tournament.contests.end(), [](const Contest& contest) {
        return std::any_of(contest.entrants.begin(), contest.entrants.end(),
                           [](const Entrant& entrant) { return entrant.bound; });
      });
  return any ? "Bounds know everything beforehand, so they have no rank. " : "";
}

std::string method(const Tournament& tournament) {
  if (!anybody_ranked(tournament))
    return "Nobody is ranked by " + lone_heading(*tournament.metric) +
           ": it applies to no scheduler whose runs count, or only to bounds.";
  const std::string confidence = percent(tournament.confidence);
  return "By " + lone_heading(*tournament.metric) + ", " +
         (tournament.metric->better == Better::less ? "less" : "more") + " is better. " +
         tests_of(tournament) + ", so that with " + confidence +
         " confidence all ranks are as stated. Schedulers that share a letter are not "
         "distinguishable. " +
         bounds_text(tournament) + "Means and ratios have " + confidence +
         " intervals of their own (Student's t, Fieller).";
}

template <class F>
void each_contest(const Tournament& tournament, F f) {
  for (const Contest& contest : tournament.contests) f(contest, false);
  for (const Contest& contest : tournament.overall) f(contest, true);
}

Json json_of(const Contest& contest) {
  Json entrants = Json::array();
  for (std::size_t i = 0; i < contest.entrants.size(); ++i) {
    const Entrant& entrant = contest.entrants[i];
    Json item{{"label", entrant.label},
              {"runs", entrant.runs},
              {"unfinished", entrant.unfinished},
              {"violated", entrant.violated},
              {"invalid", entrant.invalid},
              {"mean", json_of(entrant.mean)},
              {"bound", entrant.bound}};
    if (contest.ranked > 0 && entrant.sound()) item["ratio"] = json_of(entrant.ratio);
    if (i < contest.ranked) {
      item["best_rank"] = entrant.best_rank;
      item["worst_rank"] = entrant.worst_rank;
      item["group"] = entrant.letters;
    }
    entrants.push_back(std::move(item));
  }
  return {{"name", contest.name},
          {"repetitions", repetitions_of(contest)},
          {"entrants", std::move(entrants)}};
}

}  // namespace

std::string text_of(const Tournament& tournament) {
  std::string text;
  each_contest(tournament, [&](const Contest& contest, bool overall) {
    text += text_table(tournament, contest, overall);
  });
  text += wrapped(method(tournament), usual_page, 0);
  if (!tournament.partial.empty()) text += wrapped("! " + tournament.partial, usual_page, 2);
  return text + "\n";
}

std::string markdown_of(const Tournament& tournament) {
  std::string text;
  each_contest(tournament, [&](const Contest& contest, bool overall) {
    text += markdown_table(tournament, contest, overall);
  });
  text += markdown_paragraph(method(tournament));
  return tournament.partial.empty() ? text : text + "\n" + markdown_warning(tournament.partial);
}

std::string json_of(const Tournament& tournament) {
  Json contests = Json::array();
  Json overall = Json::array();
  each_contest(tournament, [&](const Contest& contest, bool all) {
    (all ? overall : contests).push_back(json_of(contest));
  });
  const std::string& partial = tournament.partial;
  return scenarios::text_of(
      Json{{"schema", "rhizome.tournament/1"},
           {"partial", partial.empty() ? Json::array() : Json::array({partial})},
           {"metric", tournament.metric->name},
           {"better", tournament.metric->better == Better::less ? "less" : "more"},
           {"confidence", tournament.confidence},
           {"correction", "holm"},
           {"tests", tournament.tests},
           {"contests", std::move(contests)},
           {"overall", std::move(overall)}});
}

}  // namespace rhizome::tools
