#include "scenarios/experiment/under_way.hpp"

#include <utility>

namespace rhizome::scenarios {

Announced::Announced(const RunHooks& hooks, std::size_t number, Identity identity,
                     std::uint32_t peers)
    : hooks_(hooks), number_(number), identity_(std::move(identity)) {
  if (hooks_.board) board_ = std::make_shared<core::Board>(peers, *hooks_.board);
  if (hooks_.begin) hooks_.begin(run());
}

Announced::~Announced() {
  if (hooks_.over) hooks_.over(run());
}

core::Observer Announced::observer(const std::atomic<bool>* stop) {
  core::Observer observer{.stop = stop, .board = board_};
  if (hooks_.tick) observer.tick = [this](Time now) { hooks_.tick(run(), now); };
  return observer;
}

}  // namespace rhizome::scenarios
