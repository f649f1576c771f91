#include "agents/organic_grid/tree/forwarding.hpp"

#include <vector>

#include "agents/pieces.hpp"

namespace rhizome::agents::grid {

bool Forwarding::hand_over(Env& env) {
  const std::vector<Passed> passed = trail_.passed(lineage_.root());
  if (passed.empty()) return true;
  if (sent_ && env.now() - *sent_ < home_.options.heartbeat()) return false;
  const core::Cause cause = sent_ ? core::Cause::recovery : ForwardingAddresses::info.cause;
  in_pieces(passed, [&](std::size_t, std::vector<Passed> piece) {
    env.send(lineage_.root(), ForwardingAddresses{lineage_.root(), std::move(piece)}, cause);
  });
  sent_ = env.now();
  return false;
}

std::optional<PeerId> Forwarding::address(TaskId task, PeerId left) const {
  const auto found = addresses_.find({task, left});
  if (found == addresses_.end() || !about_loan(task, found->second.lent)) return {};
  return found->second.to;
}

// The root keeps addresses only of tasks that it has lent, since it asks for no others. A later
// address replaces an earlier one: a later life of the node may have passed the task on once more.
void Forwarding::on(Env& env, PeerId from, const ForwardingAddresses& message) {
  if (!lineage_.is_root()) return;
  std::erase_if(addresses_, [this](const auto& item) {
    return !about_loan(item.first.first, item.second.lent);
  });
  AddressesKept kept{message.root, {}};
  for (const Passed& passed : message.list) {
    kept.tasks.push_back(passed.task);
    if (const Books::Entry* loan = stock_.lent(passed.task))
      addresses_[{passed.task, from}] = {passed.to, loan->since};
  }
  env.send(from, kept);
}

void Forwarding::on(Env&, PeerId from, const AddressesKept& message) {
  if (from != lineage_.root() || !sent_) return;
  for (const TaskId task : message.tasks) trail_.forget(task);
}

}  // namespace rhizome::agents::grid
