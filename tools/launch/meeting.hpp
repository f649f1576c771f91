// How the processes of a command meet that somebody else has launched: srun, mpirun, or the pods of
// an indexed job.
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

// --rendezvous, --join-within, --interface and --ports.
[[nodiscard]] std::vector<Option> meeting_options();

// A time of at least a second, in real time: that of the option, or the other where it is not said.
// Throws UsageError.
[[nodiscard]] std::chrono::milliseconds patience_in(const Arguments& arguments,
                                                    const std::string& option,
                                                    std::chrono::milliseconds otherwise);
// How long all processes are waited for at the beginning.
[[nodiscard]] std::chrono::milliseconds join_within(const Arguments& arguments);

[[nodiscard]] std::string host_name();

// How many processes a launcher has begun, as far as that can be told before they meet: then two
// stand for several. 1: this one.
[[nodiscard]] std::uint32_t launched_by_others(const Arguments& arguments);

// Throws UsageError where a launcher has begun several copies of a command that is to be alone.
void check_alone(std::string_view command);

// The rendezvous of this process with the others of its launch; null where it is alone, or was
// launched by this program. Throws UsageError where copies were launched that cannot meet, and
// core::Unreachable.
[[nodiscard]] std::unique_ptr<core::Rendezvous> rendezvous_of(const Arguments& arguments);

// Who has begun this process and the others of its launch, and by what they meet. Throws
// UsageError.
[[nodiscard]] std::optional<scenarios::LaunchRecord> launch_by_others(const Arguments& arguments);

// How messages of this process begin where it is not the first of several: "[1 h2] ". Nothing for
// the first, and for one that is alone.
[[nodiscard]] std::string name_among_others();

// Where this process listens for others, and what it says of itself but for its subjects. Throws
// UsageError for an interface that there is not, and for what are no ports.
[[nodiscard]] core::MeshOptions mesh_options(const Arguments& arguments);

// What is to be told of the processes once they have met, at process 0: how many on how many hosts
// and cores, how well their clocks are known, who may not use all cores of its host, and what their
// launcher was asked for that nobody means.
[[nodiscard]] std::vector<std::string> news_of(const core::Mesh& mesh);

}  // namespace rhizome::tools
