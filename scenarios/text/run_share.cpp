#include "scenarios/text/run_share.hpp"

#include <charconv>

namespace rhizome::scenarios {

std::optional<RunShare> run_share_of(std::string_view text) {
  RunShare share;
  const char* end = text.data() + text.size();
  const auto [slash, wrong_index] = std::from_chars(text.data(), end, share.index);
  if (wrong_index != std::errc{} || slash == end || *slash != '/') return {};
  const auto [rest, wrong_count] = std::from_chars(slash + 1, end, share.of);
  if (wrong_count != std::errc{} || rest != end || share.index >= share.of) return {};
  return share;
}

}  // namespace rhizome::scenarios
