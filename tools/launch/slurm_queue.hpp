// The queue of a Slurm cluster, as sinfo and squeue report it: the input of a policy of
// provisioning for a cluster that other users use as well.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "agents/provision/formula.hpp"

namespace rhizome::tools {

struct SlurmQueue {
  std::uint32_t nodes = 0;  // in whatever state
  std::string top{};        // the number of the job on top of the queue; "": no job waits for nodes
  std::string user{};       // of that job
  // `waited` counts from the time at which that job became eligible. Slurm does not record when it
  // came on top, so this is the longest that it can have been there.
  agents::provision::ClusterState state{};
  std::string warning{};  // of the first line that could not be read; "": all were
};

// Slurm does not answer, or its answer breaks off.
class NoSlurm : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The lines, in this order: `node NAME STATE` for each node and partition, `own NUMBER NAME` for
// each job of this user, `job NUMBER NODES USER ELIGIBLE REASON` for each waiting job, the highest
// priority first, and `end NOW`; times are seconds since 1970. A job waits for nodes if its reason
// is Resources, Priority or None. Others are held, or wait for a time or for another job. Other
// lines are passed over. Jobs of the name `ours`, a dash and a number do not count. Throws NoSlurm
// without an end.
[[nodiscard]] SlurmQueue parse_slurm_queue(std::span<const std::string> lines,
                                           const std::string& ours = "");

// Asks the Slurm that SLURM_CONF or the system's configuration names, once. Throws NoSlurm.
[[nodiscard]] SlurmQueue read_slurm_queue(const std::string& ours = "");

}  // namespace rhizome::tools
