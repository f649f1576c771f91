#include "scenarios/outcome/fact_text.hpp"

#include <fmt/core.h>

#include "scenarios/text/plain_text.hpp"

namespace rhizome::scenarios {

std::string name_of(core::PeerId peer) {
  return peer == core::no_peer ? "nobody" : "peer " + std::to_string(peer.value);
}

std::string text_of(core::PeerId value) { return name_of(value); }
std::string text_of(core::Duration value) { return fmt::format("{:.6g} s", core::seconds(value)); }
std::string text_of(core::Time value) { return text_of(value.time_since_epoch()); }
std::string text_of(double value) { return fmt::format("{:.6g}", value); }
std::string text_of(bool value) { return value ? "yes" : "no"; }

std::string sentence_of(const FactPlace& place, const core::FactInfo& info,
                        const std::vector<std::string>& said) {
  std::string text = fmt::format("{:.6f} s ", core::seconds(place.at)) + name_of(place.peer) + " ";
  text.append(info.name).append(" (");
  const std::vector<std::string_view> names = core::fields_of(info);
  for (std::size_t i = 0; i < names.size(); ++i)
    text.append(i > 0 ? ", " : "").append(names[i]).append(" ").append(first_line(said[i]));
  return text + ")";
}

}  // namespace rhizome::scenarios
