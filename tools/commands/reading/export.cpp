#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/store/csv.hpp"
#include "scenarios/store/directory.hpp"
#include "scenarios/text/nearest.hpp"
#include "scenarios/text/whole_file.hpp"
#include "tools/cli/output.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/reading/stored.hpp"

namespace rhizome::tools {

namespace {

// How the experiment ended, which no table of its runs tells: they may be a part of it.
std::filesystem::path write_experiment(const scenarios::StoredRun& run,
                                       const std::filesystem::path& to) {
  const std::filesystem::path file = to / "experiment.csv";
  scenarios::write_whole(file, "name,verdict,runs,partial\r\n" + scenarios::csv_field(run.name()) +
                                   "," + scenarios::csv_field(run.record.verdict) + "," +
                                   std::to_string(run.store.size()) + "," +
                                   scenarios::csv_field(partial_text(run)) + "\r\n");
  return file;
}

// Those that are asked for, each of which there is.
std::vector<std::string> chosen(const scenarios::Store& store, const Arguments& arguments) {
  const std::vector<std::string> names = store.tables();
  std::vector<std::string> tables = arguments.texts("table");
  for (const std::string& table : tables)
    if (std::find(names.begin(), names.end(), table) == names.end())
      throw UsageError("there is no table \"" + table + "\"" + scenarios::suggestion(table, names));
  if (arguments.has("wide")) tables.emplace_back(scenarios::wide_table);
  return tables;
}

}  // namespace

Exit export_command(const Arguments& arguments) {
  const scenarios::StoredRun run = open_stored(arguments.positional().front(), arguments);
  const std::filesystem::path to = arguments.text("to").value_or((run.path / "csv").string());
  const std::vector<std::string> tables = chosen(run.store, arguments);
  std::vector<std::filesystem::path> files = run.store.export_csv(to, tables);
  if (tables.empty()) files.push_back(write_experiment(run, to));
  for (const std::filesystem::path& file : files) print_text(file.string() + "\n");
  return Exit::holds;
}

}  // namespace rhizome::tools
