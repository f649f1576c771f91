#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "agents/work/command_line.hpp"
#include "agents/work/kinds.hpp"
#include "core/child/child.hpp"
#include "core/child/own_program.hpp"

namespace rhizome::agents {

namespace {

struct Options {
  std::string program;
  std::string arguments;
  std::string input;
  std::string output;
  std::string directory;
  std::uint32_t status = 0;
  core::Duration time_limit{0};
  std::uint32_t memory = 0;  // MiB
  bool links = true;
};

core::Settings<Options> settings() {
  constexpr double longest = 1e7;
  return core::Settings<Options>{}
      .add("program", &Options::program,
           {"The program of a task: a path, from child_directory on, or a name that is looked for "
            "as a shell does."})
      .add("arguments", &Options::arguments,
           {"Its arguments, between blanks; quotes keep blanks together. {job} and {task} are the "
            "numbers of the task. No shell reads them."})
      .add("input", &Options::input,
           {"The file that is its standard input, relative to the scenario; empty: it reads "
            "nothing."})
      .add("output", &Options::output,
           {"The file that its standard output becomes, from child_directory on, where {job} and "
            "{task} may stand; empty: it goes nowhere."})
      .add("directory", &Options::directory,
           {"The directory that it works in, relative to the scenario; empty: the one of the "
            "scenario."})
      .add(
          "status", &Options::status,
          {"The status that it must exit with: any other is a wrong result.", "our choice", 0, 255})
      .add("time_limit", &Options::time_limit,
           {"It is killed, with all that it has begun, after so much real time in which it was not "
            "suspended; 0: never.",
            "our choice", 0, longest})
      .add("memory", &Options::memory,
           {"MiB of address space that it may have (RLIMIT_AS); 0: any.", "our choice", 0, 1e9})
      .add(
          "links", &Options::links,
          {"Whether input, directory and output may lead through symbolic links of this user. Jobs "
           "of a list may not: another user of their folder could put one there."});
}

std::optional<core::Objection> objection(const Options& options) {
  using core::Objection;
  if (options.program.empty()) return Objection{"program", "names no program"};
  if (!program_place(options.program, options.directory))
    return Objection{"program", "there is no program \"" + options.program + "\""};
  if (!is_executable(core::warden_program()))
    return Objection{"program", "children need " + core::warden_program() + ", which is missing"};
  if (!words_in(options.arguments)) return Objection{"arguments", "a quote is not closed"};
  for (const auto& [setting, text] :
       {std::pair{"arguments", &options.arguments}, std::pair{"output", &options.output}})
    if (const std::string place = unknown_place(*text); !place.empty())
      return Objection{setting, place + " stands for nothing: {job} and {task} do"};
  return {};
}

// Nothing for invalid words.
std::unique_ptr<core::Computation> child_of(const Options& options, std::uint64_t subject) {
  constexpr std::uint64_t mebibyte = 1U << 20U;
  const auto arguments = words_in(options.arguments);
  if (!arguments) return nullptr;
  core::ChildOptions child{.words = {options.program},
                           .input = options.input,
                           .output = filled_in(options.output, subject),
                           .directory = options.directory,
                           .links = options.links,
                           .time_limit = options.time_limit,
                           .memory = mebibyte * options.memory,
                           .status = options.status};
  for (const std::string& word : *arguments) child.words.push_back(filled_in(word, subject));
  return std::make_unique<core::Child>(std::move(child));
}

}  // namespace

core::WorkKind child_process_work() {
  return core::make_work_kind<Options>(
      {.name = "child",
       .summary = "a program in a process of its own; in virtual time it only takes its estimate",
       .settings = settings(),
       .compute = child_of,
       .files = {{"input", &Options::input}},
       .folders = {{"directory", &Options::directory}},
       .programs = {{"program", &Options::program}},
       .outputs = {{"output", &Options::output}},
       .confine = [](Options& options) { options.links = false; },
       .objection = objection,
       .in_virtual_time = false});
}

}  // namespace rhizome::agents
