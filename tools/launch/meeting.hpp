// How the processes of a command meet if a launcher other than this program has started them: srun,
// mpirun, or the pods of an indexed job.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/mesh/mesh.hpp"
#include "core/mesh/rendezvous.hpp"
#include "scenarios/store/record.hpp"
#include "tools/cli/command.hpp"

namespace rhizome::tools {

// The options --rendezvous, --join-within, --interface and --ports.
[[nodiscard]] std::vector<Option> meeting_options();

// The real time that the option gives, at least a second; `otherwise` if the option is not given.
// Throws UsageError.
[[nodiscard]] std::chrono::milliseconds patience_in(const Arguments& arguments,
                                                    const std::string& option,
                                                    std::chrono::milliseconds otherwise);
// How long the start waits for all processes.
[[nodiscard]] std::chrono::milliseconds join_within(const Arguments& arguments);

[[nodiscard]] std::string host_name();

// The number of processes that a launcher has started, as far as it is known before they meet. 2
// stands for several of unknown number; 1: this process alone.
[[nodiscard]] std::uint32_t launched_by_others(const Arguments& arguments);

// Throws UsageError if a launcher has started several copies of a command that must run alone.
void check_alone(std::string_view command);

// The rendezvous of this process with the other processes of its launch; null if it is alone or was
// launched by this program. Throws UsageError if the launched copies cannot meet, and
// core::Unreachable.
[[nodiscard]] std::unique_ptr<core::Rendezvous> rendezvous_of(const Arguments& arguments);

// The launcher of this process and of the others of its launch, and their means to meet. Throws
// UsageError.
[[nodiscard]] std::optional<scenarios::LaunchRecord> launch_by_others(const Arguments& arguments);

// The prefix of this process's messages if it is not the first of several: "[1 h2] ". Empty for the
// first process, and for a process that is alone.
[[nodiscard]] std::string name_among_others();

// Where this process listens for other processes, and what it tells them about itself, without its
// subjects. Throws UsageError for an interface that does not exist, and for invalid ports.
[[nodiscard]] core::MeshOptions mesh_options(const Arguments& arguments);

// The messages that process 0 prints once the processes have met: how many processes on how many
// hosts and cores, how exactly their clocks are known, which processes may not use all cores of
// their host, and which settings of the launcher are probably unintended.
[[nodiscard]] std::vector<std::string> news_of(const core::Mesh& mesh);

}  // namespace rhizome::tools
