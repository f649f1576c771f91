#include "agents/dispatcher/holding.hpp"

#include <utility>

namespace rhizome::agents::dispatching {

bool Holding::Numbers::add(std::uint64_t number) {
  if (number <= all_until || !beyond.insert(number).second) return false;
  while (!beyond.empty() && *beyond.begin() == all_until + 1) {
    ++all_until;
    beyond.erase(beyond.begin());
  }
  return true;
}

// A later life of this peer does not know which numbers its former lives took: it refuses those
// before the first that it sees. If one of them comes late, it is asked for and said to be missing.
auto Holding::numbers_of(const Env& env, PeerId giver, std::uint32_t life, std::uint64_t first)
    -> Numbers* {
  const auto [item, fresh] = numbers_.try_emplace(giver);
  Numbers& numbers = item->second;
  if (!fresh && life < numbers.life) return nullptr;
  if (fresh || life > numbers.life) {
    numbers = {.life = life, .all_until = 0, .beyond = {}};
    if (env.incarnation() != world_.first_life(env.self()) && first > 0)
      numbers.all_until = first - 1;
  }
  return &numbers;
}

bool Holding::accept(Env& env, PeerId from, const Assign& message) {
  Numbers* numbers = numbers_of(env, from, message.life, message.number);
  if (numbers == nullptr || !numbers->add(message.number)) return false;
  const Origin origin{from, message.life, message.number};
  if (const auto owed = owed_.find(message.task.id); owed != owed_.end()) {
    owed->second.origin = origin;
    send(env, owed->second, Cause::recovery);
    return false;
  }
  return held_.insert_or_assign(message.task.id, origin).second;
}

void Holding::send(Env& env, Owed& owed, Cause cause) {
  const auto& [giver, life, number] = owed.origin;
  const PeerId to = ++owed.tries > most_tries ? world_.source : giver;
  env.send(to, Done{level_, life, number, owed.executor, owed.product}, cause);
}

void Holding::done(Env& env, const Product& product, PeerId executor) {
  const auto held = held_.extract(product.task);
  Owed owed{.origin = held.empty() ? Origin{world_.source} : held.mapped(),
            .product = product,
            .executor = executor};
  send(env, owed, Cause::completion);
  if (!recovers_) return;
  owed_.insert_or_assign(product.task, owed);
  if (due_ == core::TimerId{}) due_ = env.after(patience_, ResultDue{level_});
}

void Holding::on(Env& env, PeerId, const Noted& message) {
  owed_.erase(message.task);
  if (owed_.empty()) env.cancel(std::exchange(due_, {}));
}

void Holding::on(Env& env, const ResultDue& due) {
  for (auto& [task, owed] : owed_) send(env, owed, Cause::recovery);
  due_ = env.after(patience_, due);
}

void Holding::on(Env& env, PeerId from, const Ask& message) {
  Missing missing{level_, message.life, {}};
  if (!message.items.empty()) {
    Numbers* numbers = numbers_of(env, from, message.life, message.items.front().number);
    for (const Item& item : message.items) {
      if (held_.contains(item.task) || owed_.contains(item.task)) continue;
      if (numbers != nullptr) numbers->add(item.number);
      missing.items.push_back(item);
    }
  }
  env.send(from, missing);
}

void Holding::stop(Env& env) {
  env.cancel(std::exchange(due_, {}));
  held_.clear();
  owed_.clear();
}

}  // namespace rhizome::agents::dispatching
