#include "agents/dispatcher/blind.hpp"

namespace rhizome::agents::dispatching {

std::optional<Choice> AnyServer::choose(Env& env) {
  const std::vector<std::size_t> drawn = fleet_.draw(1, env.rng());
  if (drawn.empty()) return {};
  return Choice{drawn.front()};
}

std::optional<Choice> EachInTurn::choose(Env&) {
  for (std::size_t tries = 0; tries < fleet_.size(); ++tries) {
    const std::size_t server = next_++ % fleet_.size();
    if (fleet_.alive(server)) return Choice{server};
  }
  return {};
}

}  // namespace rhizome::agents::dispatching
