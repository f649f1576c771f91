// How the processes of a run find each other: they exchange descriptors once.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/peer/interface.hpp"

namespace rhizome::core {

// A process has not come, or its descriptor cannot be read. The text says which one.
class Unreachable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What the launcher of the processes knows: how many they are, and which one this is. It is asked
// at the beginning only; the rest of a run does not depend on it. Descriptors are public: the
// launcher must keep them from being changed (machines, section 5).
class Rendezvous : public Interface {
 public:
  [[nodiscard]] virtual std::uint32_t rank() const = 0;
  [[nodiscard]] virtual std::uint32_t size() const = 0;
  // Publishes the descriptor of this process, waits for those of all others, and returns all by
  // rank. Called once. Throws Unreachable.
  [[nodiscard]] virtual std::vector<std::string> gather(const std::string& descriptor) = 0;
};

}  // namespace rhizome::core
