#include "scenarios/experiment/under_way.hpp"

#include <utility>

#include "agents/facts.hpp"

namespace rhizome::scenarios {

Announced::Announced(const RunHooks& hooks, Run run)
    : hooks_(hooks),
      run_(std::move(run)),
      counted_(std::make_shared<core::FactCount>(agents::TaskCompleted::info)) {
  if (hooks_.board) board_ = std::make_shared<core::Board>(run_.peers, *hooks_.board);
  if (hooks_.begin) hooks_.begin(now());
}

Announced::~Announced() {
  if (hooks_.over) hooks_.over(now());
}

core::Observer Announced::observer(const std::atomic<bool>* stop) {
  core::Observer observer{.stop = stop, .board = board_, .counted = counted_};
  if (hooks_.tick) observer.tick = [this](Time time) { hooks_.tick(now(), time); };
  return observer;
}

}  // namespace rhizome::scenarios
