#include "tools/commands/watching/monitor_web.hpp"
#include "tools/cli/output.hpp"

#include <fmt/core.h>

#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "core/child/own_folder.hpp"
#include "scenarios/text/input_error.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/messages.hpp"
#include "tools/monitor/web/door/server.hpp"
#include "tools/monitor/web/door/token.hpp"
#include "tools/monitor/web/library/library.hpp"
#include "tools/monitor/web/library/library_answers.hpp"
#include "tools/monitor/web/live/follower.hpp"
#include "tools/monitor/web/live/live_answers.hpp"

namespace rhizome::tools {

using scenarios::UnreadableFile;

namespace {

using namespace std::chrono_literals;

// The address of the page for a browser, or of the figures for a program.
std::string address(std::uint16_t port, const std::string& token, bool page) {
  const std::string server = fmt::format("http://127.0.0.1:{}/", port);
  return page ? server + "#" + token : server + "metrics  Authorization: Bearer " + token;
}

// Those for programs are kept in files if --token-file is given. The token that steers is kept in a
// file of its own, so that a program that may only read figures does not get it.
Tokens tokens_for(const Arguments& arguments, bool page) {
  const auto file = arguments.text("token-file");
  Tokens kept;
  if (file)
    if (const auto open = core::open_to_others(*file))
      throw UnreadableFile(core::why_open(*open) + ": name a token file in a folder of your own");
  if (file && page)
    kept = tokens_in(*file, *file + ".steer");
  else if (file)
    kept.read = {token_in(*file)};
  if (page) return with_page(std::move(kept));
  if (!file) kept.read = {new_token()};
  return kept;
}

std::uint16_t port_of(const Arguments& arguments) {
  const std::uint64_t port =
      arguments.number(arguments.has("web") ? "web" : "metrics", 0).value_or(0);
  if (port > 65535) throw UsageError("ports are numbers up to 65535");
  return static_cast<std::uint16_t>(port);
}

// Serves while `work` runs, and prints the address.
template <class Work>
Exit serve(WebAnswers& answers, const Arguments& arguments, Work work) {
  const bool page = arguments.has("web");
  const std::uint16_t port = port_of(arguments);
  const Tokens tokens = tokens_for(arguments, page);
  try {
    using What = WebServer::Options::What;
    const WebServer server(
        answers, {.port = port, .tokens = tokens, .what = page ? What::page : What::figures});
    print_line(address(server.port(), (page ? tokens.steer : tokens.read).front(), page));
    if (page)
      tell("to look without steering: " + address(server.port(), tokens.read.front(), true));
    work();
  } catch (const NoServer& error) {
    complain(error.what());
    return Exit::unavailable;
  }
  return Exit::holds;
}

// The index of the run of --beside in the library; adds the run to the library if needed. None if
// --beside is not given.
std::optional<std::size_t> put_beside(Library& library, const Arguments& arguments) {
  const auto word = arguments.text("beside");
  if (!word) return {};
  if (is_number(*word))
    return outcome_of(arguments.number("beside", 1).value_or(1), library.size(), "beside");
  if (const auto other = finished_at(*word))
    return other->stored ? library.add_run(other->path) : library.add_recording(other->path);
  throw UnreadableFile(*word + ": is no recording, no finished run, and no number of one");
}

// Warns, before a page is opened, if the recording is incomplete. Throws if the recording cannot be
// read.
void check_recording(Library& library, std::size_t i) {
  if (library.recording(i).is_cut_off())
    warn(library.name(i) + " ends in the midst: its monitor was killed");
}

}  // namespace

std::optional<FinishedRun> finished_at(const std::filesystem::path& path) {
  std::error_code ignored;
  if (path.filename() == "results.sqlite" || std::filesystem::is_directory(path, ignored))
    return FinishedRun{path, true};
  const bool is_for_runs = path.filename() == "latest";  // in a folder for all, anybody's
  if (!is_for_runs && std::filesystem::is_regular_file(path, ignored))
    return FinishedRun{path, false};
  return {};
}

std::size_t outcome_of(std::uint64_t number, std::size_t outcomes, const std::string& option) {
  if (number > outcomes)
    throw UsageError("--" + option + ": there are " + std::to_string(outcomes) +
                     " runs here, counted from 1");
  return number == 0 ? 0 : number - 1;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

bool serves(const Arguments& arguments) { return arguments.has("web") || arguments.has("metrics"); }

void check_serving(const Arguments& arguments) {
  if (arguments.has("web") && arguments.has("metrics"))
    throw UsageError("--web serves the figures of --metrics as well, at /metrics");
  if (arguments.has("token-file") && !serves(arguments))
    throw UsageError("--token-file has no effect without --web or --metrics");
  if (arguments.has("beside") && !arguments.has("web"))
    throw UsageError("--beside has no effect without --web");
  if (!serves(arguments)) return;
  arguments.refuse({"list", "frames", "output", "record"}, "has no effect with --web or --metrics");
}

Exit serve_run(const Registry& registry, const RegisteredRun& run,
               std::optional<std::uint32_t> number, const Arguments& arguments) {
  static_cast<void>(port_of(arguments));
  std::optional<std::uint32_t> beside;
  if (const auto word = arguments.text("beside")) {
    if (!is_number(*word))
      throw UsageError("beside a run under way stands another of its experiment: --beside N");
    const std::uint64_t other = arguments.number("beside", 1).value_or(1);
    if (other > ~std::uint32_t{0}) throw UsageError("--beside is larger than any run's");
    beside = static_cast<std::uint32_t>(other - 1);
  }
  RunFollower follower(registry, run, number);
  LiveAnswers answers(follower, beside);
  return serve(answers, arguments, [&follower] { follower.follow(interrupt_flag()); });
}

Exit serve_finished(const FinishedRun& finished, const Arguments& arguments) {
  if (arguments.has("metrics"))
    throw UsageError("--metrics is for runs under way: a finished one is shown by --web");
  static_cast<void>(port_of(arguments));
  Library library;
  LibraryAnswers::Shown shown;
  if (finished.stored)
    library.add_run(finished.path);
  else
    library.add_recording(finished.path);
  shown.first = outcome_of(arguments.number("number", 1).value_or(0), library.size(), "number");
  shown.beside = put_beside(library, arguments);
  check_recording(library, shown.first);
  if (shown.beside) check_recording(library, *shown.beside);
  LibraryAnswers answers(library, shown);
  return serve(answers, arguments, [] {
    while (!interrupt_flag()) std::this_thread::sleep_for(50ms);
  });
}

}  // namespace rhizome::tools
