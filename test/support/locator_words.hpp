// Messages of locators in words: for the history of an order of events.
#pragma once

#include <string>
#include <variant>

#include "agents/locator/messages.hpp"

namespace rhizome::test {

[[nodiscard]] inline std::string name_of(agents::TaskId task) {
  return "task " + std::to_string(task.portion);
}

[[nodiscard]] inline std::string words_of(const agents::locator::Messages& message) {
  return std::visit(
      []<class M>(const M& said) {
        const std::string word(M::info.name);
        if constexpr (requires { said.route; })
          return word + " for " + name_of(said.route.to) + " by " + name_of(said.route.from) +
                 ", version " + std::to_string(said.route.version);
        else if constexpr (requires { said.mobile; })
          return word + " of " + name_of(said.mobile.task.id) + " in epoch " +
                 std::to_string(said.mobile.epoch);
        else if constexpr (requires { said.at; })
          return word + " of " + name_of(said.task) + " at " + std::to_string(said.at.peer.value) +
                 ", version " + std::to_string(said.at.version);
        else
          return word + " of " + name_of(said.task) + " in epoch " + std::to_string(said.epoch);
      },
      message);
}

}  // namespace rhizome::test
