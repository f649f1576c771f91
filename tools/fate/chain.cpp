#include "tools/fate/chain.hpp"

#include <map>

namespace rhizome::tools {

namespace {

using agents::TaskId;
using namespace agents::locator;

// Follows the facts about one task in the order in which they were noted.
class RunFollower {
 public:
  explicit RunFollower(Chain& chain) : chain_(chain) {}

  void take(const Noted<TaskSettled>& noted) {
    stays_[noted.peer] = chain_.stays.size();
    chain_.stays.push_back({.peer = noted.peer, .epoch = noted.fact.epoch, .from = noted.at});
  }
  void take(const Noted<TaskLeft>& noted) {
    Stay* stay = stay_at(noted.peer);
    if (stay == nullptr) return;
    stay->until = noted.at;
    stay->to = noted.fact.receiver;
  }
  void take(const Noted<ForwarderLeft>& noted) {
    if (Stay* stay = stay_at(noted.peer)) stay->forwards_from = noted.at;
  }
  void take(const Noted<ForwarderGone>& noted) {
    if (Stay* stay = stay_at(noted.peer)) stay->forwards_until = noted.at;
  }
  // A repeated message belongs to the same search.
  void take(const Noted<DatumSent>& noted) {
    if (DataSearch* known = search_of(noted.fact.giver)) {
      ++known->again;
      return;
    }
    searches_[noted.fact.giver] = chain_.searches.size();
    chain_.searches.push_back({.giver = noted.fact.giver,
                               .origin = noted.peer,
                               .aimed = noted.fact.at,
                               .sent = noted.at});
  }
  void take(const Noted<SearchPassed>& noted) {
    chain_.ways = true;
    DataSearch* search = search_of(noted.fact.giver);
    if (search != nullptr && !search->given) search->way.push_back(noted.peer);
  }
  void take(const Noted<SearchHeld>& noted) { hold(noted.fact.giver, Time{} - noted.at); }
  void take(const Noted<SearchReleased>& noted) { hold(noted.fact.giver, noted.at - Time{}); }
  void take(const Noted<DatumGiven>& noted) {
    DataSearch* search = search_of(noted.fact.giver);
    if (search == nullptr) return;
    search->given = noted.at;
    search->at = noted.peer;
    search->hops = noted.fact.hops;
  }

 private:
  // The latest there.
  Stay* stay_at(core::PeerId peer) {
    const auto found = stays_.find(peer);
    return found == stays_.end() ? nullptr : &chain_.stays[found->second];
  }
  DataSearch* search_of(TaskId giver) {
    const auto found = searches_.find(giver);
    return found == searches_.end() ? nullptr : &chain_.searches[found->second];
  }
  void hold(TaskId giver, Duration by) {
    if (DataSearch* search = search_of(giver)) search->held += by;
  }

  Chain& chain_;
  std::map<core::PeerId, std::size_t> stays_;  // the latest at each peer
  std::map<TaskId, std::size_t> searches_;
};

}  // namespace

std::optional<Chain> chain_of(const Outcome& outcome, TaskId task) {
  Chain chain;
  RunFollower follower(chain);
  outcome.facts.in_order<TaskSettled, TaskLeft, ForwarderLeft, ForwarderGone, DatumSent,
                         SearchPassed, SearchHeld, SearchReleased, DatumGiven>(
      [&](const auto& noted) {
        if (noted.fact.task == task) follower.take(noted);
      });
  if (chain.stays.empty()) return {};
  return chain;
}

}  // namespace rhizome::tools
