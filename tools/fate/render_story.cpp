#include <fmt/core.h>

#include "scenarios/text/json.hpp"
#include "tools/compare/figures.hpp"
#include "tools/compare/wording.hpp"
#include "tools/fate/story.hpp"
#include "tools/markup/markdown.hpp"

namespace rhizome::tools {

namespace {

std::string counted(std::uint32_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string heading_of(const TaskHistory& story) {
  return fmt::format("task {}.{}, {}, repetition {} ({}, seed {}{})", story.task.id.job,
                     story.task.id.portion, contestant_name(story.identity),
                     story.identity.repetition + 1, story.identity.engine, story.identity.seed,
                     story.steered ? ", steered by hand" : "");
}

std::string ending_of(const TaskHistory& story) {
  const TaskOutcome& task = story.task;
  const std::string counts =
      counted(task.starts, "start") + ", " + counted(task.executions, "execution") + ", " +
      counted(task.reissues, "re-issue") + ", " + counted(task.duplicates, "duplicate") +
      (story.hops ? ", " + counted(*story.hops, "hop") : "") + "; ";
  if (!story.result_known)
    return counts + "whether it was completed is not known: the process of its source was lost";
  if (!task.completed) return counts + "never completed";
  return counts + fmt::format("{:.6f} s from submission to result",
                              core::seconds(task.completed_at - task.submitted_at));
}

std::string seconds_of(const StoryEvent& event) {
  return fmt::format("{:.6f}", core::seconds(event.at - Time{}));
}

constexpr std::size_t columns = 80;
constexpr std::size_t margin = 31;  // time and event stand in it

}  // namespace

std::string text_of(const TaskHistory& story) {
  std::string text =
      wrapped(heading_of(story), columns, 2) + "\n" + fmt::format("{:>12}  event\n", "seconds");
  for (const StoryEvent& event : story.events)
    text += fmt::format("{:>12}  ", seconds_of(event)) + fitted(event.event, margin - 14) +
            indented(wrapped(event.text, columns - margin, 0), margin);
  text += "\n" + wrapped(ending_of(story), columns, 0);
  return story.chain ? text + "\n" + text_of(*story.chain) : text;
}

std::string markdown_of(const TaskHistory& story) {
  std::string text = "T" + markdown_text(heading_of(story)).substr(1) + ".\n\n" +
                     markdown_head({"seconds", "event", "what happened"});
  for (const StoryEvent& event : story.events)
    text +=
        markdown_row({seconds_of(event), markdown_text(event.event), markdown_text(event.text)});
  text += "\n" + markdown_paragraph(ending_of(story) + ".");
  return story.chain ? text + "\n```\n" + text_of(*story.chain) + "```\n" : text;
}

std::string json_of(const TaskHistory& story) {
  Json events = Json::array();
  for (const StoryEvent& event : story.events)
    events.push_back({{"seconds", core::seconds(event.at - Time{})},
                      {"peer", event.peer.value},
                      {"event", event.event},
                      {"text", event.text}});
  const TaskOutcome& task = story.task;
  return scenarios::text_of(
      Json{{"schema", "rhizome.story/1"},
           {"scheduler", contestant_name(story.identity)},
           {"repetition", story.identity.repetition + 1},
           {"job", task.id.job},
           {"portion", task.id.portion},
           {"steered", story.steered},
           {"completed", story.result_known ? Json(task.completed) : Json(nullptr)},
           {"starts", task.starts},
           {"executions", task.executions},
           {"reissues", task.reissues},
           {"duplicates", task.duplicates},
           {"hops", story.hops ? Json(*story.hops) : Json(nullptr)},
           {"chain", story.chain ? json_of(*story.chain) : Json(nullptr)},
           {"events", events}});
}

}  // namespace rhizome::tools
