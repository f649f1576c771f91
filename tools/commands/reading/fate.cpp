
#include "tools/fate/fate.hpp"
#include "tools/cli/output.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/stored.hpp"
#include "tools/fate/story.hpp"

namespace rhizome::tools {

namespace {

template <class T>
std::string rendered(const T& what, const Arguments& arguments) {
  const std::string output = arguments.text("output").value_or("text");
  return output == "json"       ? json_of(what)
         : output == "markdown" ? markdown_of(what)
                                : text_of(what);
}

TaskHistory story_in(const Arguments& arguments, agents::TaskId task) {
  try {
    return story_of(read_stored(arguments), task);
  } catch (const std::out_of_range& error) {
    throw UsageError(error.what());
  }
}

std::vector<Fate> fates_in(const Arguments& arguments) {
  const scenarios::StoredRun run = open_stored(arguments.positional().front(), arguments);
  std::vector<Fate> fates;
  for (const std::size_t i : chosen_of(run, arguments)) add(fates, fate_of(run.read(i)));
  return fates;
}

}  // namespace

Exit fate_command(const Arguments& arguments) {
  const auto task = arguments.text("task");
  const std::string text = task ? rendered(story_in(arguments, task_named(*task)), arguments)
                                : rendered(std::span<const Fate>(fates_in(arguments)), arguments);
  print_text(text);
  return Exit::holds;
}

}  // namespace rhizome::tools
