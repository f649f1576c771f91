#include "tools/chain/chain.hpp"

#include <stdexcept>

#include "tools/cli/output.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/reading/stored.hpp"

namespace rhizome::tools {

Exit chain_command(const Arguments& arguments) {
  const agents::TaskId task = task_named(arguments.positional().back());
  const scenarios::Outcome outcome = read_stored(arguments);
  try {
    const Chain chain = chain_of(outcome, task);
    const bool json = arguments.text("output") == "json";
    print_text((json ? json_of(chain) : text_of(chain)));
  } catch (const std::out_of_range& error) {
    throw UsageError(error.what());
  }
  return Exit::holds;
}

}  // namespace rhizome::tools
