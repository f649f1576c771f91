#include "agents/program/views.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "agents/program/wire.hpp"

namespace rhizome::agents::program {

namespace {

using Json = nlohmann::json;
using core::PeerId;

}  // namespace

std::string view_answer(std::string_view line, std::span<const PeerId> view) {
  const Json said = Json::parse(line, nullptr, false);
  const Json asked = said.is_object() ? said.value("body", Json{}) : Json{};
  if (!asked.is_object() || asked.value("type", Json{}) != "view") return {};
  Json names = Json::array();
  for (const PeerId peer : view) names.push_back(peer_name(peer));
  return Json{{"type", "view_ok"}, {"in_reply_to", asked.value("msg_id", Json{})}, {"peers", names}}
      .dump();
}

std::vector<PeerId> view_in(std::string_view answer, std::uint32_t peers) {
  const Json said = Json::parse(answer, nullptr, false);
  const Json names = said.is_object() ? said.value("peers", Json{}) : Json{};
  if (!said.is_object() || said.value("type", Json{}) != "view_ok" || !names.is_array())
    throw WireError("the answer " + in_quotes(answer) +
                    " is not of the type \"view_ok\" with a list \"peers\"");
  std::vector<PeerId> view;
  std::set<PeerId> seen;
  for (const Json& name : names) {
    const auto peer =
        name.is_string() ? peer_called(name.get_ref<const std::string&>(), peers) : std::nullopt;
    if (!peer) throw WireError("its view has " + in_quotes(name.dump()) + ", which is no peer");
    if (!seen.insert(*peer).second) throw WireError("its view has " + peer_name(*peer) + " twice");
    view.push_back(*peer);
  }
  return view;
}

}  // namespace rhizome::agents::program
