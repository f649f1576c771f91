// Facts as text.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "scenarios/outcome/facts.hpp"

namespace rhizome::scenarios {

// "peer 7", "nobody".
[[nodiscard]] std::string name_of(core::PeerId peer);

[[nodiscard]] std::string text_of(core::PeerId value);
[[nodiscard]] std::string text_of(core::Duration value);
[[nodiscard]] std::string text_of(core::Time value);
[[nodiscard]] std::string text_of(double value);
[[nodiscard]] std::string text_of(bool value);
[[nodiscard]] inline std::string text_of(const std::string& value) { return value; }
[[nodiscard]] inline std::string text_of(std::uint64_t value) { return std::to_string(value); }
[[nodiscard]] inline std::string text_of(std::uint32_t value) { return std::to_string(value); }

// "12.500000 s peer 3 task-completed (job 0, portion 4, executor peer 2)".
[[nodiscard]] std::string sentence_of(const FactPlace& place, const core::FactInfo& info,
                                      const std::vector<std::string>& said);
template <core::one_of<KnownFacts> F>
[[nodiscard]] std::string text_of(const Noted<F>& noted) {
  const std::vector<std::string> said =
      std::apply([](const auto&... value) { return std::vector<std::string>{text_of(value)...}; },
                 core::values_of(noted.fact));
  return sentence_of(noted, F::info, said);
}

}  // namespace rhizome::scenarios
