// Runs in virtual time that several processes do: process 0 hands them out, and the others help.
#pragma once

#include <memory>
#include <span>

#include "core/mesh/mesh.hpp"
#include "scenarios/experiment/helpers.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/text/run_share.hpp"
#include "tools/cli/command.hpp"

namespace rhizome::tools {

class Helped {
 public:
  // Meets the others, where a launcher has begun several. The cells have been checked, are the same
  // in all processes, and outlive it. Throws UsageError and core::Unreachable.
  Helped(const Arguments& arguments, std::span<const scenarios::Cell> cells);
  // Sends the others home.
  ~Helped();
  Helped(const Helped&) = delete;
  Helped& operator=(const Helped&) = delete;

  // Process 0 says what is to be done: all that this one has to do is to follow.
  [[nodiscard]] bool follows() const { return mesh_ != nullptr && mesh_->rank() != 0; }
  [[nodiscard]] Exit follow();
  // Null where this process is alone.
  [[nodiscard]] scenarios::Helpers* helpers() { return helpers_.get(); }

 private:
  const std::span<const scenarios::Cell> cells_;
  const scenarios::RunShare share_;
  std::unique_ptr<core::Mesh> mesh_;
  std::unique_ptr<scenarios::Helpers> helpers_;
};

}  // namespace rhizome::tools
