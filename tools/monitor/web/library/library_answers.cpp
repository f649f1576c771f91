#include "tools/monitor/web/library/library_answers.hpp"

#include <exception>

#include "scenarios/text/json.hpp"
#include "tools/monitor/filter.hpp"

namespace rhizome::tools {

using scenarios::Json;

std::optional<Reply> LibraryAnswers::answer(const Question& question) {
  if (question.path == "/show") return show();
  if (question.path == "/steer") return sorry(403, "a recording cannot be steered");
  if (question.path != "/recording" && question.path != "/stretch" && question.path != "/story" &&
      question.path != "/metrics")
    return {};
  try {
    return of_recording(question);
  } catch (const std::exception& error) {  // its file has gone, or is damaged
    return sorry(409, error.what());
  }
}

Reply LibraryAnswers::show() const {
  Json recordings = Json::array();
  for (std::size_t i = 0; i < library_.size(); ++i) recordings.push_back(library_.name(i));
  return {.text = line_of(Json{{"recordings", recordings},
                               {"first", shown_.first},
                               {"beside", shown_.beside ? Json(*shown_.beside) : Json(nullptr)}})};
}

Reply LibraryAnswers::of_recording(const Question& question) {
  const bool metrics = question.path == "/metrics";
  const std::optional<std::uint64_t> number = metrics && !question.words.contains("recording")
                                                  ? shown_.first
                                                  : question.number("recording");
  if (!number || *number >= library_.size()) return sorry(404, "there is no such recording");
  const SeekableRecording& recording = library_.recording(*number);
  if (metrics) return {.type = metrics_type, .text = recording.metrics(question.pages)};
  if (question.path == "/recording") return {.text = recording.summary()};
  if (question.path == "/story") {
    const std::optional<agents::TaskId> task = parse_task(question.word("task"));
    if (!task) return sorry(400, "a task is JOB.PORTION");
    const auto run = static_cast<std::uint32_t>(question.number("run").value_or(0));
    return {.type = pieces_type, .text = recording.story({.run = run, .task = task})};
  }
  const std::optional<std::uint64_t> stretch = question.number("stretch");
  if (!stretch || *stretch >= recording.stretches()) return sorry(404, "there is no such stretch");
  return {.type = pieces_type, .text = recording.stretch(*stretch)};
}

}  // namespace rhizome::tools
