#include "core/engine/board.hpp"

#include "core/engine/mirror.hpp"

namespace rhizome::core {

void Board::reflect(Mirror& mirror) {
  mirror_ = &mirror;
  for (std::uint32_t i = 0; i < peers(); ++i)
    if (mirror.reflects({i})) show({i}, mirror.recorder({i}));
}

void Board::catch_up() const {
  if (mirror_ != nullptr) mirror_->catch_up(views_.get(), wanted_views() != nullptr);
}

std::uint64_t Board::faults(Fault::Kind kind) const {
  const std::uint64_t own = faults_[static_cast<std::size_t>(kind)].get();
  return mirror_ == nullptr ? own : own + mirror_->faults(kind);
}

}  // namespace rhizome::core
