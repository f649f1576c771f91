#include "tools/monitor/web/pieces.hpp"

#include <cstdint>
#include <type_traits>

#include "scenarios/live/fact_kinds.hpp"
#include "scenarios/live/rows.hpp"
#include "scenarios/text/json.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;
using scenarios::Json;

namespace {

template <class Value>
std::string_view kind_of(const Value&) {
  if constexpr (std::is_same_v<Value, core::PeerId>) return "peer";
  if constexpr (std::is_same_v<Value, core::Duration>) return "time";
  if constexpr (std::is_same_v<Value, core::Time>) return "time";
  if constexpr (std::is_same_v<Value, std::string>) return "text";
  return "number";
}

template <class F>
Json fields_json() {
  Json fields = Json::array();
  const auto names = core::fields_of(F::info);
  const F fact{};
  std::size_t next = 0;
  std::apply(
      [&](const auto&... value) {
        (fields.push_back(Json::array({Json(names[next++]), Json(kind_of(value))})), ...);
      },
      core::values_of(fact));
  return fields;
}

template <class... F>
Json facts_json(const core::OneOf<F...>*) {
  Json facts = Json::object();
  ((facts[F::info.name] = fields_json<F>()), ...);
  return facts;
}

}  // namespace

std::string piece(std::string_view content) {
  const auto size = static_cast<std::uint32_t>(content.size());
  std::string piece;
  for (unsigned shift = 0; shift < 32; shift += 8)
    piece += static_cast<char>(static_cast<unsigned char>(size >> shift));
  return piece.append(content);
}

std::string piece(std::span<const std::byte> content) {
  return piece(std::string_view(reinterpret_cast<const char*>(content.data()), content.size()));
}

std::string preface() {
  return piece(
      line_of(Json{{"schema", "rhizome.page/1"},
                   {"facts", facts_json(static_cast<const scenarios::KnownFacts*>(nullptr))}}));
}

live::Frame whole_frame(const live::State& state) {
  live::Frame frame = state.whole_frame();
  frame.facts.facts.assign(state.facts().begin(), state.facts().end());
  frame.facts.missed = state.missed();
  return frame;
}

}  // namespace rhizome::tools
