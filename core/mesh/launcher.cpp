#include "core/mesh/launcher.hpp"

#include <sched.h>
#include <unistd.h>

#include <array>

#include "core/peer/number_text.hpp"

namespace rhizome::core {

namespace {

// How a launcher names the place of a process. Without `within`, which is empty where there is no
// such thing, its variables were inherited by something that it did not launch.
struct Words {
  const char* launcher;
  const char* rank;
  const char* size;
  const char* within;
};

// mpirun begins its daemons by srun where that is there, so it comes before.
constexpr std::array<Words, 4> launchers{
    {{"somebody", "RHIZOME_RANK", "RHIZOME_SIZE", ""},
     {"mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", ""},
     {"srun", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_STEP_ID"},
     {"Kubernetes", "JOB_COMPLETION_INDEX", "RHIZOME_SIZE", ""}}};

std::string value_of(const Environment& environment, std::string_view name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

std::uint32_t number_in(const Environment& environment, const char* name) {
  const std::string text = value_of(environment, name);
  if (const auto number = parse_number<std::uint32_t>(text)) return *number;
  throw WronglyLaunched(std::string(name) + " should be a whole number, and is \"" + text + "\"");
}

bool speaks(const Words& words, const Environment& environment) {
  return environment.contains(words.rank) && environment.contains(words.size) &&
         (*words.within == '\0' || environment.contains(words.within));
}

Place place_by(const Words& words, const Environment& environment) {
  Place place{.launcher = words.launcher,
              .rank = number_in(environment, words.rank),
              .size = number_in(environment, words.size)};
  if (place.size == 0 || place.size > most_processes)
    throw WronglyLaunched(std::string(words.size) + " is " + std::to_string(place.size) +
                          "; a run has 1 to " + std::to_string(most_processes) + " processes");
  if (place.rank >= place.size)
    throw WronglyLaunched(std::string(words.rank) + " is " + std::to_string(place.rank) + " and " +
                          words.size + " " + std::to_string(place.size) +
                          "; ranks count from 0 and are below the size");
  if (*words.within != '\0') {
    place.session =
        value_of(environment, "SLURM_JOB_ID") + "." + value_of(environment, words.within);
    place.hosts = value_of(environment, "SLURM_STEP_NODELIST");
  }
  return place;
}

}  // namespace

Environment this_environment() {
  Environment made;
  for (char** line = environ; *line != nullptr; ++line) {
    const std::string_view text = *line;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos)
      made.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return made;
}

std::optional<Place> place_in(const Environment& environment) {
  for (const Words& words : launchers)
    if (speaks(words, environment)) return place_by(words, environment);
  if (environment.contains("JOB_COMPLETION_INDEX"))
    throw WronglyLaunched(
        "JOB_COMPLETION_INDEX says which process of an indexed job this is, and nothing how many "
        "they are: set RHIZOME_SIZE to the completions of the job");
  return {};
}

std::optional<std::string> confinement(unsigned allowed, unsigned cores,
                                       std::string_view launcher) {
  if (launcher.empty() || allowed >= cores) return {};
  const char* remedy = launcher == "mpirun" ? ": add --bind-to none"
                       : launcher == "srun" ? ": ask for more with -c"
                                            : "";
  return "confined to " + std::to_string(allowed) + " of " + std::to_string(cores) +
         " cores by the launcher" + remedy;
}

std::vector<std::string> traps_in(const Environment& environment) {
  std::vector<std::string> traps;
  const auto place = place_in(environment);
  const std::string launcher = place ? place->launcher : "";
  const auto is_set = [&](const char* name) { return value_of(environment, name) == "1"; };
  if (launcher == "mpirun" && is_set("OMPI_MCA_orte_enable_recovery"))
    traps.emplace_back(
        "mpirun --enable-recovery ends with 0 whatever comes of these runs: go by their verdict");
  if (launcher == "srun" && is_set("SLURM_KILL_BAD_EXIT"))
    traps.emplace_back(
        "SLURM_KILL_BAD_EXIT is set: when one process dies, srun ends all, and none goes on");
  return traps;
}

std::optional<std::string> hidden_status(std::string_view launcher) {
  if (launcher != "srun") return {};
  return "srun will end with the status of the process that was lost, such as 137, and not with "
         "that of these runs: go by their verdict";
}

unsigned allowed_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN));
  return static_cast<unsigned>(CPU_COUNT(&set));
}

}  // namespace rhizome::core
