// What a launcher passes to a process that it launches, in environment variables: the rank of the
// process, the number of processes, and a pipe to the launcher.
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

// Reads the environment of this process; none if no launcher has started it. Throws UsageError if a
// variable has a value that no launcher sets.
[[nodiscard]] std::optional<LaunchedProcess> launched();

// The environment variables, `NAME=VALUE`.
[[nodiscard]] std::vector<std::string> environment_of(const LaunchedProcess& launched);

}  // namespace rhizome::tools
