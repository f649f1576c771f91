// Values that a command line may have at a place, for completion by shells.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rhizome::tools {

// A kind of value: its words, or what the shell has to look up.
struct ValueKind {
  enum class From : std::uint8_t { words, files, directories, runs };
  std::string name{};
  From from = From::words;
  std::vector<std::string> words{};  // for files: the ends of their names
};

// The kinds of values for a placeholder in help, such as "METRIC", "[RESULT...]" or
// "SCENARIO|RUN..."; none for numbers and the like.
[[nodiscard]] std::vector<const ValueKind*> kinds_of(std::string_view placeholder);

[[nodiscard]] const std::vector<ValueKind>& value_kinds();

// Commands whose first argument decides the kind of the second.
struct AfterWords {
  std::string_view command;
  std::string_view first;
  std::string_view kind;
};
inline constexpr AfterWords after_words[] = {{"list", "keys", "section"},
                                             {"list", "metrics", "metric"}};

// Completion scripts of shells, made from the table of commands.
[[nodiscard]] std::string bash_script();
[[nodiscard]] std::string fish_script();

}  // namespace rhizome::tools
