// The other processes of a run on this machine: this program again, with the same words.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/mesh/rendezvous_pipes.hpp"

namespace rhizome::tools {

class Processes {
 public:
  // Launches processes 1 to `size` - 1; this one is process 0. They read no input, write only
  // errors, and leave the reaction to an interrupt to this one. Throws core::Unreachable if the
  // system refuses.
  explicit Processes(std::uint32_t size);
  // Launches them by ssh, each on its place; the place of process 0 is empty. They use the same
  // directory, program and RHIZOME_SET, and their pipe goes through ssh.
  Processes(const std::vector<std::string>& places, const std::string& ssh);
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
  using Ends = std::array<int, 2>;  // of a pipe: near and far end
  struct Program {
    std::string file;
    std::vector<std::string> words;
    std::vector<std::string> environment;
    bool speaks_to_pipe = false;  // by its input and output
  };
  void launch(Program program, const Ends& ends);

  std::vector<Process> others_;
};

}  // namespace rhizome::tools
