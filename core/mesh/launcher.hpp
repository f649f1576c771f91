// What a launcher tells the processes that it starts, in environment variables: its name, the
// number of processes, and the rank of this one (machines, section 2).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rhizome::core {

// Variables by name.
using Environment = std::map<std::string, std::string, std::less<>>;
// The environment variables of this process.
[[nodiscard]] Environment this_environment();

// The processes were launched in a way that cannot be a run of several processes; the text tells
// what to add.
class WronglyLaunched : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The place of a process among those of its run.
struct Place {
  std::string launcher;  // "srun", "mpirun", "Kubernetes", "somebody"
  std::uint32_t rank = 0;
  std::uint32_t size = 1;
  std::string session{};  // what tells this launch from others of the same launcher, if anything
  std::string hosts{};    // of all its processes, as the launcher writes them, if it does
};

// More processes than these are taken for a mistake: each pair has a connection.
inline constexpr std::uint32_t most_processes = 4096;

// By the first of these that is complete: RHIZOME_RANK and RHIZOME_SIZE, OMPI_COMM_WORLD_RANK and
// _SIZE, SLURM_PROCID and SLURM_NTASKS within a step, JOB_COMPLETION_INDEX with RHIZOME_SIZE.
// Nothing where this process is alone. Throws WronglyLaunched for values that cannot be.
[[nodiscard]] std::optional<Place> place_in(const Environment& environment);

// What to tell where a process may use fewer cores than its machine has, for its peers share them:
// "confined to 1 of 2 cores by the launcher: add --bind-to none". Nothing without a launcher, or
// where all are allowed.
[[nodiscard]] std::optional<std::string> confinement(unsigned allowed, unsigned cores,
                                                     std::string_view launcher);
// Warnings, at the beginning, of settings of the launcher that are hardly meant for such runs.
[[nodiscard]] std::vector<std::string> traps_in(const Environment& environment);
// The warning to print when a process was lost under a launcher that ends with another status than
// that of process 0. Nothing if the launcher passes that status on, or ends all processes anyway.
[[nodiscard]] std::optional<std::string> hidden_status(std::string_view launcher);
// The cores that this process may use.
[[nodiscard]] unsigned allowed_cores();

}  // namespace rhizome::core
