// Which processes have come to a rendezvous, and which have not.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rhizome::core {

// The descriptors of all, by rank; nothing while one is missing.
[[nodiscard]] std::optional<std::vector<std::string>> complete(
    std::span<const std::optional<std::string>> descriptors);

// Why a rendezvous failed that lacks descriptors: "processes 1 on h2, 3 on h4 of 4 have not come
// within 60 s, and 0 on h1, 2 on h3 have": the first ten of each, and how many more. Hosts are
// those of the descriptors; for missing processes those that the launcher knows, by rank, if any.
[[nodiscard]] std::string who_is_missing(std::span<const std::optional<std::string>> descriptors,
                                         std::chrono::milliseconds patience,
                                         std::span<const std::string> hosts = {});
// The same once no process is waited for any more: "process 1 on h2 of 2 has ended before it came".
[[nodiscard]] std::string who_has_ended(std::span<const std::optional<std::string>> descriptors,
                                        std::span<const std::string> hosts = {});

}  // namespace rhizome::core
