// The other processes of a run on this machine: this program again, with the same words.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "core/mesh/rendezvous_pipes.hpp"

namespace rhizome::tools {

class Processes {
 public:
  // Launches processes 1 to `size` - 1; this one is process 0. They read nothing, write nothing but
  // errors, and leave it to this one what an interrupt means. Throws core::Unreachable where the
  // system refuses.
  explicit Processes(std::uint32_t size);
  // Waits until they have ended, and ends those that do not: each ends soon once its pipe does.
  ~Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  [[nodiscard]] std::vector<core::Pipe> pipes() const;

 private:
  struct Process {
    pid_t id = -1;
    int socket = -1;
  };
  void launch(std::uint32_t rank, std::uint32_t size);

  std::vector<Process> others_;
};

}  // namespace rhizome::tools
