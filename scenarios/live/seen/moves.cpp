#include "scenarios/live/seen/moves.hpp"

#include <type_traits>

#include "agents/facts.hpp"
#include "scenarios/live/fact_kinds.hpp"
#include "scenarios/text/plain_text.hpp"

namespace rhizome::scenarios::live {

namespace {

// Reads a fact of that kind as a move; false if it is of another kind, or cannot be read.
bool read_move(const LiveFact& fact, const std::string& kind, Move& move) {
  if (kind != agents::ParentChanged::info.name && kind != agents::GroupChanged::info.name)
    return false;
  bool read = false;
  visit_fact(kind, fact.payload, [&]<class F>(const F& known) {
    if constexpr (std::is_same_v<F, agents::ParentChanged>)
      move = {fact.at, fact.peer, known.parent, known.former, plain_text(known.reason)};
    if constexpr (std::is_same_v<F, agents::GroupChanged>)
      move = {fact.at, fact.peer, known.leader, core::no_peer, plain_text(known.reason)};
    read = true;
  });
  return read;
}

}  // namespace

std::vector<Move> moves_within(const std::deque<LiveFact>& facts,
                               const std::vector<std::string>& kinds, core::Duration span) {
  std::vector<Move> moves;
  for (auto fact = facts.rbegin(); fact != facts.rend(); ++fact) {
    if (fact->at + span < facts.back().at) break;
    Move move;
    if (fact->kind < kinds.size() && read_move(*fact, kinds[fact->kind], move))
      moves.push_back(std::move(move));
  }
  return moves;
}

}  // namespace rhizome::scenarios::live
