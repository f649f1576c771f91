#include <fmt/core.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "scenarios/live/seen/recording.hpp"
#include "scenarios/store/directory.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/json.hpp"
#include "scenarios/text/whole_file.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/messages.hpp"
#include "tools/cli/options.hpp"
#include "tools/cli/output.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/watching/monitor_web.hpp"
#include "tools/commands/watching/steering_options.hpp"
#include "tools/monitor/attachment.hpp"
#include "tools/monitor/frame_json.hpp"
#include "tools/monitor/live_source.hpp"
#include "tools/monitor/playback.hpp"
#include "tools/monitor/registry.hpp"
#include "tools/monitor/steering.hpp"
#include "tools/monitor/stored_recording.hpp"
#include "tools/monitor/watching.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;
using scenarios::Json;
using scenarios::UnreadableFile;

namespace {

using namespace std::chrono_literals;

bool is_meant(const RegisteredRun& run, const std::string& word) {
  if (is_number(word)) return std::to_string(run.process) == word;
  std::error_code ignored;
  return !run.directory.empty() && std::filesystem::equivalent(run.directory, word, ignored);
}

// Whether the run stores its results in ./runs.
bool is_of_this_folder(const RegisteredRun& run) {
  std::error_code ignored;
  return !run.directory.empty() && !std::filesystem::is_symlink("runs", ignored) &&
         std::filesystem::equivalent(std::filesystem::path(run.directory).parent_path(), "runs",
                                     ignored);
}

// The newest run of ./runs, else the newest of all. Where it is one of several, it is named.
const RegisteredRun& usual_run(const std::vector<RegisteredRun>& runs) {
  const auto here = std::ranges::find_if(runs, is_of_this_folder);
  const RegisteredRun& chosen = here == runs.end() ? runs.front() : *here;
  if (runs.size() > 1)
    warn(fmt::format("of {} runs under way, this is process {}: {}{}", runs.size(), chosen.process,
                     chosen.scenario,
                     chosen.directory.empty() ? "" : ", stored in " + chosen.directory));
  return chosen;
}

// A run that was begun just before, as by a script, can be found only once it is ready.
std::vector<RegisteredRun> runs_soon(const Registry& registry) {
  constexpr auto patience = 3s;
  const auto until = std::chrono::steady_clock::now() + patience;
  std::vector<RegisteredRun> runs = registry.runs();
  while (runs.empty() && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(50ms);
    runs = registry.runs();
  }
  return runs;
}

// The requested run.
RegisteredRun choose(const Registry& registry, const Arguments& arguments) {
  if (const auto objection = registry.objection()) throw UnreadableFile(*objection);
  const std::vector<RegisteredRun> runs = runs_soon(registry);
  if (runs.empty())
    throw UnreadableFile(
        "no run is under way: begin one with rhizome run, or name the directory of a finished one, "
        "such as runs/latest, to see it again");
  if (arguments.positional().empty() || arguments.positional().front() == "latest")
    return usual_run(runs);
  const std::string& word = arguments.positional().front();
  for (const RegisteredRun& run : runs)
    if (is_meant(run, word)) return run;
  throw UnreadableFile(word +
                       ": no run under way has that number or directory: rhizome monitor --list "
                       "says which there are");
}

Json json_of(const RegisteredRun& run) {
  return {{"pid", run.process},
          {"scenario", run.scenario},
          {"began", run.began},
          {"directory", run.directory.empty() ? Json(nullptr) : Json(run.directory)}};
}

Exit list_runs(const Registry& registry, bool as_json) {
  if (const auto objection = registry.objection()) throw UnreadableFile(*objection);
  const std::vector<RegisteredRun> runs = registry.runs();
  if (as_json) {
    Json list = Json::array();
    for (const RegisteredRun& run : runs) list.push_back(json_of(run));
    print_text(text_of(list));
    return Exit::holds;
  }
  if (runs.empty()) tell("no run is under way");
  for (const RegisteredRun& run : runs)
    print_line(fmt::format("{:<8} {}  {}  {}", run.process, run.began, run.scenario,
                           run.directory.empty() ? "(not kept)" : run.directory));
  return Exit::holds;
}

// Takes frames until the runs are over, and prints a line for each on request.
Exit take_frames(Attachment& attachment, const Arguments& arguments, bool printed) {
  std::uint64_t left = arguments.number("frames", 1).value_or(~std::uint64_t{0});
  while (left > 0 && !interrupt_flag()) {
    if (arguments.has("record")) attachment.look_around();
    switch (attachment.wait(200ms)) {
      case Attachment::News::none:
        break;
      case Attachment::News::frame:
        if (printed)
          print_line(
              frame_line(attachment.state(), attachment.latest_facts(), attachment.welcome()));
        --left;
        break;
      case Attachment::News::refused:
        throw UnreadableFile("process " + std::to_string(attachment.run().process) + ": " +
                             attachment.reason());
      case Attachment::News::over:
        return Exit::holds;
      case Attachment::News::gone:
        warn("process " + std::to_string(attachment.run().process) + " has gone without a word");
        return Exit::holds;
    }
  }
  return interrupt_flag() ? Exit::interrupted : Exit::holds;
}

Exit show_in_terminal(Source& source) {
  try {
    Terminal terminal;
    watch(source, terminal);
  } catch (const NoTerminal& error) {
    throw UsageError(error.what());
  }
  return interrupt_flag() ? Exit::interrupted : Exit::holds;
}

// A number, "latest" and the directory of a run that goes on mean that run, whatever stands here:
// another user may have put it. A file of such a name is named by a path.
std::optional<FinishedRun> finished_named(const Registry& registry, const Arguments& arguments) {
  if (arguments.positional().empty()) return {};
  const std::string& word = arguments.positional().front();
  if (is_number(word) || word == "latest") return {};
  for (const RegisteredRun& run : registry.runs())
    if (is_meant(run, word)) return {};
  return finished_at(word);
}

// Checked before a file is made that a refusal would leave behind.
void check_terminal() {
  try {
    Terminal::check();
  } catch (const NoTerminal& error) {
    throw UsageError(error.what());
  }
}

Exit print_recorded(Playback& playback, const Arguments& arguments) {
  std::uint64_t left = arguments.number("frames", 1).value_or(~std::uint64_t{0});
  bool more = !playback.state().empty();
  for (; more && left > 0 && !interrupt_flag(); --left) {
    const scenarios::live::Knowledge& known = playback.known();
    print_line(frame_line(known.state, known.latest_facts, known.welcome));
    more = playback.step();
  }
  return interrupt_flag() ? Exit::interrupted : Exit::holds;
}

Exit play(const std::filesystem::path& file, const std::filesystem::path& directory,
          const Arguments& arguments, bool as_json) {
  Playback playback(file, directory);
  if (playback.is_cut_off()) warn(file.string() + " ends in the midst: its monitor was killed");
  return as_json ? print_recorded(playback, arguments) : show_in_terminal(playback);
}

Exit play_stored(const std::filesystem::path& directory, const Arguments& arguments, bool as_json) {
  if (!as_json) check_terminal();
  const scenarios::StoredRun run = scenarios::open_run(directory);
  const StoredRecording recording(
      run, outcome_of(arguments.number("number", 1).value_or(0), run.store.size(), "number"));
  return play(recording.file(), directory, arguments, as_json);
}

Exit replay(const FinishedRun& finished, const Arguments& arguments, bool as_json) {
  arguments.refuse({"record", "views"}, "has no effect on what is seen again");
  if (arguments.has("number") && !finished.stored)
    throw UsageError("--number has no effect on a recording");
  try {
    if (serves(arguments)) return serve_finished(finished, arguments);
    return finished.stored ? play_stored(finished.path, arguments, as_json)
                           : play(finished.path, {}, arguments, as_json);
  } catch (const scenarios::live::BadRecording& error) {
    throw UnreadableFile(error.what());
  }
}

// Records the watched run, if requested.
class Recorder {
 public:
  Recorder(Attachment& attachment, const std::optional<std::string>& file) : file_(file) {
    if (!file) return;
    writer_.emplace(*file);
    check();
    attachment.record(*writer_);
  }
  // Throws CannotWrite.
  void check() const {
    if (writer_ && !writer_->is_sound())
      throw scenarios::CannotWrite(*file_ + ": the recording cannot be written");
  }

