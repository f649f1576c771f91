// Facts of locators about a task, in the words of a story: the way of the task, its forwarders, and
// the searches for it.
#pragma once

#include <fmt/core.h>

#include <string>

#include "agents/locator/facts.hpp"
#include "scenarios/outcome/fact_text.hpp"

namespace rhizome::tools {

// An event in a word or two, and what the peer did.
struct SearchWords {
  std::string event;
  std::string text;
};

[[nodiscard]] inline std::string task_title(agents::TaskId task) {
  return fmt::format("task {}.{}", task.job, task.portion);
}

[[nodiscard]] inline SearchWords search_words(const agents::locator::TaskLeft& fact) {
  return {"moves", "sends it to " + scenarios::name_of(fact.receiver)};
}
[[nodiscard]] inline SearchWords search_words(const agents::locator::TaskSettled& fact) {
  return {"settles",
          fmt::format("has it in epoch {}, in want of {} data", fact.epoch, fact.awaits)};
}
[[nodiscard]] inline SearchWords search_words(const agents::locator::ForwarderLeft& fact) {
  return {"forwarder",
          fmt::format("forwards to {}, version {}", scenarios::name_of(fact.next), fact.version)};
}
[[nodiscard]] inline SearchWords search_words(const agents::locator::ForwarderTurned& fact) {
  return {"forwarder", fmt::format("forwards now to {}, version {}", scenarios::name_of(fact.next),
                                   fact.version)};
}
[[nodiscard]] inline SearchWords search_words(const agents::locator::ForwarderGone&) {
  return {"forwarder gone", "forwards no more"};
}
[[nodiscard]] inline SearchWords search_words(const agents::locator::DatumSent& fact) {
  return {fact.again ? "datum again" : "datum",
          fmt::format("sends what {} gives it to {}, version {}", task_title(fact.giver),
                      scenarios::name_of(fact.at), fact.version)};
}
[[nodiscard]] inline SearchWords search_words(const agents::locator::SearchHeld& fact) {
  return {"search waits", "keeps what looks for it on behalf of " + task_title(fact.giver)};
}
[[nodiscard]] inline SearchWords search_words(const agents::locator::SearchReleased& fact) {
  return {"search goes on",
          "keeps no more what looked for it on behalf of " + task_title(fact.giver)};
}
[[nodiscard]] inline SearchWords search_words(const agents::locator::DatumGiven& fact) {
  return {"datum given", fmt::format("gives it what {} gives, which came by {} message{}",
                                     task_title(fact.giver), fact.hops, fact.hops == 1 ? "" : "s")};
}

}  // namespace rhizome::tools
