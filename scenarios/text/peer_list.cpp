#include "scenarios/text/peer_list.hpp"

#include <algorithm>
#include <cstdint>

#include "core/peer/number_text.hpp"

namespace rhizome::scenarios {

namespace {

constexpr std::uint32_t most_peers = 1'000'000;

std::optional<std::uint32_t> number_in(std::string_view text) {
  const auto number = core::parse_number<std::uint32_t>(text);
  return number && *number < most_peers ? number : std::nullopt;
}

// "9" or "9..12".
bool add_range(std::string_view text, std::vector<core::PeerId>& peers) {
  const std::size_t dots = text.find("..");
  const auto first = number_in(text.substr(0, dots));
  const auto last = dots == text.npos ? first : number_in(text.substr(dots + 2));
  if (!first || !last || *last < *first || peers.size() + (*last - *first) >= most_peers)
    return false;
  for (std::uint32_t peer = *first; peer <= *last; ++peer) peers.push_back({peer});
  return true;
}

}  // namespace

std::optional<std::vector<core::PeerId>> parse_peers(std::string_view text) {
  std::vector<core::PeerId> peers;
  for (;;) {
    const std::size_t comma = text.find(',');
    if (!add_range(text.substr(0, comma), peers)) return {};
    if (comma == text.npos) return peers;
    text.remove_prefix(comma + 1);
  }
}

std::string peers_text(std::span<const core::PeerId> peers) {
  std::vector<core::PeerId> list(peers.begin(), peers.end());
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
  std::string text;
  for (std::size_t i = 0; i < list.size();) {
    std::size_t last = i;
    while (last + 1 < list.size() && list[last + 1].value == list[last].value + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(list[i].value);
    if (last > i) text += (last == i + 1 ? "," : "..") + std::to_string(list[last].value);
    i = last + 1;
  }
  return text;
}

}  // namespace rhizome::scenarios
