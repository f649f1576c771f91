// What this machine can carry: the limits of the kernel that a thread per peer runs into, raised as
// far as allowed and checked before anything starts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/peer/limit_exceeded.hpp"

namespace rhizome::core {

// What the control groups of this process leave to it, in version 1 and 2 of the kernel's
// interface.

// The least of this process's group and of all that it is in; nothing where none sets a limit.
struct GroupLimits {
  std::optional<std::uint64_t> threads{};  // more, beside those that there are
  std::optional<std::uint64_t>
      memory{};  // more bytes; what the kernel can take back counts as free
};

// `root`: where the machine's files begin.
[[nodiscard]] GroupLimits group_limits(const std::filesystem::path& root = "/");

// One limit and the number of peers that it allows.
struct Limit {
  std::string name;  // as an administrator knows it, for example "vm.max_map_count"
  std::uint64_t value;
  std::uint64_t peers;
};

// Raises this process's limit of open files as far as it may.
void raise_limits();

// What a process is to carry.
struct Footprint {
  std::uint32_t peers = 0;  // on threads of their own
  std::uint32_t links = 0;  // to other processes
};

// The limits that matter to a process with so many links, the tightest first.
[[nodiscard]] std::vector<Limit> machine_limits(std::uint32_t links = 0);

// The memory that this process may have in all, including what it uses already, since freed memory
// is reused; and the limit that sets it: the machine with its swap space, a control group, or the
// address space.
struct MemoryRoom {
  std::string name;  // "the available memory"
  std::uint64_t bytes = 0;
  std::uint64_t taken = 0;  // of these bytes, those in use already
};
[[nodiscard]] MemoryRoom memory_room();

// Throws LimitExceeded when the peers are too many.
void preflight(const Footprint& footprint);

// How many files the process can have open beside those of its peers, whose children are running,
// once its limit is raised.
[[nodiscard]] std::uint64_t spare_descriptors(const Footprint& footprint);

// True when two descriptors per peer are to be had, so that the faster transport can be used.
[[nodiscard]] bool descriptors_for_direct(const Footprint& footprint);

}  // namespace rhizome::core
