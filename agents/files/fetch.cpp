#include "agents/files/fetch.hpp"

#include <algorithm>

namespace rhizome::agents::files {

void Fetch::add_holder(core::PeerId peer) {
  if (std::find(holders_.begin(), holders_.end(), peer) == holders_.end()) holders_.push_back(peer);
}

bool Fetch::drop_holder(core::PeerId peer) {
  std::erase(holders_, peer);
  turn_ = 0;
  asked_.clear();
  return !holders_.empty();
}

bool Fetch::take(const Index& index) {
  if (indexed() || index.size() != chunks_of(file_.size, chunk_)) return false;
  if (name_of(file_.size, index) != file_.name) return false;
  index_ = index;
  left_ = index.size();
  here_.assign(left_, false);
  asked_before_.assign(left_, false);
  tries_ = 0;
  return true;
}

bool Fetch::take(core::Time now, std::uint32_t number, std::span<const std::byte> bytes) {
  if (number >= index_.size() || here_[number] || digest_of(bytes) != index_[number]) return false;
  here_[number] = true;
  --left_;
  tries_ = 0;
  window_ = std::min(window_ + 1, widest_window);
  const auto asked = asked_.find(number);
  if (asked == asked_.end()) return true;
  patience_ = std::clamp(3 * (now - asked->second), least_patience, most_patience_);
  asked_.erase(asked);
  return true;
}

std::vector<std::uint32_t> Fetch::wanted(core::Time now) {
  std::vector<std::uint32_t> numbers;
  if (2 * asked_.size() > window_) return numbers;
  for (std::uint32_t i = 0; i < index_.size() && asked_.size() < window_; ++i) {
    if (here_[i] || asked_.contains(i)) continue;
    asked_.emplace(i, now);
    if (asked_before_[i]) ++again_;
    asked_before_[i] = true;
    numbers.push_back(i);
  }
  return numbers;
}

void Fetch::turn_to(core::PeerId holder) {
  const auto found = std::find(holders_.begin(), holders_.end(), holder);
  if (found == holders_.end()) return;
  turn_ = static_cast<std::size_t>(found - holders_.begin());
  asked_.clear();
}

void Fetch::stall() {
  asked_.clear();
  window_ = 1;
  ++tries_;
  ++turn_;
  patience_ = std::min(2 * patience_, most_patience_);
}

}  // namespace rhizome::agents::files
