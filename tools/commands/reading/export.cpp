#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "scenarios/store/csv.hpp"
#include "scenarios/store/directory.hpp"
#include "scenarios/text/nearest.hpp"
#include "scenarios/text/whole_file.hpp"
#include "tools/cli/messages.hpp"
#include "tools/cli/output.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/stored.hpp"

namespace rhizome::tools {

namespace fs = std::filesystem;

namespace {

struct Marked {
  std::size_t steered = 0;   // runs, by hand
  std::size_t repeated = 0;  // runs, because the first ones were invalid
};

Marked marked_in(const scenarios::StoredRun& run) {
  Marked marked;
  for (const scenarios::WallTime& wall : run.record.walls) {
    if (wall.steered > 0) ++marked.steered;
    if (wall.repeated > 0) ++marked.repeated;
  }
  return marked;
}

// Writes how the experiment ended, which no table of its runs tells: they may be a part of it.
fs::path write_experiment(const scenarios::StoredRun& run, const fs::path& to) {
  const fs::path file = to / "experiment.csv";
  const auto [steered, repeated] = marked_in(run);
  scenarios::write_whole(
      file,
      fmt::format("name,verdict,runs,partial,steered,repeated\r\n{},{},{},{},{},{}\r\n",
                  scenarios::csv_field(run.name()), scenarios::csv_field(run.record.verdict),
                  run.store.size(), scenarios::csv_field(partial_text(run)), steered, repeated),
      scenarios::WholeFile::Name::implied, run.readers(scenarios::led_to(fs::absolute(to))));
  return file;
}

// The requested tables, all of which must exist.
std::vector<std::string> chosen(const scenarios::Store& store, const Arguments& arguments) {
  const std::vector<std::string> names = store.tables();
  std::vector<std::string> tables = arguments.texts("table");
  for (const std::string& table : tables)
    if (std::ranges::find(names, table) == names.end())
      throw UsageError("there is no table \"" + table + "\"" + scenarios::suggestion(table, names));
  if (arguments.has("wide")) tables.emplace_back(scenarios::wide_table);
  return tables;
}

// A directory within that of the run. Another user may have made the latter, and links in it would
// redirect the tables to other files of this user.
fs::path place_within(const fs::path& run) {
  const fs::path to = run / "csv";
  const auto refuse = [](const fs::path& path) {
    throw scenarios::CannotWrite(path.string() +
                                 " is no file of its own, but a link or a device: say with --to "
                                 "where the tables go");
  };
  std::error_code ignored;
  if (fs::is_symlink(fs::symlink_status(to, ignored))) refuse(to);
  for (const fs::directory_entry& each : fs::directory_iterator(to, ignored))
    if (!fs::is_regular_file(each.symlink_status(ignored))) refuse(each.path());
  return to;
}

}  // namespace

Exit export_command(const Arguments& arguments) {
  const scenarios::StoredRun run = open_stored(arguments.positional().front(), arguments);
  const std::vector<std::string> tables = chosen(run.store, arguments);
  const auto named = arguments.text("to");
  const fs::path to = named ? fs::path(*named) : place_within(run.path);
  std::vector<fs::path> files =
      run.store.export_csv(to, tables, run.readers(scenarios::led_to(fs::absolute(to))));
  if (tables.empty()) files.push_back(write_experiment(run, to));
  for (const fs::path& file : files) print_text(file.string() + "\n");
  if (const std::size_t steered = marked_in(run).steered; steered > 0)
    warn(fmt::format("{} of {} runs were steered by hand, which no table tells: run.json does",
                     steered, run.store.size()));
  return Exit::holds;
}

}  // namespace rhizome::tools
