// The places of a server's files, derived from the file of its jobs: its tokens and its address are
// in files beside it, so that a client on this machine needs only its name.
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
