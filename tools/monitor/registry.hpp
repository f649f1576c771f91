// The registry: where monitors of the same user find running runs. A run holds its entry locked, so
// that a reader that can lock an entry has found a dead run, and removes it. A directory that is a
// link, another user's or open to others, or that others could exchange, is neither written nor
// read; an endpoint is the socket beside its entry, and nothing else.
//
//   $XDG_RUNTIME_DIR/rhizome/PID.json   what it is, as JSON
//   $XDG_RUNTIME_DIR/rhizome/PID.sock   where it answers
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace rhizome::tools {

// The registry cannot be used; the text tells why, and a remedy.
class NoRegistry : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The contents of an entry.
struct RegisteredRun {
  std::uint64_t process = 0;
  std::string scenario;
  std::string began;      // "2026-01-31T12:00:00Z"
  std::string directory;  // of the run; empty if it is not stored
  std::string endpoint;   // where it answers
  friend bool operator==(const RegisteredRun&, const RegisteredRun&) = default;
};

class Registry {
 public:
  // The user's: $XDG_RUNTIME_DIR/rhizome, or rhizome-UID in the folder of temporary files.
  [[nodiscard]] static Registry of_user();
  explicit Registry(std::filesystem::path directory) : directory_(std::move(directory)) {}

  [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }
  // Where a process would answer. Throws NoRegistry where that is no possible name of a socket.
  [[nodiscard]] std::string endpoint(std::uint64_t process) const;
  // Why the registry's directory must not be used; nothing if it may be, or does not exist.
  [[nodiscard]] std::optional<std::string> objection() const;
  // Running runs, the latest first; none where there is an objection. Removes the entries of dead
  // runs.
  [[nodiscard]] std::vector<RegisteredRun> runs() const;
  // Whether a run still holds its entry.
  [[nodiscard]] bool holds(std::uint64_t process) const;
  // Makes the directory, for the user alone. Throws NoRegistry, also if other users may access it.
  void make() const;

 private:
  [[nodiscard]] std::optional<RegisteredRun> read(std::uint64_t process) const;

  std::filesystem::path directory_;
};

// An entry, as long as this lives.
class Registration {
 public:
  // Throws NoRegistry.
  Registration(const Registry& registry, const RegisteredRun& run);
  ~Registration();
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

 private:
  std::filesystem::path directory_;
  std::string stem_;  // of the entry's name
  int file_ = -1;
};

}  // namespace rhizome::tools
