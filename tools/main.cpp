// The `rhizome` command: finds the command, and turns errors into one line and a status.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <span>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "core/child/own_folder.hpp"
#include "core/child/search_path.hpp"
#include "core/engine/exchange.hpp"
#include "core/engine/limits.hpp"
#include "core/engine/thread_engine.hpp"
#include "core/mesh/rendezvous.hpp"
#include "core/peer/names.hpp"
#include "overlay/graphml.hpp"
#include "scenarios/store/reading_limits.hpp"
#include "scenarios/store/shares.hpp"
#include "scenarios/store/store.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/nearest.hpp"
#include "tools/chart/svg.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/messages.hpp"
#include "tools/cli/streams.hpp"
#include "tools/commands/stored.hpp"
#include "tools/launch/meeting.hpp"

namespace rhizome::tools {

namespace {

// A line for each thing that is wrong.
Exit refuse(Exit status, const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) complain(line);
  return status;
}

bool is_nowhere() {
  std::error_code error;
  static_cast<void>(std::filesystem::current_path(error));
  return bool(error);
}

// An exhausted resource of the system is reported as such; any other refusal of the system is our
// own bug.
Exit refuse_with(const std::system_error& error) {
  const std::error_code& code = error.code();
  if (is_nowhere())
    return refuse(Exit::unavailable,
                  "the working directory is gone, or not to be reached: " + code.message());
  std::string lacking;
  if (code == std::errc::resource_unavailable_try_again)
    lacking = "threads or processes (ulimit -u, or pids.max of a control group)";
  if (code == std::errc::too_many_files_open || code == std::errc::too_many_files_open_in_system)
    lacking = "open files (ulimit -n)";
  if (code == std::errc::not_enough_memory) lacking = "memory";
  if (lacking.empty())
    return refuse(Exit::internal, std::string("internal error: ") + error.what());
  return refuse(Exit::unavailable, "the system allows no more " + lacking + ": " + code.message());
}

Exit unknown_command(const std::string& word) {
  return refuse(Exit::usage, "there is no command \"" + word + "\"" +
                                 scenarios::suggestion(word, core::names_of(commands())));
}

bool asks_for_help(const std::string& word) {
  return word == "--help" || word == "-h" || word == "help";
}

// `rhizome help`, or `rhizome help COMMAND`.
Exit help(std::span<const std::string> words) {
  if (words.size() > 1) throw UsageError("help takes one command, not " + words[1] + " too");
  if (words.empty()) {
    std::fputs(general_help().c_str(), stdout);
    return Exit::holds;
  }
  const Command* command = find_command(words.front());
  if (command == nullptr) return unknown_command(words.front());
  std::fputs(help_of(*command).c_str(), stdout);
  return Exit::holds;
}

// A command that runs scenarios beside stored runs takes what the scenarios take.
void limit(const Command& command, const Arguments& arguments) {
  const bool runs = command.runs && std::ranges::any_of(arguments.positional(), is_scenario);
  if (runs && arguments.has("trusted"))
    throw UsageError("--trusted has no effect: only stored runs are read within limits");
  if (!runs && !arguments.has("trusted"))
    scenarios::limit_reading(static_cast<int>(Exit::unavailable));
}

Exit dispatch(const std::vector<std::string>& words) {
  if (words.empty()) {
    std::fputs(general_help().c_str(), stderr);
    return Exit::usage;
  }
  if (asks_for_help(words.front())) return help(std::span(words).subspan(1));
  if (words.front() == "--version" || words.front() == "-V" || words.front() == "version") {
    std::puts("rhizome " RHIZOME_VERSION);
    return Exit::holds;
  }
  const Command* command = find_command(words.front());
  if (command == nullptr) return unknown_command(words.front());
  const Arguments arguments = parse(*command, std::span(words).subspan(1));
  if (arguments.has("help")) {
    std::fputs(help_of(*command).c_str(), stdout);
    return Exit::holds;
  }
  if (command->alone) check_alone(command->name);
  if (command->reads) limit(*command, arguments);
  return command->run(arguments);
}

template <class... E>
bool is_one_of(const std::exception& error) {
  return ((dynamic_cast<const E*>(&error) != nullptr) || ...);
}

// Whatever is not known to be due to the user or to the machine is our own bug.
Exit status_of(const std::exception& error) {
  using namespace core;
  using namespace scenarios;
  if (is_one_of<InputError, overlay::GraphmlError, InconsistentShares>(error))
    return Exit::bad_input;
  if (is_one_of<UnreadableFile>(error)) return Exit::no_input;
  if (is_one_of<LimitExceeded, Unreachable, ExchangeFailed, ShareFailed, ChartsUnavailable>(error))
    return Exit::unavailable;
  if (is_one_of<CannotWrite, NoFolder>(error)) return Exit::cannot_write;
  return Exit::internal;
}

Exit guarded(const std::vector<std::string>& words) {
  try {
    return dispatch(words);
  } catch (const UsageError& error) {
    const bool known = !words.empty() && find_command(words.front()) != nullptr;
    return refuse(Exit::usage, std::string(error.what()) + " (see rhizome " +
                                   (known ? words.front() + " " : "") + "--help)");
  } catch (const std::system_error& error) {
    return refuse_with(error);
  } catch (const std::bad_alloc&) {
    if (const std::string limit = scenarios::reading_memory_limit(); !limit.empty())
      return refuse(Exit::unavailable, "this takes more than " + limit +
                                           " of memory, which its files do not explain: --trusted "
                                           "lifts the limit");
    return refuse(Exit::unavailable,
                  "there is not enough memory for this: use fewer peers, tasks or links");
  } catch (const std::exception& error) {
    const Exit status = status_of(error);
    return refuse(status,
                  (status == Exit::internal ? "internal error: " : "") + std::string(error.what()));
  }
}

// If the output cannot be written, the user has no result: an error, whatever the result was.
Exit printed(Exit status) {
  if (output_is_written() || status >= Exit::usage) return status;
  return refuse(Exit::cannot_write, "standard output cannot be written");
}

}  // namespace

}  // namespace rhizome::tools

int main(int count, char** words) {
  using namespace rhizome::tools;
  open_closed_streams();
  rhizome::core::leave_out_relative_path();  // no program of ours is one that stands here
  outlive_full_files();
  hear_all_signals();
  keep_writing_to_user();
  speak_as(name_among_others());
  if (const auto stack = too_small_stack())
    return static_cast<int>(refuse(Exit::unavailable, "a stack may have " + std::to_string(*stack) +
                                                          " KiB here (ulimit -s), and " +
                                                          std::to_string(least_stack) +
                                                          " are needed: ulimit -s 8192"));
  return static_cast<int>(printed(guarded({words + 1, words + count})));
}
