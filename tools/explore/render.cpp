// The results of an expedition, in words.
#include <fmt/core.h>

#include "core/peer/time.hpp"
#include "tools/compare/layout.hpp"
#include "tools/explore/expedition.hpp"

namespace rhizome::tools {

namespace {

std::string verdict_of(const Expedition& expedition) {
  if (!expedition.rule.empty()) return expedition.rule + " is broken";
  return expedition.exhausted ? "all orders, nothing broken" : "not all orders, nothing broken";
}

}  // namespace

std::string text_of(const Expedition& expedition) {
  const core::SearchCounts& counts = expedition.counts;
  std::string text = expedition.label + ": " + verdict_of(expedition) + "\n";
  const auto add = [&](const std::string& line) { text += paragraph(line, usual_page, "  "); };
  add(fmt::format("{} histories to their end, {} that led to a known state, {} that were too long",
                  counts.histories, counts.known, counts.cut));
  if (counts.cut > 0)
    add("histories that were too long are judged as open runs: a task that is lost while timers go "
        "on is not noticed in them");
  add(
      fmt::format("{} states, {} events and {} repeated to go back; the longest history has {}; "
                  "{:.1f} s",
                  counts.states, counts.events, counts.again, counts.longest,
                  core::seconds(core::Duration(expedition.wall))));
  if (expedition.walks > 0)
    add(fmt::format("{} of the histories went by chance", expedition.walks));
  if (expedition.opaque > 0)
    add(fmt::format(
        "{} peers do not show their state: they are told apart by all that they handled",
        expedition.opaque));
  if (expedition.rule.empty()) return text;
  text += fmt::format("  {}\n  The history, made as short as it goes from {} choices:\n",
                      expedition.told, expedition.found);
  for (const std::string& line : expedition.conversation) text += "    " + line + "\n";
  return text;
}

}  // namespace rhizome::tools
