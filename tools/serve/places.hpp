// Where the parts of a server are, by the file of its jobs: what opens it and where it listens
// stand beside that, so that a client of this machine needs no more than its name.
#pragma once

#include <filesystem>
#include <string>

namespace rhizome::tools {

inline constexpr const char* usual_store = "jobs.sqlite";

[[nodiscard]] inline std::filesystem::path token_file(const std::filesystem::path& store) {
  return store.string() + ".token";
}
[[nodiscard]] inline std::filesystem::path address_file(const std::filesystem::path& store) {
  return store.string() + ".address";
}

// The names of the Slurm jobs of a server, as long as it runs.
[[nodiscard]] inline std::filesystem::path nodes_file(const std::filesystem::path& store) {
  return store.string() + ".nodes";
}

}  // namespace rhizome::tools
