#include "tools/cli/command_again.hpp"

#include "tools/cli/shell.hpp"

namespace rhizome::tools {

// The environment there must not change the scenario.
std::string command_again(const scenarios::OrderRecord& order) {
  if (!scenarios::is_run_again(order.command)) return {};
  std::string command = "RHIZOME_SET=" + shell_word(order.environment) + " " + order.command;
  for (const std::string& text : order.assignments) command += " --set " + quoted(text);
  for (const std::string& name : order.schedulers) command += " --scheduler " + quoted(name);
  return order.share ? command + " --share " + order.share->text() : command;
}

}  // namespace rhizome::tools
