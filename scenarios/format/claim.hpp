// A claim: a relation between its schedulers that a scenario states, judged after the run.
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

// "organic-grid.job_messages < air-traffic.job_messages", "a.makespan <= 1.1 * b.makespan + 0.5",
// or a number on the right.
struct Claim {
  // Relations that allow equality hold where the interval of the difference ends at 0.
  enum class Relation : std::uint8_t { less, at_most, greater, at_least };
  Operand left;
  Relation relation = Relation::less;
  std::variant<Operand, double> right;
  double factor = 1;  // of an operand on the right
  double margin = 0;  // added to it
  std::string text;   // as written
};

// LABEL.METRIC, a relation, and [FACTOR *] LABEL.METRIC [+ MARGIN] or a number, with spaces between
// them; nothing for any other text.
[[nodiscard]] std::optional<Claim> parse_claim(const std::string& text);

}  // namespace rhizome::scenarios
