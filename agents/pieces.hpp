// Lists that are as long as a run has tasks, in messages that can be read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace rhizome::agents {

// A packet holds 65,536 elements of its encoding (core::CodecLimits), and a task may take a
// hundred.
inline constexpr std::size_t most_in_message = 512;

// Calls `send` with each piece of the list in order, after the index of its first item.
template <class T, class Send>
void in_pieces(const std::vector<T>& items, Send send) {
  for (std::size_t first = 0; first < items.size(); first += most_in_message) {
    const std::size_t size = std::min(items.size() - first, most_in_message);
    const auto begin = items.begin() + static_cast<std::ptrdiff_t>(first);
    send(first, std::vector<T>(begin, begin + static_cast<std::ptrdiff_t>(size)));
  }
}

}  // namespace rhizome::agents
