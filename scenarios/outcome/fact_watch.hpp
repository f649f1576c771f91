// Waits for a fact of a run under way: of one type, and with the values that were named.
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/peer/fact.hpp"
#include "core/peer/ids.hpp"
#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// The requested fact cannot exist; the text tells why, in one sentence.
class NoSuchFact : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class FactWatch {
 public:
  // "task-completed", or with values: "task-completed job=0 executor=3". Throws NoSuchFact.
  explicit FactWatch(std::string_view asked);

  [[nodiscard]] bool matches(const core::EncodedFact& fact) const;

 private:
  const core::FactInfo* info_ = nullptr;
  std::vector<std::pair<std::size_t, std::string>> values_;  // by position in the fact
};

// The fact as sentences have it: "1.500000 s peer 3 task-started (job 0, portion 4)".
[[nodiscard]] std::string sentence_of(core::Time at, core::PeerId peer,
                                      const core::EncodedFact& fact);

// Finds where two outcomes differ that should be equal.
// The first fact by time in which they differ; else the first peer with other traffic; else that
// something else differs. As a sentence; nothing if they are equal. Values that the store leaves
// out, or that depend on the wall clock, are not compared.
[[nodiscard]] std::optional<std::string> first_difference(const Outcome& was, const Outcome& is);

// Whether two outcomes that differ are equal but for the bytes of messages.
[[nodiscard]] bool differ_in_bytes_alone(const Outcome& was, const Outcome& is);

}  // namespace rhizome::scenarios
