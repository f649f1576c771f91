#include "core/explore/search.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace rhizome::core {

namespace {

bool has(const std::vector<Choice>& list, Fingerprint key) {
  return std::any_of(list.begin(), list.end(), [key](const Choice& one) { return one.key == key; });
}

std::vector<Fingerprint> keys_of(const std::vector<Choice>& list) {
  std::vector<Fingerprint> keys;
  for (const Choice& choice : list) keys.push_back(choice.key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

// The choices that stay asleep after that one has been taken.
std::vector<Choice> still_asleep(const std::vector<Choice>& asleep, const Choice& taken) {
  std::vector<Choice> still;
  std::copy_if(asleep.begin(), asleep.end(), std::back_inserter(still),
               [&taken](const Choice& one) { return one.commutes_with(taken); });
  return still;
}

}  // namespace

void Search::explore() {
  system_.begin();
  current_ = true;
  if (enter({})) descend();
  exhausted_ = !broken_ && frames_.empty() && counts_.cut == 0;
}

void Search::descend() {
  while (!frames_.empty() && !spent()) {
    Frame& top = frames_.back();
    if (top.next == top.todo.size()) {
      frames_.pop_back();
      leave();
      continue;
    }
    if (!catch_up()) return;
    const Choice choice = top.todo[top.next++];
    system_.take(choice);
    ++counts_.events;
    std::vector<Choice> asleep = still_asleep(top.asleep, choice);
    top.asleep.push_back(choice);
    history_.push_back(choice);
    counts_.longest = std::max(counts_.longest, history_.size());
    if (enter(std::move(asleep))) continue;
    if (broken_) return;
    leave();
  }
}

bool Search::enter(std::vector<Choice> asleep) {
  if (found(system_.flaw())) return false;
  const std::vector<Choice> choices = system_.choices();
  const std::size_t known = known_.size();
  std::vector<Choice> todo = untried(choices, asleep);
  if (choices.empty()) {
    end(true, known_.size() > known);
    return false;
  }
  if (todo.empty()) {
    ++counts_.known;
    return false;
  }
  if (history_.size() >= limits_.depth) {
    end(false, true);
    return false;
  }
  frames_.push_back({std::move(todo), std::move(asleep)});
  return true;
}

// A known state is reached again that was left with some choices asleep. Choices that were asleep
// then and are awake now are tried; choices asleep both times stay asleep. If this state is nearer
// to the beginning than before, a history that was cut may reach further now.
std::vector<Choice> Search::untried(const std::vector<Choice>& choices,
                                    std::vector<Choice>& asleep) {
  const std::size_t depth = history_.size();
  const auto [item, fresh] =
      known_.try_emplace(system_.state(), VisitedState{keys_of(asleep), depth});
  VisitedState& known = item->second;
  const bool nearer = !fresh && counts_.cut > 0 && depth < known.depth;
  if (nearer) known = {keys_of(asleep), depth};
  counts_.states = known_.size();
  std::vector<Choice> todo;
  const auto was_asleep = [&known](const Choice& choice) {
    return std::binary_search(known.asleep.begin(), known.asleep.end(), choice.key);
  };
  for (const Choice& choice : choices)
    if (!has(asleep, choice.key) && (fresh || nearer || was_asleep(choice))) todo.push_back(choice);
  if (fresh || nearer) return todo;
  std::erase_if(asleep, [&was_asleep](const Choice& choice) { return !was_asleep(choice); });
  known.asleep = keys_of(asleep);
  return todo;
}

void Search::leave() {
  if (!history_.empty()) history_.pop_back();
  current_ = false;
}

bool Search::catch_up() {
  if (std::exchange(current_, true)) return true;
  system_.begin();
  for (const Choice& choice : history_) {
    if (spent()) return false;
    system_.take(choice);
    ++counts_.again;
  }
  return true;
}

bool Search::found(Broken broken) {
  if (!broken) return false;
  broken_ = {history_, std::move(broken)};
  return true;
}

// Two histories that end in the same state have noted the same facts.
void Search::end(bool over, bool fresh) {
  ++(over ? counts_.histories : counts_.cut);
  if (fresh) found(system_.verdict(over));
}

bool Search::spent() {
  return counts_.states >= limits_.states || (limits_.enough && limits_.enough());
}

void Search::walk(Rng& rng, const std::function<bool()>& stop) {
  constexpr double rarely = .1;
  system_.begin();
  history_.clear();
  current_ = false;
  while (!found(system_.flaw())) {
    const std::vector<Choice> choices = system_.choices();
    if (choices.empty() || history_.size() >= limits_.depth) return end(choices.empty(), true);
    if (stop && stop()) return;
    const auto first_rare = std::find_if(choices.begin(), choices.end(),
                                         [](const Choice& choice) { return choice.rare; });
    const auto usual = static_cast<std::uint64_t>(first_rare - choices.begin());
    const std::uint64_t rare = choices.size() - usual;
    const bool takes_rare = rare > 0 && (usual == 0 || rng.chance(rarely));
    const Choice& choice = choices[takes_rare ? usual + rng.below(rare) : rng.below(usual)];
    system_.take(choice);
    ++counts_.events;
    history_.push_back(choice);
    counts_.longest = std::max(counts_.longest, history_.size());
  }
}

}  // namespace rhizome::core
