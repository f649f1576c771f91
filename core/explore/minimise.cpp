#include "core/explore/minimise.hpp"

#include <algorithm>
#include <utility>

namespace rhizome::core {

namespace {

// One history is less than another with fewer faults, or as many and fewer choices.
std::pair<std::size_t, std::size_t> size_of(const std::vector<Choice>& history) {
  const auto rare = std::count_if(history.begin(), history.end(),
                                  [](const Choice& choice) { return choice.rare; });
  return {static_cast<std::size_t>(rare), history.size()};
}

std::vector<Choice> without(const std::vector<Choice>& history, std::size_t first,
                            std::size_t count) {
  std::vector<Choice> rest = history;
  const auto begin = rest.begin() + static_cast<std::ptrdiff_t>(first);
  const std::size_t most = std::min(count, history.size() - first);
  rest.erase(begin, begin + static_cast<std::ptrdiff_t>(most));
  return rest;
}

// Removes so many choices at a time from the history; true if any could be removed.
bool shorten(System& system, BrokenHistory& history, std::size_t count, std::size_t depth,
             const std::function<bool()>& enough) {
  bool shorter = false;
  for (std::size_t first = 0; first < history.choices.size() && !(enough && enough());) {
    auto tried = follow(system, without(history.choices, first, count), depth);
    if (tried && tried->broken.rule == history.broken.rule &&
        size_of(tried->choices) < size_of(history.choices)) {
      history = std::move(*tried);
      shorter = true;
    } else {
      first += count;
    }
  }
  return shorter;
}

}  // namespace

std::optional<BrokenHistory> follow(System& system, std::span<const Choice> choices,
                                    std::size_t depth) {
  BrokenHistory followed;
  system.begin();
  while (!(followed.broken = system.flaw())) {
    const std::vector<Choice> possible = system.choices();
    const auto named = [&](const Choice& choice) {
      return std::any_of(possible.begin(), possible.end(),
                         [&](const Choice& one) { return one.key == choice.key; });
    };
    while (!choices.empty() && !named(choices.front())) choices = choices.subspan(1);
    const bool over = possible.empty() || (choices.empty() && possible.front().rare);
    if (over || followed.choices.size() >= depth) {
      followed.broken = system.verdict(over);
      break;
    }
    const Choice next = choices.empty() ? possible.front() : choices.front();
    if (!choices.empty()) choices = choices.subspan(1);
    system.take(next);
    followed.choices.push_back(next);
  }
  if (!followed.broken) return {};
  return followed;
}

BrokenHistory minimise(System& system, BrokenHistory history, std::size_t depth,
                       const std::function<bool()>& enough) {
  for (std::size_t count = std::max<std::size_t>(1, history.choices.size() / 2);;) {
    const bool shorter = shorten(system, history, count, depth, enough);
    if ((count == 1 && !shorter) || (enough && enough())) return history;
    count = std::max<std::size_t>(1, count / 2);
  }
}

}  // namespace rhizome::core
