#include "agents/program/options.hpp"

#include "agents/work/command_line.hpp"
#include "core/child/own_program.hpp"

namespace rhizome::agents::program {

core::Settings<Options> settings() {
  using O = Options;
  return core::Settings<O>{}
      .add("command", &O::command,
           {"The program that runs a peer, and its arguments, between blanks; quotes keep blanks "
            "together. No shell reads them."})
      .add(
          "directory", &O::directory,
          {"The directory that programs work in, relative to the scenario; empty: the directory of "
           "the scenario."})
      .add("peers_per_process", &O::peers_per_process,
           {"Peers that one process runs, told apart by \"dest\". More needs fewer processes.",
            "our choice", 1, 1e6})
      .add("answer_within", &O::answer_within,
           {"The run is given up where a program takes longer than this to answer, in real time.",
            "our choice", 0.001, 1e6})
      .add("quiet_for", &O::quiet_for,
           {"A program that never says \"idle\" has answered once it has been silent for so long, "
            "in real time, and is heard as often in emulated time. Such a run may not be "
            "deterministic. 0: a program that never says \"idle\" is refused.",
            "our choice", 0, 1e6})
      .add("log", &O::log,
           {"The directory, relative to the scenario, where a file for each process, named after "
            "its "
            "peers, gets what it writes to standard error, up to 1 MiB; empty: \"logs\" in the run "
            "directory, where the monitor finds it."})
      .add(
          "survives", &O::survives,
          {"Whether the program promises that peers other than the source may die.", "our choice"});
}

std::string refusal(const Options& options, const World&) {
  if (options.quiet_for > core::Duration::zero() && options.peers_per_process > 1)
    return "a program that is heard by its silence (quiet_for) cannot say for which of several "
           "peers it speaks: leave out peers_per_process";
  const auto words = words_in(options.command);
  if (!words) return "command has a quote that is not closed";
  if (words->empty()) return "command names no program";
  if (!program_place(words->front(), options.directory))
    return "there is no program \"" + words->front() +
           "\": command is one text, as \"python3 mine.py\", and a list compares several";
  if (!is_executable(core::warden_program()))
    return "programs need " + core::warden_program() + ", which is missing";
  return {};
}

}  // namespace rhizome::agents::program
