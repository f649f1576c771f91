#include "core/mesh/missing.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rhizome::core {

std::optional<std::vector<std::string>> complete(
    std::span<const std::optional<std::string>> cards) {
  std::vector<std::string> all;
  for (const auto& card : cards) {
    if (!card) return {};
    all.push_back(*card);
  }
  return all;
}

std::string who_is_missing(std::span<const std::optional<std::string>> cards,
                           std::chrono::milliseconds patience) {
  constexpr std::size_t told = 10;
  std::vector<std::size_t> missing;
  for (std::size_t rank = 0; rank < cards.size(); ++rank)
    if (!cards[rank]) missing.push_back(rank);
  const std::size_t all = missing.size();
  missing.resize(std::min(all, told));
  return fmt::format("process{} {}{} of {} {} not come within {:g} s", all == 1 ? "" : "es",
                     fmt::join(missing, ", "),
                     all > told ? fmt::format(" and {} more", all - told) : "", cards.size(),
                     all == 1 ? "has" : "have", static_cast<double>(patience.count()) / 1000);
}

}  // namespace rhizome::core
