#include "agents/dispatcher/policy.hpp"

namespace rhizome::agents::dispatching {

std::optional<ServerChoice> AnyServer::choose(Env& env) {
  const std::vector<std::size_t> drawn = fleet_.draw(1, env.rng());
  if (drawn.empty()) return {};
  return ServerChoice{drawn.front()};
}

std::optional<ServerChoice> EachInTurn::choose(Env&) {
  for (std::size_t tries = 0; tries < fleet_.size(); ++tries) {
    const std::size_t server = next_++ % fleet_.size();
    if (fleet_.alive(server)) return ServerChoice{server};
  }
  return {};
}

}  // namespace rhizome::agents::dispatching
