#include "tools/serve/served_run.hpp"

#include "scenarios/text/files.hpp"
#include "scenarios/text/json.hpp"
#include "scenarios/text/whole_file.hpp"

namespace rhizome::tools {

using scenarios::Json;

namespace {

constexpr const char* served_name = "served.json";

}  // namespace

void note_served_run(const std::filesystem::path& directory, const ServedRun& run) {
  const Json json{{"scheduler", run.scheduler}, {"store", run.store.string()}};
  scenarios::write_whole(directory / served_name, scenarios::line_of(json) + "\n");
}

std::optional<ServedRun> served_run_in(const std::filesystem::path& directory) {
  const auto json =
      scenarios::parse_json(scenarios::read_plain_file(directory / served_name).value_or(""));
  try {
    if (!json || !json->is_object()) return {};
    return ServedRun{json->at("scheduler").get<std::string>(),
                     json->at("store").get<std::string>()};
  } catch (const scenarios::JsonError&) {
    return {};
  }
}

}  // namespace rhizome::tools
