// Events: facts of peers, the latest first, as far as a filter lets them through.
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tools/monitor/panels/panel.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;

namespace {

// Facts in the last second of emulated time, or since the earliest in memory.
double facts_per_second(const live::State& state) {
  const auto& facts = state.facts();
  if (facts.empty()) return 0;
  const core::Time now = state.frame().now;
  const core::Time from = std::max(now - std::chrono::seconds(1), core::Time{});
  const auto known = state.missed() > 0 ? std::max(from, facts.front().at) : from;
  const double span = core::seconds(now - known);
  const auto latest = std::ranges::count_if(
      facts, [known](const live::LiveFact& fact) { return fact.at >= known; });
  return span > 0 ? static_cast<double>(latest) / span : 0;
}

}  // namespace

std::string events_title(const Panel& panel) {
  const std::uint64_t missed = panel.state.missed();
  return fmt::format("events: {}; {}/s, {}",
                     panel.view.filter.takes_all() ? "all" : panel.view.filter.text(),
                     short_number(facts_per_second(panel.state)),
                     missed == 0 ? "none missed" : fmt::format("{} missed", missed));
}

void put_events(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t end) {
  const auto& facts = panel.state.facts();
  std::size_t skipped = panel.view.tab == Tab::events ? panel.view.first : 0;
  bool any = false;
  for (std::size_t i = facts.size(); i > 0 && line < end; --i) {
    const live::LiveFact& fact = facts[i - 1];
    if (!panel.view.filter.takes(fact, kind_of(panel, fact))) continue;
    any = true;
    if (skipped > 0) {
      --skipped;
      continue;
    }
    grid.put(0, line++, event_line(panel, fact));
  }
  if (!any && line < end && !facts.empty())
    grid.put(1, line,
             fmt::format("none of the last {} events is such: / and Enter shows all", facts.size()),
             Style::faint);
}

std::vector<live::LiveFact> events_of(const Panel& panel, core::PeerId peer) {
  std::vector<live::LiveFact> events;
  const auto& told = panel.known.story;
  core::Time latest{};
  if (told)
    for (const live::LiveFact& fact : told->facts)
      if (fact.peer == peer && fact.at <= panel.state.frame().now) {
        events.push_back(fact);
        latest = fact.at;
      }
  for (const live::LiveFact& fact : panel.state.facts())
    if (fact.peer == peer && (latest == core::Time{} || fact.at > latest)) events.push_back(fact);
  std::reverse(events.begin(), events.end());
  return events;
}

}  // namespace rhizome::tools
