#include "agents/central/copier.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace rhizome::agents::central {

// The complete copy contains all changes so far.
void Copier::copy_to(Env& env, PeerId keeper, const std::vector<Relay>& whole) {
  unsafe_.insert(change_.hands.begin(), change_.hands.end());
  keeper_ = keeper;
  news_ = true;
  ++copy_;
  number_ = 0;
  change_ = {};
  open_.clear();
  if (keeper == core::no_peer) return;
  for (const Relay& part : whole) send(env, part);
}

void Copier::taken(std::uint32_t hand, const std::vector<Task>& tasks) {
  unsafe_.insert(hand);
  change_.hands.push_back(hand);
  change_.added.insert(change_.added.end(), tasks.begin(), tasks.end());
}

// Large changes need several parts; the last one names the hands, after their tasks.
void Copier::flush(Env& env) {
  Relay change = std::exchange(change_, {});
  news_ = news_ || keeper_ == core::no_peer;
  if (keeper_ == core::no_peer) return;
  if (change.hands.empty() && change.added.empty() && change.done.empty() &&
      change.measured.empty())
    return;
  const std::size_t most = std::max(change.added.size(), change.done.size());
  const auto piece = [](const auto& list, std::size_t from) {
    const std::size_t first = std::min(from, list.size());
    const std::size_t last = std::min(from + most_tasks, list.size());
    return std::decay_t<decltype(list)>(list.begin() + static_cast<std::ptrdiff_t>(first),
                                        list.begin() + static_cast<std::ptrdiff_t>(last));
  };
  std::size_t from = 0;
  for (; from + most_tasks < most; from += most_tasks) {
    Relay part{};
    part.added = piece(change.added, from);
    part.done = piece(change.done, from);
    send(env, std::move(part));
  }
  Relay last{};
  last.hands = std::move(change.hands);
  last.measured = std::move(change.measured);
  last.added = piece(change.added, from);
  last.done = piece(change.done, from);
  send(env, std::move(last));
}

void Copier::send(Env& env, Relay part) {
  part.epoch = epoch_;
  part.copy = copy_;
  part.number = ++number_;
  env.send(keeper_, part);
  open_.push_back(std::move(part));
}

void Copier::repeat(Env& env) const {
  for (const Relay& part : open_) env.send(keeper_, part, Cause::recovery);
}

void Copier::acknowledged(PeerId from, const Relayed& message) {
  if (from != keeper_ || message.epoch != epoch_ || message.copy != copy_) return;
  for (; !open_.empty() && open_.front().number <= message.number; open_.pop_front()) news_ = true;
}

std::vector<std::uint32_t> Copier::safe_hands() {
  if (!std::exchange(news_, false)) return {};
  std::set<std::uint32_t> still(change_.hands.begin(), change_.hands.end());
  for (const Relay& part : open_) still.insert(part.hands.begin(), part.hands.end());
  std::vector<std::uint32_t> safe;
  for (auto hand = unsafe_.begin(); hand != unsafe_.end();) {
    if (still.contains(*hand)) {
      ++hand;
      continue;
    }
    safe.push_back(*hand);
    hand = unsafe_.erase(hand);
  }
  return safe;
}

void CopyKeeper::on(Env& env, PeerId from, const Relay& part) {
  const auto kept = std::pair(epoch_, number_of_copy_);
  const auto told = std::pair(part.epoch, part.copy);
  if (told < kept) return;
  if (told > kept) {
    std::tie(epoch_, number_of_copy_) = told;
    number_ = 0;
    if (part.whole) copy_.begin_again();
  }
  if (part.number == number_ + 1) {
    ++number_;
    copy_.apply(part);
  }
  env.send(from, Relayed{epoch_, number_of_copy_, number_});
}

}  // namespace rhizome::agents::central
