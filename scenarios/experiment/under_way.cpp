#include "scenarios/experiment/under_way.hpp"

#include <utility>

#include "agents/facts.hpp"

namespace rhizome::scenarios {

AnnouncedRun::AnnouncedRun(const RunHooks& hooks, Run run)
    : hooks_(hooks),
      run_(std::move(run)),
      counted_(std::make_shared<core::FactCount>(agents::TaskCompleted::info)) {
  if (hooks_.begin) hooks_.begin(now());
}

AnnouncedRun::~AnnouncedRun() {
  if (hooks_.over) hooks_.over(now());
}

core::Observer AnnouncedRun::observer(const std::atomic<bool>* stop) {
  core::Observer observer{.stop = stop, .nodes = hooks_.nodes, .counted = counted_};
  if (hooks_.tick) observer.tick = [this](Time time) { hooks_.tick(now(), time); };
  if (hooks_.pace) observer.pace = hooks_.pace(now());
  if (hooks_.steer && run_.struck) {
    hooks_.steer(now(), steering_);
    observer.steering = &steering_;
  }
  observer.foresee = [this](core::Foreseen&& foreseen) { foreseen_ = std::move(foreseen); };
  if (hooks_.watch)
    observer.watch = [this](const core::Board& board) { hooks_.watch(now(), board); };
  if (hooks_.unwatch) observer.unwatch = [this] { hooks_.unwatch(now()); };
  return observer;
}

}  // namespace rhizome::scenarios
