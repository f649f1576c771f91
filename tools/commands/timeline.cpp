#include <cstdio>
#include <filesystem>
#include <fstream>

#include "scenarios/store/store.hpp"
#include "tools/chart/svg.hpp"
#include "tools/cli/messages.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/stored.hpp"
#include "tools/timeline/trace.hpp"

namespace rhizome::tools {

namespace {

void write_file(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw scenarios::CannotWrite("cannot write " + file);
}

}  // namespace

Exit timeline_command(const Arguments& arguments) {
  const scenarios::Outcome outcome = read_stored(arguments);
  if (const auto file = arguments.text("svg")) {
    const Chart chart = schedule_of(outcome);
    write_file(*file, draw_svgs({&chart, 1}).front());
    return Exit::holds;
  }
  if (outcome.messages.empty())
    warn(
        "this run kept no log of messages, so the trace has no flows: run it with "
        "--set engine.log_messages=true");
  const std::string trace = trace_of(outcome);
  if (const auto file = arguments.text("to")) {
    write_file(*file, trace);
  } else {
    std::fputs(trace.c_str(), stdout);
  }
  return Exit::holds;
}

}  // namespace rhizome::tools
