#include "scenarios/store/record.hpp"

#include "scenarios/text/counted.hpp"
#include "scenarios/text/json.hpp"

namespace rhizome::scenarios {

namespace {

constexpr const char* schema = "rhizome.run/2";

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
                    {"repetition", wall.repetition + 1},
                    {"wall_seconds", wall.seconds},
                    {"failure", wall.failure},
                    {"repeated", wall.repeated},
                    {"steered", wall.steered},
                    {"steered_as", wall.steered_as}});
  return list;
}

Json json(const std::optional<Watched>& watched) {
  if (!watched) return nullptr;
  return {{"monitors", watched->monitors},
          {"frames", watched->frames},
          {"processor_seconds", watched->processor_seconds}};
}

Json json(const MachineRecord& host) {
  return {{"cores", host.cores},
          {"memory_bytes", host.memory_bytes},
          {"kernel", host.kernel},
          {"processor", host.processor}};
}

Json json(const std::optional<OrderRecord>& order) {
  if (!order) return nullptr;
  return {{"share", order->share ? Json(order->share->text()) : Json(nullptr)},
          {"command", order->command},
          {"environment", order->environment},
          {"set", order->assignments},
          {"schedulers", order->schedulers},
          {"options", order->options}};
}

Json json(const std::vector<PartRecord>& parts) {
  Json list = Json::array();
  for (const PartRecord& part : parts)
    list.push_back({{"share", part.share.text()},
                    {"directory", part.directory},
                    {"started", part.started},
                    {"ended", part.ended},
                    {"host", json(part.host)},
                    {"remarks", part.remarks}});
  return list;
}

// Burdens by the name of their class.
Json json(const core::BurdensByClass& crossed) {
  Json object = Json::object();
  for (std::size_t c = 0; c < crossed.size(); ++c)
    object[std::string(name_of(static_cast<core::MessageClass>(c)))] = {
        {"messages", crossed[c].messages}, {"bytes", crossed[c].bytes}};
  return object;
}

core::BurdensByClass crossed_in(const Json& process) {
  core::BurdensByClass crossed{};
  for (std::size_t c = 0; c < crossed.size(); ++c) {
    const Json& burden =
        process.at("crossed").at(std::string(name_of(static_cast<core::MessageClass>(c))));
    crossed[c] = {.messages = burden.at("messages").get<std::uint64_t>(),
                  .bytes = burden.at("bytes").get<std::uint64_t>()};
  }
  return crossed;
}

Json json(const std::vector<ProcessRecord>& processes) {
  Json list = Json::array();
  for (const ProcessRecord& process : processes)
    list.push_back({{"host", process.host},
                    {"cores", process.cores},
                    {"host_cores", process.host_cores},
                    {"peers", process.peers},
                    {"clock_offset_seconds", process.clock_offset},
                    {"clock_bound_seconds", process.clock_bound},
                    {"round_trip_seconds", process.round_trip},
                    {"runs", process.runs},
                    {"crossed", json(process.crossed)},
                    {"lost", process.lost}});
  return list;
}

Json json(const std::optional<LaunchRecord>& launch) {
  if (!launch) return nullptr;
  return {{"launcher", launch->launcher}, {"met_by", launch->met_by}};
}

std::vector<ProcessRecord> processes_of(const Json& list) {
  std::vector<ProcessRecord> processes;
  for (const Json& each : list.items())
    processes.push_back({.host = each.at("host").get<std::string>(),
                         .cores = each.at("cores").get<std::uint32_t>(),
                         .host_cores = each.at("host_cores").get<std::uint32_t>(),
                         .peers = each.at("peers").get<std::uint32_t>(),
                         .clock_offset = each.at("clock_offset_seconds").get<double>(),
                         .clock_bound = each.at("clock_bound_seconds").get<double>(),
                         .round_trip = each.at("round_trip_seconds").get<double>(),
                         .runs = each.at("runs").get<std::uint32_t>(),
                         .crossed = crossed_in(each),
                         .lost = each.at("lost").get<std::string>()});
  return processes;
}

Json json(const std::vector<FileRead>& files) {
  Json list = Json::array();
  for (const FileRead& file : files)
    list.push_back({{"name", file.name}, {"bytes", file.bytes}, {"fnv1a", file.fingerprint}});
  return list;
}

// The functions below throw JsonError for a key that is missing or of another type.
std::string text_at(const Json& in, const char* key) { return in.at(key).get<std::string>(); }

