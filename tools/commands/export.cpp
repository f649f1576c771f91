#include <cstdio>
#include <filesystem>

#include "scenarios/store/directory.hpp"
#include "tools/commands/commands.hpp"

namespace rhizome::tools {

Exit export_command(const Arguments& arguments) {
  const std::string& word = arguments.positional().front();
  const std::filesystem::path path =
      std::filesystem::exists(word)
          ? std::filesystem::path(word)
          : std::filesystem::path(arguments.text("runs-dir").value_or("runs")) / word;
  const scenarios::StoredRun run = scenarios::open_run(path);
  const std::filesystem::path to = arguments.text("to").value_or((run.path / "csv").string());
  for (const std::filesystem::path& file : run.store.export_csv(to))
    std::printf("%s\n", file.string().c_str());
  return Exit::holds;
}

}  // namespace rhizome::tools
