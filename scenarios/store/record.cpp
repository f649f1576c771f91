#include "scenarios/store/record.hpp"

#include "scenarios/text/json.hpp"

namespace rhizome::scenarios {

namespace {

constexpr const char* schema = "rhizome.run/1";

Json json(const Versions& versions) {
  Json object = Json::object();
  for (const auto& [name, version] : versions) object[name] = version;
  return object;
}

Json json(const std::vector<WallTime>& walls) {
  Json list = Json::array();
  for (const WallTime& wall : walls)
    list.push_back({{"label", wall.label},
                    {"cell", wall.cell},
                    {"repetition", wall.repetition},
                    {"wall_seconds", wall.seconds},
                    {"failure", wall.failure}});
  return list;
}

// Throws Json::exception where a key is missing or of another type.
RunRecord record_of(const Json& json) {
  RunRecord record{.name = json.at("name"),
                   .started = json.at("started"),
                   .ended = json.at("ended"),
                   .replay = json.at("replay"),
                   .verdict = json.at("verdict"),
                   .host = {.cores = json.at("host").at("cores"),
                            .memory_bytes = json.at("host").at("memory_bytes"),
                            .kernel = json.at("host").at("kernel"),
                            .processor = json.at("host").at("processor")},
                   .versions = {},
                   .walls = {},
                   .remarks = json.at("remarks").get<std::vector<std::string>>()};
  for (const auto& [name, version] : json.at("versions").items())
    record.versions.emplace_back(name, version.get<std::string>());
  for (const Json& run : json.at("runs"))
    record.walls.push_back({.label = run.at("label"),
                            .cell = run.at("cell"),
                            .repetition = run.at("repetition"),
                            .seconds = run.at("wall_seconds"),
                            .failure = run.value("failure", std::string())});
  return record;
}

}  // namespace

std::string json_of(const RunRecord& record) {
  return text_of(Json{{"schema", schema},
                      {"name", record.name},
                      {"started", record.started},
                      {"ended", record.ended},
                      {"verdict", record.verdict},
                      {"replay", record.replay},
                      {"host",
                       {{"cores", record.host.cores},
                        {"memory_bytes", record.host.memory_bytes},
                        {"kernel", record.host.kernel},
                        {"processor", record.host.processor}}},
                      {"versions", json(record.versions)},
                      {"remarks", record.remarks},
                      {"runs", json(record.walls)}});
}

std::optional<RunRecord> record_of(const std::string& text) {
  const std::optional<Json> json = parse_json(text);
  if (!json || !json->is_object() || json->value("schema", Json()) != schema) return {};
  try {
    return record_of(*json);
  } catch (const Json::exception&) {
    return {};
  }
}

}  // namespace rhizome::scenarios