 private:
  std::optional<std::string> file_;
  std::optional<scenarios::live::RecordingWriter> writer_;
};

void steer_run(const RegisteredRun& run, const live::Steer& command) {
  try {
    const std::string what = steer(run, command);
    if (!what.empty()) print_line(what);
  } catch (const NotSteered& error) {
    throw UnreadableFile("process " + std::to_string(run.process) + ": " + error.what());
  }
}

void check_options(const Arguments& arguments) {
  check_serving(arguments);
  if (arguments.has("views") && !arguments.has("record") && arguments.text("output") != "json")
    throw UsageError(
        "--views has an effect only with --record or -o json: a terminal shows them of "
        "a peer that is opened");
  if (!arguments.has("list")) return;
  if (!arguments.positional().empty())
    throw UsageError("--list shows all runs under way, and takes none of them");
  arguments.refuse({"number", "frames", "record", "views"}, "has no effect with --list");
}

std::vector<Option> watching_options() {
  return {
      {.name = "list", .help = "list the runs under way, the newest first"},
      {.name = "number",
       .value = "N",
       .help = "show the Nth run of the experiment (the newest; of a finished experiment, the "
               "first)"},
      {.name = "frames", .value = "N", .help = "with -o json or --record: stop after N frames"},
      {.name = "web",
       .value = "[PORT]",
       .help = "serve a page that shows the run, at this port (any free port)"},
      {.name = "beside",
       .value = "N|FILE",
       .help = "with --web: also show the Nth run of the experiment, or a recording or finished "
               "run, at the same emulated time"},
      {.name = "metrics",
       .value = "[PORT]",
       .help = "serve the figures of the run as OpenMetrics instead of a page"},
      {.name = "token-file",
       .value = "FILE",
       .help = "keep the token for programs in FILE, so that it stays the same, and the one for "
               "steering in FILE.steer; the page has another token at each start"},
      {.name = "record",
       .value = "FILE",
       .help = "record what is shown; rhizome monitor FILE shows it again"},
      {.name = "views", .help = "with --record or -o json: include the views of overlays"},
      {.name = "output",
       .letter = 'o',
       .value = "FORMAT",
       .help = "json: print a line for each frame instead of a display",
       .choices = {"json"}}};
}

}  // namespace

