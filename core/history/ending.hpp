// How runs end.
#pragma once

#include <cstdint>
#include <string_view>

namespace rhizome::core {

// Why a run ended.
enum class Ending : std::uint8_t {
  finished,     // every living peer finished, or no event was left
  limit,        // time ran out
  interrupted,  // a user asked for it
  open,         // the time that the run was to take is over, whatever was under way
  last = open
};

[[nodiscard]] std::string_view name_of(Ending);

}  // namespace rhizome::core
