// A command of `rhizome`: one table entry from which help, parsing and shell completion are made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rhizome::tools {

// The verdict of a command, as its exit status. From 64 up as in sysexits.h.
enum class Exit : int {
  holds = 0,          // done, and all claims hold
  fails = 1,          // a claim or an invariant failed
  inconclusive = 2,   // an invalid run, or too few repetitions
  usage = 64,         // the command line is wrong
  bad_input = 65,     // a file or a setting is wrong
  no_input = 66,      // a file cannot be read
  unavailable = 69,   // this machine cannot do it
  internal = 70,      // our fault
  cannot_write = 73,  // an output cannot be created
  given_up = 75,      // one of several processes: the others go on without it
  interrupted = 130
};

// The meaning of each status, in a few words.
struct ExitMeaning {
  Exit status;
  std::string_view meaning;
};
[[nodiscard]] std::span<const ExitMeaning> exit_meanings();

// An error in the command line; the text is one sentence.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Option {
  std::string name;    // without dashes
  char letter = '\0';  // a short form, if any
  // The placeholder of its value in help; empty: a flag; "[NUMBER]": an optional number.
  std::string value{};
  std::string help;
  std::vector<std::string> choices{};  // the values it may have; empty: any
  bool repeatable = false;
};

// The arguments of one command on the command line.
class Arguments {
 public:
  Arguments(std::vector<std::string> positional,
            std::map<std::string, std::vector<std::string>> options)
      : positional_(std::move(positional)), options_(std::move(options)) {}
  [[nodiscard]] const std::vector<std::string>& positional() const { return positional_; }
  [[nodiscard]] bool has(const std::string& option) const { return options_.contains(option); }
  [[nodiscard]] std::optional<std::string> text(const std::string& option) const;
  [[nodiscard]] std::vector<std::string> texts(const std::string& option) const;
  // A whole number of at least `least`; throws UsageError otherwise.
  [[nodiscard]] std::optional<std::uint64_t> number(const std::string& option,
                                                    std::uint64_t least) const;
  // Throws UsageError "--option why" for the first of these options that was given.
  void refuse(std::initializer_list<const char*> options, const std::string& why) const;

 private:
  std::vector<std::string> positional_;
  std::map<std::string, std::vector<std::string>> options_;
};

// How many words a command takes beside its options.
struct WordCount {
  std::size_t least = 0;
  std::size_t most = 0;
};

struct Command {
  std::string_view name;
  std::string_view summary;       // one line
  std::string_view positional{};  // for example "SCENARIO [FILE...]"; empty: takes none
  std::string_view about;         // a paragraph
  std::vector<std::string_view> examples;
  std::vector<Option> options{};
  Exit (*run)(const Arguments&);
  // Whether several copies, as a launcher begins them, would all do the same and overwrite each
  // other's files.
  bool alone = false;
  // Whether it reads stored runs, which may be a stranger's, within limits of memory and time.
  bool reads = false;
  // Whether it also runs scenarios, beside stored runs.
  bool runs = false;

  // The number of words that `positional` allows: a word in brackets may be missing, one with dots
  // may be repeated.
  [[nodiscard]] WordCount words() const;
};

// Every command, in the order of the help.
[[nodiscard]] std::span<const Command> commands();

// Commands that serve one purpose, by name, as the general help lists them.
struct CommandGroup {
  std::string_view title;
  std::vector<std::string_view> commands;
};
// Every command is in one group.
[[nodiscard]] std::span<const CommandGroup> command_groups();

[[nodiscard]] const Command* find_command(std::string_view name);

// Throws UsageError on an unknown option, a missing value, or too few or many arguments.
[[nodiscard]] Arguments parse(const Command& command, std::span<const std::string> words);

[[nodiscard]] std::string help_of(const Command& command);
[[nodiscard]] std::string general_help();

}  // namespace rhizome::tools
