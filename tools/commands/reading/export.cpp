#include <cstdio>
#include <filesystem>

#include "scenarios/store/directory.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/reading/stored.hpp"

namespace rhizome::tools {

Exit export_command(const Arguments& arguments) {
  const scenarios::StoredRun run = open_stored(arguments.positional().front(), arguments);
  const std::filesystem::path to = arguments.text("to").value_or((run.path / "csv").string());
  for (const std::filesystem::path& file : run.store.export_csv(to))
    std::printf("%s\n", file.string().c_str());
  return Exit::holds;
}

}  // namespace rhizome::tools
