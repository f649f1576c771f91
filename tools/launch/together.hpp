// Runs by several processes together: this one, and those that it launches, here or on other hosts,
// or those that were launched with it. On threads they share the peers of a run; in virtual time
// process 0 hands out whole runs.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "core/mesh/mesh.hpp"
#include "core/mesh/rendezvous_pipes.hpp"
#include "scenarios/experiment/distributed_run.hpp"
#include "scenarios/experiment/helpers.hpp"
#include "scenarios/store/record.hpp"
#include "scenarios/text/run_share.hpp"
#include "tools/cli/command.hpp"

namespace rhizome::tools {

// The leash of a launched process: it does not outlive its launcher, whatever it is about.
class Leash {
 public:
  // Begins once only the end of the pipe is left to read. When the launcher has gone the process
  // has three seconds to end by itself.
  explicit Leash(int pipe);
  // Lets go.
  ~Leash();
  Leash(const Leash&) = delete;
  Leash& operator=(const Leash&) = delete;

 private:
  void watch(int pipe) const;

  int let_go_ = -1;
  std::thread thread_;
};

// The other processes of a run on this machine: this program again, with the same words.
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
  using Ends = std::array<int, 2>;  // of a pipe: here and there
  struct Program {
    std::string file;
    std::vector<std::string> words;
    std::vector<std::string> environment;
    bool speaks_to_pipe = false;  // by its input and output
  };
  void launch(Program program, const Ends& ends);

  std::vector<Process> others_;
};

// --processes, and the options that belong to it.
[[nodiscard]] std::vector<Option> together_options();
// --share; and the share that it names, nothing for all runs. Throws UsageError for an invalid
// share.
[[nodiscard]] Option share_option();
[[nodiscard]] std::optional<scenarios::RunShare> share_in(const Arguments& arguments);
// 1 by default.
[[nodiscard]] std::uint32_t processes_of(const Arguments& arguments);
// Throws UsageError where several processes cannot do these runs, or have nothing to do.
void check_together_options(std::span<const scenarios::Cell> cells, const Arguments& arguments);

class Together {
 public:
  // Launches the others and waits for them, where there are to be any. The cells have been checked,
  // are the same in all processes, and outlive it. Throws core::Unreachable.
  // Processes meet also where there are no cells, if they `meet_anyway`.
  Together(const Arguments& arguments, std::span<const scenarios::Cell> cells,
           bool meet_anyway = false);
  // Lets the others go, and waits until they have ended.
  ~Together();
  Together(const Together&) = delete;
  Together& operator=(const Together&) = delete;

  // Whether another process decides what is done, and this one only follows.
  [[nodiscard]] bool follows() const { return mesh_ != nullptr && mesh_->rank() != 0; }
  [[nodiscard]] Exit follow();
  // Nothing where this process is alone.
  [[nodiscard]] core::Mesh* mesh() { return mesh_.get(); }
  // None if this process is alone.
  [[nodiscard]] scenarios::DistributedRun* distributed_run() { return distributed_run_.get(); }
  // By process; empty if this process is alone.
  [[nodiscard]] std::vector<scenarios::Member> members() const;
  // The launch of these processes; nothing if this one is alone.
  [[nodiscard]] std::optional<scenarios::LaunchRecord> launch() const {
    return mesh_ == nullptr ? std::nullopt : launch_;
  }
  // A warning that the launcher's status will hide a lost process: given once, as soon as that is
  // known, because a launcher may stop forwarding output when a process ends.
  [[nodiscard]] std::optional<std::string> hidden_status();
  // None if runs are on threads, or if this process is alone.
  [[nodiscard]] scenarios::Helpers* helpers() { return helpers_.get(); }

 private:
  // Makes the mesh, unless this process is alone.
  void meet(const Arguments& arguments);
  [[nodiscard]] std::unique_ptr<core::Rendezvous> find_the_others(const Arguments& arguments);

  const std::span<const scenarios::Cell> cells_;
  const scenarios::RunShare share_;
  std::optional<scenarios::LaunchRecord> launch_;
  std::optional<Processes> processes_;  // ends last
  std::optional<Leash> leash_;
  std::unique_ptr<core::Mesh> mesh_;
  std::unique_ptr<scenarios::DistributedRun> distributed_run_;
  std::unique_ptr<scenarios::Helpers> helpers_;
  bool told_status_ = false;
};

}  // namespace rhizome::tools
