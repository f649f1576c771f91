// The `rhizome` command: finds the command, and turns what went wrong into one line and a status.
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "core/engine/limits.hpp"
#include "core/engine/thread_engine.hpp"
#include "overlay/graphml.hpp"
#include "scenarios/store/store.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/nearest.hpp"
#include "tools/chart/svg.hpp"
#include "tools/cli/command.hpp"

namespace rhizome::tools {

namespace {

Exit complain(Exit status, const std::string& text) {
  spdlog::error("{}", text);
  return status;
}

Exit unknown_command(const std::string& word) {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  return complain(Exit::usage,
                  "there is no command \"" + word + "\"" + scenarios::suggestion(word, names));
}

Exit dispatch(const std::vector<std::string>& words) {
  if (words.empty()) {
    std::fputs(general_help().c_str(), stderr);
    return Exit::usage;
  }
  if (words.front() == "--help" || words.front() == "-h" || words.front() == "help") {
    std::fputs(general_help().c_str(), stdout);
    return Exit::holds;
  }
  if (words.front() == "--version") {
    std::puts("rhizome " RHIZOME_VERSION);
    return Exit::holds;
  }
  const Command* command = find_command(words.front());
  if (command == nullptr) return unknown_command(words.front());
  const Arguments arguments = parse(*command, std::span(words).subspan(1));
  if (!arguments.has("help")) return command->run(arguments);
  std::fputs(help_of(*command).c_str(), stdout);
  return Exit::holds;
}

Exit guarded(const std::vector<std::string>& words) {
  try {
    return dispatch(words);
  } catch (const UsageError& error) {
    return complain(Exit::usage, std::string(error.what()) + " (see rhizome --help)");
  } catch (const scenarios::InputError& error) {
    return complain(Exit::bad_input, error.what());
  } catch (const overlay::GraphmlError& error) {
    return complain(Exit::bad_input, error.what());
  } catch (const scenarios::UnreadableFile& error) {
    return complain(Exit::no_input, error.what());
  } catch (const core::LimitExceeded& error) {
    return complain(Exit::unavailable, error.what());
  } catch (const ChartsUnavailable& error) {
    return complain(Exit::unavailable, error.what());
  } catch (const scenarios::CannotWrite& error) {
    return complain(Exit::cannot_write, error.what());
  } catch (const std::exception& error) {
    return complain(Exit::internal, std::string("internal error: ") + error.what());
  }
}

}  // namespace

}  // namespace rhizome::tools

int main(int count, char** words) {
  auto log = spdlog::stderr_color_st("rhizome");
  log->set_pattern("rhizome: %^%l%$: %v");
  spdlog::set_default_logger(log);
  const std::vector<std::string> arguments(words + 1, words + count);
  return static_cast<int>(rhizome::tools::guarded(arguments));
}
