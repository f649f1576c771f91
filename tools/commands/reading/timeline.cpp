
#include "scenarios/store/store.hpp"
#include "tools/chart/svg.hpp"
#include "tools/cli/console.hpp"
#include "tools/cli/messages.hpp"
#include "tools/cli/output.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/stored.hpp"
#include "tools/timeline/trace.hpp"

namespace rhizome::tools {

Exit timeline_command(const Arguments& arguments) {
  if (!arguments.has("to") && !arguments.has("svg") && output_is_terminal())
    throw UsageError("a trace is not for reading: say --to FILE, and open that in Perfetto");
  const scenarios::StoredRun run = open_stored(arguments.positional().front(), arguments);
  const scenarios::Outcome outcome = read_stored(run, arguments);
  const auto write = [&](const std::string& file, std::string_view text) {
    write_result(file, text, scenarios::WholeFile::Name::chosen,
                 run.readers(folder_of_result(file)));
  };
  if (const auto file = arguments.text("svg")) {
    const Chart chart = schedule_of(outcome);
    write(*file, draw_svgs({&chart, 1}).front());
    return Exit::holds;
  }
  if (outcome.messages.empty())
    warn(
        "this run kept no log of messages, so the trace has no flows: run it with "
        "--set engine.log_messages=true");
  const std::string trace = trace_of(outcome);
  write(arguments.text("to").value_or("-"), trace);
  return Exit::holds;
}

}  // namespace rhizome::tools
