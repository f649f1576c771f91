// A chain as two lists for people, and as a part of the JSON of a story.
#include <fmt/core.h>

#include "scenarios/outcome/fact_text.hpp"
#include "tools/compare/layout.hpp"
#include "tools/fate/chain.hpp"

namespace rhizome::tools {

namespace {

using scenarios::name_of;

constexpr std::size_t chain_margin = 14;  // the time stands in it

std::string name_of_task(agents::TaskId task) {
  return fmt::format("{}.{}", task.job, task.portion);
}
double since_start(Time at) { return core::seconds(at - Time{}); }
std::string span_of(Duration time) { return fmt::format("{:.6f} s", core::seconds(time)); }

std::string line_of(Time at, const std::string& text) {
  return fmt::format("{:>12.6f}  ", since_start(at)) +
         indented(wrapped(text, usual_page - chain_margin, 0), chain_margin);
}

std::string forwarder_of(const Stay& stay) {
  if (!stay.forwards_from) return "";
  const std::string from =
      fmt::format("; a forwarder from {:.6f} ", since_start(*stay.forwards_from));
  if (!stay.forwards_until) return from + "to the end";
  return from + fmt::format("to {:.6f}", since_start(*stay.forwards_until));
}

std::string text_of(const Stay& stay) {
  std::string text = fmt::format("{}, epoch {}", name_of(stay.peer), stay.epoch);
  if (stay.until)
    text +=
        fmt::format(", left after {} for {}", span_of(*stay.until - stay.from), name_of(*stay.to));
  return text + forwarder_of(stay);
}

std::string way_of(const DataSearch& search) {
  std::string text;
  for (const core::PeerId peer : search.way) text += ", by " + name_of(peer);
  return text;
}

std::string text_of(const DataSearch& search) {
  std::string text = fmt::format("task {} at {}, to {}", name_of_task(search.giver),
                                 name_of(search.origin), name_of(search.aimed));
  text += way_of(search);
  if (search.given)
    text +=
        fmt::format(": found at {} after {}, {} message{}", name_of(*search.at),
                    span_of(*search.given - search.sent), search.hops, search.hops == 1 ? "" : "s");
  else
    text += ": never found it";
  if (search.held > Duration{0}) text += ", of which " + span_of(search.held) + " waiting";
  if (search.again > 0) text += fmt::format("; sent {} more", search.again);
  return text;
}

Json json_of(const Stay& stay) {
  const auto time = [](const std::optional<Time>& at) {
    return at ? Json(since_start(*at)) : Json(nullptr);
  };
  return {{"peer", stay.peer.value},
          {"epoch", stay.epoch},
          {"from", since_start(stay.from)},
          {"until", time(stay.until)},
          {"to", stay.to ? Json(stay.to->value) : Json(nullptr)},
          {"forwards_from", time(stay.forwards_from)},
          {"forwards_until", time(stay.forwards_until)}};
}

Json json_of(const DataSearch& search, bool ways) {
  Json way = Json::array();
  for (const core::PeerId peer : search.way) way.push_back(peer.value);
  return {{"job", search.giver.job},
          {"portion", search.giver.portion},
          {"origin", search.origin.value},
          {"aimed", search.aimed.value},
          {"sent", since_start(search.sent)},
          {"again", search.again},
          {"way", ways ? way : Json(nullptr)},
          {"held", core::seconds(search.held)},
          {"given", search.given ? Json(since_start(*search.given)) : Json(nullptr)},
          {"at", search.at ? Json(search.at->value) : Json(nullptr)},
          {"hops", search.given ? Json(search.hops) : Json(nullptr)}};
}

}  // namespace

std::string text_of(const Chain& chain) {
  std::string text = fmt::format("{:>12}  where it was\n", "seconds");
  for (const Stay& stay : chain.stays) text += line_of(stay.from, text_of(stay));
  if (chain.searches.empty()) return text + "\nNobody looked for it.\n";
  text += fmt::format("\n{:>12}  who looked for it\n", "seconds");
  for (const DataSearch& search : chain.searches) text += line_of(search.sent, text_of(search));
  if (chain.ways) return text;
  return text + "\n" +
         wrapped(
             "Who passed a datum on is known only of runs with engine.log_hops = true, and "
             "where somebody did.",
             usual_page, 0);
}

Json json_of(const Chain& chain) {
  Json stays = Json::array();
  for (const Stay& stay : chain.stays) stays.push_back(json_of(stay));
  Json searches = Json::array();
  for (const DataSearch& search : chain.searches) searches.push_back(json_of(search, chain.ways));
  return {{"stays", stays}, {"searches", searches}};
}

}  // namespace rhizome::tools
