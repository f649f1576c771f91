// Repetitions count from 0 within the program, and from 1 wherever users read them.
#pragma once

#include <cstdint>

#include "scenarios/text/json.hpp"

namespace rhizome::scenarios {

// The repetition of a run in a file, converted to count from 0. Throws JsonError where the file has
// 0.
[[nodiscard]] inline std::uint32_t repetition_in(const Json& run) {
  const auto counted = run.at("repetition").get<std::uint32_t>();
  if (counted == 0) throw JsonError("repetitions count from 1, and there is one of 0");
  return counted - 1;
}

}  // namespace rhizome::scenarios
