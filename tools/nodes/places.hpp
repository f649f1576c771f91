// Where the workers of nodes run: jobs of a Slurm cluster, or hosts that ssh reaches.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "agents/provision/formula.hpp"
#include "tools/launch/hosts.hpp"

namespace rhizome::tools {

// The beginning of the names of all Slurm jobs of servers.
inline constexpr const char* job_prefix = "rhizome-";

// All functions may be called from any thread.
class Places {
 public:
  Places() = default;
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;
  virtual ~Places() = default;

  // The command that runs the worker of that node, with its arguments. A second call for the node
  // may name another place, because the worker there has ended.
  [[nodiscard]] virtual std::vector<std::string> command(std::uint32_t node) = 0;
  // Gives back the place of a worker that has ended, or must end.
  virtual void give_back(std::uint32_t node) = 0;
  // The nodes that other users leave idle and those that they wait for. `starting`: how many
  // workers have no place yet, as far as is known. Throws NoSlurm.
  [[nodiscard]] virtual agents::provision::ClusterState state(std::uint32_t starting) = 0;
};

// A job of one whole node for each worker, begun by srun.
class SlurmPlaces final : public Places {
 public:
  // `record` keeps the names of the jobs, so that the next start can cancel what a killed process
  // has left; cancels what such a record names now. Throws NoSlurm where Slurm does not answer, and
  // scenarios::CannotWrite.
  // `warn` is told once, of the first that Slurm says and that cannot be read.
  using Warn = std::function<void(const std::string&)>;
  SlurmPlaces(const std::filesystem::path& record, std::uint32_t nodes, Warn warn = {});
  // To be destroyed after all nodes.
  ~SlurmPlaces() override;
  [[nodiscard]] std::vector<std::string> command(std::uint32_t node) override;
  void give_back(std::uint32_t node) override;
  [[nodiscard]] agents::provision::ClusterState state(std::uint32_t starting) override;
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  const std::filesystem::path record_;
  const std::string name_;  // of the jobs, followed by the number of the node
  const Warn warn_;
  std::atomic<bool> warned_ = false;
};

// One worker at a time on each host of a list; there are no other users.
class HostPlaces final : public Places {
 public:
  HostPlaces(const std::vector<HostShare>& hosts, std::string ssh);
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(hosts_.size()); }
  // A host without a worker: the one whose last worker ended longest ago.
  [[nodiscard]] std::vector<std::string> command(std::uint32_t node) override;
  void give_back(std::uint32_t node) override;
  [[nodiscard]] agents::provision::ClusterState state(std::uint32_t starting) override;

 private:
  const std::string ssh_;
  std::mutex mutex_;
  std::vector<std::string> hosts_;
  std::deque<std::string> free_;
  std::map<std::uint32_t, std::string> taken_;
};

}  // namespace rhizome::tools
