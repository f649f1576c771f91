// The descriptor of a process: the data with which other processes find it, and check that it runs
// the same experiment. It is public, and holds no secret.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/mesh/rendezvous.hpp"

namespace rhizome::core {

// Something that has to be the same in all processes: the scenario, or a file that it reads.
struct Subject {
  std::string name;
  std::string fingerprint;
  friend bool operator==(const Subject&, const Subject&) = default;
};

// What a process says of itself.
struct ProcessIdentity {
  std::string host;
  std::string version;  // of the program
  std::string build{};  // which program of that version, and for which machines
  std::vector<Subject> subjects{};
  std::uint32_t cores = 1;       // cores the process may use
  std::uint32_t host_cores = 1;  // cores of its machine
};

struct ProcessDescriptor {
  ProcessIdentity process;
  std::string key;                       // public, of CURVE
  std::string source{};                  // where it connects from: "127.0.0.1:4000"
  std::vector<std::string> endpoints{};  // by process: where this one awaits it; empty: nowhere
};

// A line of letters and digits. The part before its dash, with host, version and build, has the
// same format in every version.
[[nodiscard]] std::string text_of(const ProcessDescriptor& descriptor);

// The host in a descriptor; nothing if it cannot be read.
[[nodiscard]] std::optional<std::string> host_in(std::string_view text);

// The descriptors of all processes, by number. Throws Unreachable if one cannot be read, has no
// endpoint for one of higher number, or is of a process with another version, build or subjects
// than process 0; the text names the process.
[[nodiscard]] std::vector<ProcessDescriptor> read_descriptors(std::span<const std::string> texts);

}  // namespace rhizome::core
