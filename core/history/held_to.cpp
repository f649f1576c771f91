#include "core/history/held_to.hpp"

#include "core/history/print.hpp"

namespace rhizome::core {

void HeldTo::wants(const Effects& effects) {
  if (effects.list.empty()) return;
  const auto wanted = track_.wants();
  if (!wanted) throw Unlike("the peer does something where it did nothing");
  if (*wanted != print_of(effects)) throw Unlike("the peer does something else");
  seen_(effects);
}

Incarnation HeldTo::sees_life(PeerId peer, Incarnation) {
  if (const auto life = track_.life(peer)) lives_[peer] = *life;
  const auto known = lives_.find(peer);
  return known == lives_.end() ? Incarnation{} : known->second;
}

bool HeldTo::sees_change(bool) {
  if (const auto change = track_.change()) return *change;
  throw Unlike("the peer begins or ends work that it did not");
}

double HeldTo::sees_share(double) {
  if (const auto share = track_.share()) return *share;
  throw Unlike("the peer asks for a share of a processor that it did not ask for");
}

}  // namespace rhizome::core
