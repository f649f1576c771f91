// Chooses the rendezvous of the processes of a run, by the variables of their launcher.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include "core/mesh/launcher.hpp"
#include "core/mesh/rendezvous.hpp"

namespace rhizome::core {

enum class Meeting : std::uint8_t { alone, pmix, directory };

// By a directory if there is one; by PMIx where PMIX_RANK is set. Throws WronglyLaunched where
// several were launched that have no way to meet, so that they would all do the same, and for a
// directory without ranks.
[[nodiscard]] Meeting meeting_of(const Environment& environment,
                                 const std::optional<std::filesystem::path>& directory);

// The rendezvous for it, where the others are waited for so long; null for a process that is alone.
// Throws WronglyLaunched and Unreachable.
[[nodiscard]] std::unique_ptr<Rendezvous> find_rendezvous(
    const Environment& environment, const std::optional<std::filesystem::path>& directory,
    std::chrono::milliseconds patience);

}  // namespace rhizome::core
