#include "scenarios/store/record.hpp"

#include <concepts>
#include <tuple>

#include "scenarios/text/counted.hpp"
#include "scenarios/text/json.hpp"

namespace rhizome::scenarios {

namespace {

constexpr const char* schema = "rhizome.run/2";

// A key of an object and the member that it holds.
template <class Record, class T>
struct Field {
  const char* key;
  T Record::*member;
  bool of_all_versions = true;  // false: earlier ones do not have the key
};
template <class Record, class T>
constexpr Field<Record, T> later(const char* key, T Record::*member) {
  return {key, member, false};
}

// The keys of each kind of object, in their order, from which it is written and read.
template <class Record>
constexpr std::tuple<> fields{};
template <>
constexpr auto fields<MachineRecord> = std::tuple(
    Field{"cores", &MachineRecord::cores}, Field{"memory_bytes", &MachineRecord::memory_bytes},
    Field{"kernel", &MachineRecord::kernel}, Field{"processor", &MachineRecord::processor});
template <>
constexpr auto fields<FileRead> = std::tuple(Field{"name", &FileRead::name},
                                             Field{"bytes", &FileRead::bytes},
                                             Field{"fnv1a", &FileRead::fingerprint});
template <>
constexpr auto fields<Watched> = std::tuple(Field{"monitors", &Watched::monitors},
                                            Field{"frames", &Watched::frames},
                                            Field{"processor_seconds",
                                                  &Watched::processor_seconds});
template <>
constexpr auto fields<OrderRecord> = std::tuple(Field{"share", &OrderRecord::share},
                                                Field{"command", &OrderRecord::command},
                                                Field{"environment", &OrderRecord::environment},
                                                Field{"set", &OrderRecord::assignments},
                                                Field{"schedulers", &OrderRecord::schedulers},
                                                later("options", &OrderRecord::options));
template <>
constexpr auto fields<PartRecord> = std::tuple(Field{"share", &PartRecord::share},
                                               Field{"directory", &PartRecord::directory},
                                               Field{"started", &PartRecord::started},
                                               Field{"ended", &PartRecord::ended},
                                               Field{"host", &PartRecord::host},
                                               Field{"remarks", &PartRecord::remarks});
template <>
constexpr auto fields<core::Burden> = std::tuple(Field{"messages", &core::Burden::messages},
                                                 Field{"bytes", &core::Burden::bytes});
template <>
constexpr auto fields<ProcessRecord> = std::tuple(
    Field{"host", &ProcessRecord::host}, Field{"cores", &ProcessRecord::cores},
    Field{"host_cores", &ProcessRecord::host_cores}, Field{"peers", &ProcessRecord::peers},
    Field{"clock_offset_seconds", &ProcessRecord::clock_offset},
    Field{"clock_bound_seconds", &ProcessRecord::clock_bound},
    Field{"round_trip_seconds", &ProcessRecord::round_trip}, Field{"runs", &ProcessRecord::runs},
    Field{"crossed", &ProcessRecord::crossed}, Field{"lost", &ProcessRecord::lost});
template <>
constexpr auto fields<LaunchRecord> = std::tuple(Field{"launcher", &LaunchRecord::launcher},
                                                 Field{"met_by", &LaunchRecord::met_by});
template <>
constexpr auto fields<WallTime> = std::tuple(
    Field{"label", &WallTime::label}, Field{"cell", &WallTime::cell},
    Field{"repetition", &WallTime::repetition}, Field{"wall_seconds", &WallTime::seconds},
    later("failure", &WallTime::failure), later("repeated", &WallTime::repeated),
    later("steered", &WallTime::steered), later("steered_as", &WallTime::steered_as));
template <>
constexpr auto fields<RunRecord> =
    std::tuple(Field{"name", &RunRecord::name}, Field{"started", &RunRecord::started},
               Field{"ended", &RunRecord::ended}, Field{"verdict", &RunRecord::verdict},
               Field{"host", &RunRecord::host}, Field{"versions", &RunRecord::versions},
               later("files", &RunRecord::files), later("programs", &RunRecord::programs),
               Field{"remarks", &RunRecord::remarks}, later("watched", &RunRecord::watched),
               later("order", &RunRecord::order), later("parts", &RunRecord::parts),
               later("processes", &RunRecord::processes), later("launch", &RunRecord::launch),
               Field{"runs", &RunRecord::walls});

template <class T>
constexpr bool is_list = false;
template <class T>
constexpr bool is_list<std::vector<T>> = true;

std::string class_name(std::size_t c) {
  return std::string(name_of(static_cast<core::MessageClass>(c)));
}

template <class T>
Json json(const T& value) {
  if constexpr (JsonNumber<T> || JsonText<T>) {
    return value;
  } else if constexpr (std::same_as<T, RunShare>) {
    return value.text();
  } else if constexpr (requires { value.has_value(); }) {
    return value ? json(*value) : Json(nullptr);
  } else if constexpr (is_list<T> && !std::same_as<T, Versions>) {
    Json list = Json::array();
    for (const auto& item : value) list.push_back(json(item));
    return list;
  } else {
    Json object = Json::object();
    if constexpr (std::same_as<T, Versions>)
      for (const auto& [name, version] : value) object[name] = version;
    else if constexpr (std::same_as<T, core::BurdensByClass>)
      for (std::size_t c = 0; c < value.size(); ++c) object[class_name(c)] = json(value[c]);
    else
      std::apply([&](auto... field) { ((object[field.key] = json(value.*field.member)), ...); },
                 fields<T>);
    if constexpr (std::same_as<T, WallTime>) object["repetition"] = value.repetition + 1;
    return object;
  }
}

// Throws JsonError where a key is missing or of another type.
template <class T>
void read(const Json& json, T& value) {
  if constexpr (JsonNumber<T> || JsonText<T>) {
    value = json.get<T>();
  } else if constexpr (std::same_as<T, RunShare>) {
    const auto share = run_share_of(json.get<std::string>());
    if (!share) throw JsonError("no share");
    value = *share;
  } else if constexpr (requires { value.emplace(); }) {
    if (!json.is_null()) read(json, value.emplace());
  } else if constexpr (std::same_as<T, Versions>) {
    for (const auto& [name, version] : json.members())
      value.emplace_back(name, version.template get<std::string>());
  } else if constexpr (is_list<T>) {
    for (const Json& item : json.items()) read(item, value.emplace_back());
  } else if constexpr (std::same_as<T, core::BurdensByClass>) {
    for (std::size_t c = 0; c < value.size(); ++c) read(json.at(class_name(c)), value[c]);
  } else {
    const auto take = [&](const auto& field) {
      if (field.of_all_versions || json.contains(field.key))
        read(json.at(field.key), value.*field.member);
    };
    std::apply([&](const auto&... field) { (take(field), ...); }, fields<T>);
    if constexpr (std::same_as<T, WallTime>) value.repetition = repetition_in(json);
  }
}

}  // namespace

std::string json_of(const RunRecord& record) {
  Json document = Json::object();
  document["schema"] = schema;
  const Json said = json(record);
  for (const Json::Member& member : said.members()) document[member.name] = member.value;
  return text_of(document);
}

std::optional<RunRecord> record_of(const std::string& text) {
  const std::optional<Json> document = parse_json(text);
  try {
    if (!document || document->at("schema") != schema) return {};
    RunRecord record;
    read(*document, record);
    return record;
  } catch (const JsonError&) {
    return {};
  }
}

bool is_run_again(std::string_view command) {
  constexpr std::string_view usual = "rhizome run scenario.toml";
  constexpr std::string_view retry = " --retry ";
  if (!command.starts_with(usual)) return false;
  command.remove_prefix(usual.size());
  if (command.empty()) return true;
  return command.starts_with(retry) && command.size() > retry.size() &&
         command.find_first_not_of("0123456789", retry.size()) == std::string_view::npos;
}

}  // namespace rhizome::scenarios
