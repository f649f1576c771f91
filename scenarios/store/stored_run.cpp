// A stored run as its readers see it.
#include <filesystem>
#include <string>
#include <system_error>

#include "core/child/own_folder.hpp"
#include "core/peer/time.hpp"
#include "scenarios/store/directory.hpp"
#include "scenarios/text/plain_text.hpp"

namespace rhizome::scenarios {

namespace fs = std::filesystem;

std::string StoredRun::name() const { return plain_text(path.filename().string()); }

mode_t StoredRun::readers(const fs::path& folder) const {
  std::error_code ignored;
  mode_t rights = 0644 & core::readers_of(results, folder);
  for (const char* const file : {"", "scenario.toml"})
    if (fs::exists(path / file, ignored)) rights &= core::readers_of(path / file, folder);
  return rights;
}

Outcome StoredRun::read(std::size_t i) const {
  Outcome outcome = store.read(i);
  if (i >= record.walls.size()) return outcome;
  outcome.wall = core::from_seconds(record.walls[i].seconds);
  outcome.repeated = record.walls[i].repeated;
  outcome.steered.operator_commands = record.walls[i].steered;
  if (const std::string& name = record.walls[i].steered_as; !name.empty())
    outcome.steered.again = (path / fs::path(name).filename()).string();
  return outcome;
}

}  // namespace rhizome::scenarios
