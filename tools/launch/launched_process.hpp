// What a launcher tells the processes that it launches, in their environment: which one of how many
// each is, and the pipe to it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/mesh/rendezvous_pipes.hpp"

namespace rhizome::tools {

struct LaunchedProcess {
  core::LaunchedRendezvous::Place place;
  core::Pipe launcher;
};

// Of this process; nothing where nobody has launched it. Throws UsageError where the environment
// says what cannot be.
[[nodiscard]] std::optional<LaunchedProcess> launched();

// As `NAME=VALUE`.
[[nodiscard]] std::vector<std::string> environment_of(const LaunchedProcess& launched);

}  // namespace rhizome::tools
