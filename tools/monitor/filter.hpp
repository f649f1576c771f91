// A filter of events: words such as name~parent, peer=17, task=112.3 or reason=eviction. All of
// them must hold; "or" begins another set of which all must hold.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/task.hpp"
#include "core/peer/ids.hpp"
#include "scenarios/live/frame.hpp"

namespace rhizome::tools {

class Filter {
 public:
  // All events.
  Filter() = default;
  // Nothing for a text that is no filter; then `error` is the reason in a few words.
  [[nodiscard]] static std::optional<Filter> parse(std::string_view text, std::string& error);

  // The filter's text as it was given.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool takes_all() const { return sets_.empty(); }
  // Whether the filter lets a fact of that kind through.
  [[nodiscard]] bool takes(const scenarios::live::LiveFact& fact, std::string_view kind) const;

 private:
  struct Term {
    enum class Field : std::uint8_t { name, peer, task, reason };
    Field field = Field::name;
    bool whole = false;  // equal, rather than a part of it
    std::string text{};
    core::PeerId peer{};
    agents::TaskId task{};
  };
  [[nodiscard]] static std::optional<Term> parse_term(std::string_view word, std::string& error);
  [[nodiscard]] static bool takes(const Term& term, const scenarios::live::LiveFact& fact,
                                  std::string_view kind);

  std::string text_;
  std::vector<std::vector<Term>> sets_;
};

// "112.3", of job and portion.
[[nodiscard]] std::optional<agents::TaskId> parse_task(std::string_view text);

}  // namespace rhizome::tools