std::vector<std::string> texts_at(const Json& in, const char* key) {
  std::vector<std::string> list;
  for (const Json& item : in.at(key).items()) list.push_back(item.get<std::string>());
  return list;
}

MachineRecord host_of(const Json& host) {
  return {.cores = host.at("cores").get<unsigned>(),
          .memory_bytes = host.at("memory_bytes").get<std::uint64_t>(),
          .kernel = text_at(host, "kernel"),
          .processor = text_at(host, "processor")};
}

RunShare share_in(const Json& json) {
  const auto share = run_share_of(text_at(json, "share"));
  if (!share) throw JsonError("no share");
  return *share;
}

std::optional<OrderRecord> order_of(const Json& json) {
  if (!json.contains("order") || json.at("order").is_null()) return {};
  const Json& order = json.at("order");
  OrderRecord record{.command = text_at(order, "command"),
                     .environment = text_at(order, "environment"),
                     .assignments = texts_at(order, "set"),
                     .schedulers = texts_at(order, "schedulers")};
  if (!order.at("share").is_null()) record.share = share_in(order);
  if (order.contains("options")) record.options = texts_at(order, "options");
  return record;
}

std::optional<LaunchRecord> launch_of(const Json& json) {
  if (!json.contains("launch") || json.at("launch").is_null()) return {};
  const Json& launch = json.at("launch");
  return LaunchRecord{.launcher = text_at(launch, "launcher"), .met_by = text_at(launch, "met_by")};
}

std::vector<PartRecord> parts_of(const Json& json) {
  std::vector<PartRecord> parts;
  if (!json.contains("parts")) return parts;
  for (const Json& part : json.at("parts").items())
    parts.push_back({.share = share_in(part),
                     .directory = text_at(part, "directory"),
                     .started = text_at(part, "started"),
                     .ended = text_at(part, "ended"),
                     .host = host_of(part.at("host")),
                     .remarks = texts_at(part, "remarks")});
  return parts;
}

RunRecord record_in(const Json& json) {
  RunRecord record{.name = text_at(json, "name"),
                   .started = text_at(json, "started"),
                   .ended = text_at(json, "ended"),
                   .replay = text_at(json, "replay"),
                   .verdict = text_at(json, "verdict"),
                   .host = host_of(json.at("host")),
                   .versions = {},
                   .walls = {},
                   .remarks = texts_at(json, "remarks"),
                   .order = order_of(json),
                   .parts = parts_of(json)};
  for (const auto& [name, version] : json.at("versions").members())
    record.versions.emplace_back(name, version.get<std::string>());
  for (const Json& run : json.at("runs").items())
    record.walls.push_back(
        {.label = text_at(run, "label"),
         .cell = text_at(run, "cell"),
         .repetition = repetition_in(run),
         .seconds = run.at("wall_seconds").get<double>(),
         .failure = run.contains("failure") ? text_at(run, "failure") : "",
         .repeated = run.contains("repeated") ? run.at("repeated").get<std::uint32_t>() : 0,
         .steered = run.contains("steered") ? run.at("steered").get<std::uint32_t>() : 0,
         .steered_as = run.contains("steered_as") ? text_at(run, "steered_as") : ""});
  if (json.contains("watched") && !json.at("watched").is_null())
    record.watched = {
        .monitors = json.at("watched").at("monitors").get<std::uint32_t>(),
        .frames = json.at("watched").at("frames").get<std::uint64_t>(),
        .processor_seconds = json.at("watched").at("processor_seconds").get<double>()};
  if (json.contains("processes")) record.processes = processes_of(json.at("processes"));
  record.launch = launch_of(json);
  if (!json.contains("files")) return record;
  for (const Json& file : json.at("files").items())
    record.files.push_back(
        {text_at(file, "name"), file.at("bytes").get<std::uintmax_t>(), text_at(file, "fnv1a")});
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
                      {"host", json(record.host)},
                      {"versions", json(record.versions)},
                      {"files", json(record.files)},
                      {"remarks", record.remarks},
                      {"watched", json(record.watched)},
                      {"order", json(record.order)},
                      {"parts", json(record.parts)},
                      {"processes", json(record.processes)},
                      {"launch", json(record.launch)},
                      {"runs", json(record.walls)}});
}

std::optional<RunRecord> record_of(const std::string& text) {
  const std::optional<Json> json = parse_json(text);
  try {
    if (!json || json->at("schema") != schema) return {};
    return record_in(*json);
  } catch (const JsonError&) {
    return {};
  }
}

}  // namespace rhizome::scenarios
