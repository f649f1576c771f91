// The invariants that every run must keep, checked on its outcome.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/outcome/invariant_catalogue.hpp"
#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// The name of an invariant of the catalogue; any other name does not compile.
class InvariantName {
 public:
  consteval InvariantName(const char* name) : text_(name) {  // NOLINT: a literal is a name
    for (const Invariant& invariant : invariants)
      if (invariant.name == text_) return;
    throw "there is no such invariant in the catalogue";
  }
  [[nodiscard]] std::string text() const { return std::string(text_); }

 private:
  std::string_view text_;
};

// Each broken invariant with the peer, the time and the facts that led to it; `judged`: for how
// much time a structure could be judged. At most ten violations of each invariant are kept: the
// first ones tell what went wrong. An interrupted run, or one that lost peers, is judged by
// conservation, addresses-resolve, messages-are-believed and results-correct alone.
struct Examination {
  std::vector<Violation> violations;
  std::vector<Judged> judged;
};
[[nodiscard]] Examination examine(const Outcome& outcome);

}  // namespace rhizome::scenarios
