#include "agents/program/stores.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace rhizome::agents::program {

namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 4> store_names{"seq-kv", "lin-kv", "lww-kv", "lin-tso"};

// Codes of Maelstrom's protocol.
enum ErrorCode : int { not_supported = 10, malformed = 12, no_such_key = 20, not_as_expected = 22 };

Json store_error(ErrorCode code, std::string_view text) {
  return {{"type", "error"}, {"code", static_cast<int>(code)}, {"text", text}};
}

}  // namespace

bool is_store(std::string_view name) {
  return std::find(store_names.begin(), store_names.end(), name) != store_names.end();
}

std::string Stores::answer(const std::string& store, std::string_view body) {
  const Json asked = Json::parse(body, nullptr, false);
  const Json type = asked.is_object() ? asked.value("type", Json{}) : Json{};
  const auto reply = [&](Json made) {
    if (asked.is_object() && asked.contains("msg_id")) made["in_reply_to"] = asked["msg_id"];
    return made.dump();
  };
  if (store == "lin-tso")
    return type == "ts" ? reply({{"type", "ts_ok"}, {"ts", time_++}})
                        : reply(store_error(not_supported, "lin-tso answers \"ts\" only"));
  if (type != "read" && type != "write" && type != "cas")
    return reply(store_error(not_supported, "a store answers \"read\", \"write\" and \"cas\""));
  const auto lacks = [&](const char* field) { return !asked.contains(field); };
  if (lacks("key") || (type == "write" && lacks("value")) ||
      (type == "cas" && (lacks("from") || lacks("to"))))
    return reply(store_error(malformed, "a field is missing"));
  const std::pair place(store, asked["key"].dump());
  const auto found = values_.find(place);
  if (type == "write") {
    values_.insert_or_assign(place, asked["value"].dump());
    return reply({{"type", "write_ok"}});
  }
  if (found == values_.end() &&
      !(type == "cas" && asked.value("create_if_not_exists", Json{}) == true))
    return reply(store_error(no_such_key, "there is no such key"));
  if (type == "read") return reply({{"type", "read_ok"}, {"value", Json::parse(found->second)}});
  if (found != values_.end() && found->second != asked["from"].dump())
    return reply(store_error(not_as_expected, "the value is " + found->second));
  values_.insert_or_assign(place, asked["to"].dump());
  return reply({{"type", "cas_ok"}});
}

}  // namespace rhizome::agents::program
