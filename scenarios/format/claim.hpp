// A claim: what a scenario says must hold between its schedulers, judged after the run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace rhizome::scenarios {

// The value of one metric under one scheduler.
struct Operand {
  std::string label;
  std::string metric;
};

// "organic-grid.job_messages < air-traffic.job_messages", or a number on the right.
struct Claim {
  enum class Relation : std::uint8_t { less, greater };
  Operand left;
  Relation relation = Relation::less;
  std::variant<Operand, double> right;
  std::string text;  // as written
};

// LABEL.METRIC < or > LABEL.METRIC or a number; nothing for any other text.
[[nodiscard]] std::optional<Claim> parse_claim(const std::string& text);

}  // namespace rhizome::scenarios