Exit monitor_command(const Arguments& arguments) {
  check_options(arguments);
  const Registry registry = Registry::of_user();
  const bool as_json = arguments.text("output") == "json";
  if (arguments.has("list")) return list_runs(registry, as_json);
  const bool displayed = !as_json && (!arguments.has("record") || Terminal::is_there());
  if (displayed && arguments.has("frames"))
    throw UsageError(
        "--frames has no effect in a terminal: it is for -o json, or --record without one");
  if (const auto command = steering_of(arguments)) {
    steer_run(choose(registry, arguments), *command);
    return Exit::holds;
  }
  if (const auto finished = finished_named(registry, arguments))
    return replay(*finished, arguments, as_json);
  const RegisteredRun run = choose(registry, arguments);
  if (serves(arguments)) return serve_run(registry, run, number_of_run(arguments), arguments);
  Attachment attachment(registry, run, number_of_run(arguments), facts_at_a_time);
  if (displayed) check_terminal();
  const Recorder recorder(attachment, arguments.text("record"));
  const bool views = arguments.has("views");
  attachment.want_views(views);
  LiveSource source(attachment, views);
  const Exit exit =
      displayed ? show_in_terminal(source) : take_frames(attachment, arguments, as_json);
  recorder.check();
  return exit;
}

Command monitor_entry() {
  return {.name = "monitor",
          .summary = "watch a run that is under way, without disturbing it",
          .positional = "[RUN|FILE]",
          .about =
              "Attaches to a run of yours that is under way. Up to 16 monitors can attach to\n"
              "one run. RUN is the process id of rhizome run, a run directory, or latest.\n"
              "Without RUN, monitor takes the newest run under way in ./runs, else the newest\n"
              "of all; if there is none, it waits 3 s for one. An experiment consists of many\n"
              "runs: monitor shows its newest run under way, or the one that --number selects.\n"
              "Watching takes at most 1 % of a core for runs on threads and 5 % in virtual\n"
              "time; if that does not suffice for ten frames a second, monitor shows fewer.\n"
              "\n"
              "In a terminal, monitor shows progress, messages, the load of peers, the tree or\n"
              "groups, events, the story of a task, health, and all runs. The key ? explains\n"
              "the other keys, the left arrow goes back in time, and q leaves. With --web it\n"
              "shows the same in a browser of this machine, at the address that it prints,\n"
              "until it is interrupted. With -o json it prints one line for each frame: totals\n"
              "since the beginning, the peers that changed since the frame before, and new\n"
              "events. --record writes the frames to a file, and rhizome monitor FILE shows\n"
              "them again; without a terminal it only records. monitor also shows the directory\n"
              "of a finished run, as far as its recorded events allow.\n"
              "\n"
              "A run in virtual time that began with --control can be paused,\n"
              "continued, slowed down, and moved on by single events; its results stay the\n"
              "same. In a run that began with --control, on both engines, monitors can crash,\n"
              "remove and restart peers, or cut them off from all others. In virtual time such\n"
              "a fault happens one nanosecond after the latest event, never at the time of an\n"
              "event. Tables, reports and JSON mark the run as steered, and claims about it are\n"
              "inconclusive. steered.toml in its run directory is a scenario with the same\n"
              "faults; in virtual time it repeats the run to the byte.",
          .examples = {"rhizome monitor", "rhizome monitor --list", "rhizome monitor --web",
                       "rhizome monitor --metrics 9400 --token-file ~/.rhizome-token",
                       "rhizome monitor --record seen.rhizome --views &",
                       "rhizome monitor seen.rhizome",
                       "rhizome monitor runs/latest --web --number 1 --beside 2",
                       "rhizome monitor -o json --frames 1", "rhizome monitor --crash 7",
                       "rhizome monitor --cut-off 3,4,9..12", "rhizome monitor --heal",
                       "rhizome monitor runs/latest -o json | jq .totals.tasks.completed"},
          .options = joined({watching_options(), steering_options()}),
          .run = monitor_command};
}

}  // namespace rhizome::tools
