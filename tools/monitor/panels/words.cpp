// Texts that several panels use.
#include <fmt/core.h>

#include <algorithm>

#include "scenarios/live/fact_kinds.hpp"
#include "scenarios/outcome/fact_text.hpp"
#include "scenarios/text/plain_text.hpp"
#include "tools/monitor/panels/panel.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;
using core::PeerId;

std::string short_number(double number) {
  if (number < 99.95) return fmt::format("{:.1f}", number);
  if (number < 9999.5) return fmt::format("{:.0f}", number);
  return number < 9.995e6 ? fmt::format("{:.0f}k", number / 1e3)
                          : fmt::format("{:.0f}M", number / 1e6);
}

std::string name_of(PeerId peer) {
  return peer == core::no_peer ? "nobody" : "#" + std::to_string(peer.value);
}

std::string name_of(agents::TaskId task) { return fmt::format("{}.{}", task.job, task.portion); }

std::string process_text(const live::ProcessSeen& process) {
  return fmt::format("process {} on {}{}", process.number, process.host,
                     process.lost     ? ", lost"
                     : process.silent ? ", silent"
                                      : "");
}

double burden_of(const live::State& state, PeerId peer) {
  return state.rate(peer).sent + state.rate(peer).received;
}

std::string kind_of(const Panel& panel, const live::LiveFact& fact) {
  const auto& kinds = panel.known.welcome.fact_kinds;
  return fact.kind < kinds.size() ? kinds[fact.kind] : "unknown";
}

std::size_t first_line(std::size_t chosen, std::size_t length, std::size_t lines) {
  if (length <= lines) return 0;
  return std::min(chosen - std::min(chosen, lines / 2), length - lines);
}

namespace {

template <class Value>
std::string value_text(const Value& value) {
  if constexpr (std::is_same_v<Value, PeerId>)
    return name_of(value);
  else
    return scenarios::plain_text(scenarios::text_of(value));
}

template <class F>
std::string said_by(const F& fact) {
  const auto names = core::fields_of(F::info);
  std::size_t next = 0;
  std::string text;
  const auto add = [&](const auto& value) {
    text += fmt::format("{}{} {}", next == 0 ? "" : ", ", names[next], value_text(value));
    ++next;
  };
  std::apply([&add](const auto&... value) { (add(value), ...); }, core::values_of(fact));
  return text;
}

std::string with_reason(const std::string& text, const std::string& reason) {
  return fmt::format("{:<8} {}", text, scenarios::plain_text(reason));
}

std::string said_by(const agents::TaskSubmitted& fact) { return name_of(fact.task); }
std::string said_by(const agents::TaskStarted& fact) { return name_of(fact.task); }
std::string said_by(const agents::TaskExecuted& fact) {
  return fmt::format("{:<8} {:.3f} s", name_of(fact.task), core::seconds(fact.took));
}
std::string said_by(const agents::TaskComputed& fact) {
  return fmt::format("{:<8} {}: {}", name_of(fact.task), fact.right ? "right" : "wrong",
                     scenarios::plain_text(fact.result));
}
std::string said_by(const agents::TaskCompleted& fact) {
  return fmt::format("{:<8} by {}", name_of(fact.task), name_of(fact.executor));
}
std::string said_by(const agents::TaskDuplicate& fact) {
  return fmt::format("{:<8} by {} once more", name_of(fact.task), name_of(fact.executor));
}
std::string said_by(const agents::TaskReissued& fact) {
  return fmt::format("{:<8} had been with {}: {}", name_of(fact.task), name_of(fact.holder),
                     scenarios::plain_text(fact.reason));
}
std::string said_by(const agents::TaskHanded& fact) {
  return fmt::format("{:<8} to {}", name_of(fact.task), name_of(fact.receiver));
}
std::string said_by(const agents::JobCompleted& fact) { return "job " + std::to_string(fact.job); }
std::string said_by(const agents::ParentChanged& fact) {
  return fact.parent == core::no_peer ? with_reason("to nobody", fact.reason)
                                      : with_reason("to " + name_of(fact.parent), fact.reason);
}
std::string said_by(const agents::GroupChanged& fact) {
  return fact.leader == core::no_peer ? with_reason("no group", fact.reason)
                                      : with_reason("to " + name_of(fact.leader), fact.reason);
}

}  // namespace

std::string event_line(const Panel& panel, const live::LiveFact& fact) {
  const std::string kind = kind_of(panel, fact);
  std::string line =
      fmt::format("{:>8.3f}  {:<6} {:<15} ", core::seconds(fact.at), name_of(fact.peer), kind);
  live::visit_fact(kind, fact.payload, [&line](const auto& known) { line += said_by(known); });
  return line;
}

}  // namespace rhizome::tools
