// Who has come to a rendezvous, and who has not.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rhizome::core {

// The cards of all, by rank; nothing while one is missing.
[[nodiscard]] std::optional<std::vector<std::string>> complete(
    std::span<const std::optional<std::string>> cards);

// "processes 1 and 3 of 4 have not come within 60 s": the first ten, and how many more.
[[nodiscard]] std::string who_is_missing(std::span<const std::optional<std::string>> cards,
                                         std::chrono::milliseconds patience);

}  // namespace rhizome::core
