#include "scenarios/text/json.hpp"

namespace rhizome::scenarios {

std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<Json> parse_json(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return {};
  return json;
}

}  // namespace rhizome::scenarios
