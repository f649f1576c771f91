#include "tools/monitor/filter.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "core/peer/number_text.hpp"
#include "scenarios/live/fact_kinds.hpp"
#include "scenarios/live/fact_task.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;

namespace {

// Whether the peer noted the fact, or the fact names it.
bool concerns(const live::LiveFact& fact, std::string_view kind, core::PeerId peer) {
  if (fact.peer == peer) return true;
  bool named = false;
  live::visit_fact(kind, fact.payload, [&](const auto& known) {
    const auto look = [&]<class Value>(const Value& value) {
      if constexpr (std::is_same_v<Value, core::PeerId>) named = named || value == peer;
    };
    std::apply([&](const auto&... value) { (look(value), ...); }, core::values_of(known));
  });
  return named;
}

std::string reason_of(const live::LiveFact& fact, std::string_view kind) {
  std::string reason;
  live::visit_fact(kind, fact.payload, [&reason](const auto& known) {
    if constexpr (requires { reason = known.reason; }) reason = known.reason;
  });
  return reason;
}

std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

}  // namespace

std::optional<agents::TaskId> parse_task(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) return {};
  const auto job = core::parse_number<std::uint32_t>(text.substr(0, dot));
  const auto portion = core::parse_number<std::uint32_t>(text.substr(dot + 1));
  if (!job || !portion) return {};
  return agents::TaskId{*job, *portion};
}

// A word alone is a part of a name.
auto Filter::parse_term(std::string_view word, std::string& error) -> std::optional<Term> {
  const std::size_t sign = word.find_first_of("=~");
  const std::string_view field = sign == std::string_view::npos ? "name" : word.substr(0, sign);
  const std::string_view value = sign == std::string_view::npos ? word : word.substr(sign + 1);
  Term term{.whole = sign != std::string_view::npos && word[sign] == '=',
            .text = std::string(value)};
  if (field == "name") return term;
  if (field == "reason") {
    term.field = Term::Field::reason;
    return term;
  }
  const std::string_view digits = value.starts_with('#') ? value.substr(1) : value;
  if (field == "peer") {
    term.field = Term::Field::peer;
    if (const auto peer = core::parse_number<std::uint32_t>(digits)) {
      term.peer = {*peer};
      return term;
    }
    error = "peer= takes a number, as peer=17";
  } else if (field == "task") {
    term.field = Term::Field::task;
    if (const auto task = parse_task(value)) {
      term.task = *task;
      return term;
    }
    error = "task= takes job and portion, as task=112.3";
  } else {
    error = "there are name, peer, task and reason, with = or ~";
  }
  return {};
}

std::optional<Filter> Filter::parse(std::string_view text, std::string& error) {
  Filter filter;
  filter.text_ = text;
  std::vector<Term> set;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    if (word == "and") continue;
    if (word == "or") {
      if (!set.empty()) filter.sets_.push_back(std::exchange(set, {}));
      continue;
    }
    std::optional<Term> term = parse_term(word, error);
    if (!term) return {};
    set.push_back(std::move(*term));
  }
  if (!set.empty()) filter.sets_.push_back(std::move(set));
  return filter;
}

bool Filter::takes(const Term& term, const live::LiveFact& fact, std::string_view kind) {
  const auto fits = [&term](std::string_view text) {
    return term.whole ? text == term.text : text.find(term.text) != std::string_view::npos;
  };
  switch (term.field) {
    case Term::Field::name:
      return fits(kind);
    case Term::Field::peer:
      return concerns(fact, kind, term.peer);
    case Term::Field::task:
      return live::task_of(kind, fact.payload) == term.task;
    case Term::Field::reason:
      return fits(reason_of(fact, kind));
  }
  return false;
}

bool Filter::takes(const live::LiveFact& fact, std::string_view kind) const {
  return sets_.empty() || std::any_of(sets_.begin(), sets_.end(), [&](const auto& set) {
           return std::all_of(set.begin(), set.end(),
                              [&](const Term& term) { return takes(term, fact, kind); });
         });
}

}  // namespace rhizome::tools
