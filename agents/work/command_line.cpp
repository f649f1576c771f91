#include "agents/work/command_line.hpp"

#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <sstream>
#include <system_error>

namespace rhizome::agents {

std::optional<std::vector<std::string>> words_in(std::string_view line) {
  std::vector<std::string> words;
  bool within = false;  // a word
  char quote = 0;
  for (const char letter : line) {
    const bool opens = quote == 0 && (letter == '"' || letter == '\'');
    if (quote == 0 && (letter == ' ' || letter == '\t' || letter == '\n')) {
      within = false;
      continue;
    }
    if (!within) words.emplace_back();
    within = true;
    if (opens)
      quote = letter;
    else if (letter == quote)
      quote = 0;
    else
      words.back() += letter;
  }
  if (quote != 0) return {};
  return words;
}

std::string filled_in(std::string_view text, std::uint64_t subject) {
  std::string filled(text);
  const auto put = [&filled](std::string_view place, std::uint64_t number) {
    const std::string digits = std::to_string(number);
    for (std::size_t at = 0; (at = filled.find(place, at)) != std::string::npos;
         at += digits.size())
      filled.replace(at, place.size(), digits);
  };
  put("{job}", subject >> 32U);
  put("{task}", subject & 0xffff'ffffU);
  return filled;
}

std::string unknown_place(std::string_view text) {
  for (std::size_t from = 0; (from = text.find('{', from)) != std::string_view::npos; ++from) {
    const std::size_t until = text.find('}', from);
    if (until == std::string_view::npos) return {};
    const std::string_view place = text.substr(from, until - from + 1);
    if (place != "{job}" && place != "{task}") return std::string(place);
  }
  return {};
}

bool is_executable(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

std::optional<std::filesystem::path> program_place(const std::string& program,
                                                   const std::filesystem::path& directory) {
  const bool named = program.find('/') != std::string::npos;
  const char* path = named ? "." : std::getenv("PATH");
  std::istringstream places(path == nullptr ? "/bin:/usr/bin" : path);
  for (std::string place; std::getline(places, place, ':');)
    if (auto file = (directory / place / program).lexically_normal(); is_executable(file))
      return file;
  return {};
}

}  // namespace rhizome::agents
