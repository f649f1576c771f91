#include "tools/cli/command_again.hpp"

#include <regex>

#include "tools/cli/shell.hpp"

namespace rhizome::tools {

// The environment there must not change the scenario.
std::string command_again(const scenarios::OrderRecord& order) {
  std::string command = "RHIZOME_SET=" + shell_word(order.environment) + " " + order.command;
  for (const std::string& text : order.assignments) command += " --set " + quoted(text);
  for (const std::string& name : order.schedulers) command += " --scheduler " + quoted(name);
  return order.share ? command + " --share " + order.share->text() : command;
}

std::string shown_command_again(const scenarios::OrderRecord& order) {
  constexpr std::size_t longest = 1000;  // bytes: a regex takes memory for each
  static const std::regex ours(
      R"(rhizome (run|tournament) scenario\.toml)"
      R"(( --(retry|schedulers|metric|width|most|budget) ([0-9]+|('[^'\\!]*'|\\['\\!])+))*)");
  const bool is_ours = order.command.size() <= longest && std::regex_match(order.command, ours);
  return is_ours ? command_again(order) : std::string();
}

}  // namespace rhizome::tools
