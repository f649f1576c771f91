#include "tools/launch/meeting.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <fmt/core.h>

#include "core/mesh/launcher.hpp"
#include "core/mesh/rendezvous_choice.hpp"
#include "core/mesh/rendezvous_directory.hpp"
#include "core/mesh/rendezvous_pmix.hpp"
#include "scenarios/text/duration_text.hpp"
#include "scenarios/text/whole_file.hpp"
#include "tools/launch/launched_process.hpp"
#include "tools/launch/ports.hpp"

namespace rhizome::tools {

namespace {

std::uint32_t all_cores() {
  return static_cast<std::uint32_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

// The build: equal for a copy of the same program on another host.
std::string build_text() {
  utsname system{};
  const bool known = uname(&system) == 0;
  return fmt::format("program {} on {}, {}-endian", scenarios::this_program(),
                     known ? system.machine : "an unknown machine",
                     std::endian::native == std::endian::little ? "little" : "big");
}

std::string launcher_here() {
  const auto place = core::place_in(core::this_environment());
  return place ? place->launcher : "";
}

// Processes of --processes are all on this host.
bool here_only(const Arguments& arguments) {
  return arguments.has("processes") && !arguments.has("interface");
}

// The cores that the processes of each host may use together, as far as they are known.
std::map<std::string, std::uint32_t> cores_by_host(const core::Mesh& mesh) {
  std::map<std::string, std::uint32_t> cores;
  for (std::uint32_t i = 0; i < mesh.size(); ++i) {
    const core::ProcessIdentity& process = mesh.process(i);
    std::uint32_t& here = cores[process.host];
    here = std::min(here + process.cores, process.host_cores);
  }
  return cores;
}

// Rounded up, for it is a bound: "65 us", "5.4 ms".
std::string bound_text(std::chrono::nanoseconds bound) {
  const double us = std::ceil(std::chrono::duration<double, std::micro>(bound).count());
  if (us < 1000) return fmt::format("{:.0f} us", us);
  return fmt::format("{:.1f} ms", std::ceil(us / 100) / 10);
}

std::string meeting_text(const core::Mesh& mesh) {
  const auto cores = cores_by_host(mesh);
  const auto all =
      std::accumulate(cores.begin(), cores.end(), 0U,
                      [](std::uint32_t sum, const auto& host) { return sum + host.second; });
  return fmt::format("{} processes on {} host{}, {} core{}, clocks within {}, links encrypted",
                     mesh.size(), cores.size(), cores.size() == 1 ? "" : "s", all,
                     all == 1 ? "" : "s", bound_text(mesh.clock_bound()));
}

std::optional<core::PortRange> ports_of(const Arguments& arguments) {
  const auto given = arguments.text("ports");
  return given ? std::optional(ports_in(*given)) : std::nullopt;
}

std::optional<std::filesystem::path> directory_in(const Arguments& arguments) {
  const auto given = arguments.text("rendezvous");
  return given ? std::optional(scenarios::led_to(*given)) : std::nullopt;
}

// The rank in this process's environment, as far as it can be read: an invalid one is reported
// later.
std::uint32_t rank_told() {
  try {
    if (const auto launcher = launched()) return launcher->place.rank;
    const auto place = core::place_in(core::this_environment());
    return place ? place->rank : 0;
  } catch (const std::runtime_error&) {
    return 0;
  }
}

// The number of processes from PMIx, for a launcher that tells it in no other way.
std::uint32_t told_by_pmix(const core::Environment& environment) {
  const bool asked = environment.contains("PMIX_RANK") && core::pmix_is_built_in();
  return asked ? core::rendezvous_by_pmix()->size() : 1;
}

}  // namespace

std::string name_among_others() {
  const std::uint32_t rank = rank_told();
  return rank == 0 ? "" : "[" + std::to_string(rank) + " " + host_name() + "] ";
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "this host";
}

std::uint32_t launched_by_others(const Arguments& arguments) {
  const auto environment = core::this_environment();
  try {
    const auto place = core::place_in(environment);
    if (place) return place->size;
  } catch (const core::WronglyLaunched& error) {
    throw UsageError(error.what());
  }
  return arguments.has("rendezvous") || environment.contains("PMIX_RANK") ? 2 : 1;
}

void check_alone(std::string_view command) {
  try {
    const auto environment = core::this_environment();
    const auto place = core::place_in(environment);
    const std::uint32_t copies = place ? place->size : told_by_pmix(environment);
    if (copies > 1)
      throw UsageError(fmt::format(
          "{} has begun {} copies of rhizome {}, which would all do the same and write over each "
          "other: begin it once, by itself",
          place ? place->launcher : "a launcher", copies, command));
  } catch (const core::WronglyLaunched& error) {
    throw UsageError(error.what());
  }
}

std::vector<Option> meeting_options() {
  return {{.name = "rendezvous",
           .value = "DIR",
           .help = "without PMIx: a directory that all processes of a launcher see, in which they "
                   "find each other"},
          {.name = "join-within",
           .value = "TIME",
           .help = "give up if not all processes have joined this long after the first (60s)"},
          {.name = "interface",
           .value = "NAME",
           .help = "listen for other processes on this network interface, or on the interface "
                   "whose address begins so (the first that is not loopback)"},
          {.name = "ports",
           .value = "A-B",
           .help = "listen only on these ports, for firewalls (any free port)"}};
}

std::chrono::milliseconds patience_in(const Arguments& arguments, const std::string& option,
                                      std::chrono::milliseconds otherwise) {
  const auto given = arguments.text(option);
  if (!given) return otherwise;
  const auto duration = scenarios::parse_duration(*given);
  if (!duration || *duration < std::chrono::seconds(1) || *duration > std::chrono::hours(24 * 365))
    throw UsageError("--" + option + " " + *given +
                     ": it is a duration of at least one second, and at most a year");
  return std::chrono::duration_cast<std::chrono::milliseconds>(*duration);
}

std::chrono::milliseconds join_within(const Arguments& arguments) {
  return patience_in(arguments, "join-within", core::gathering_patience);
}

std::unique_ptr<core::Rendezvous> rendezvous_of(const Arguments& arguments) {
  try {
    return core::find_rendezvous(core::this_environment(), directory_in(arguments),
                                 join_within(arguments));
  } catch (const core::WronglyLaunched& error) {
    throw UsageError(error.what());
  }
}

std::optional<scenarios::LaunchRecord> launch_by_others(const Arguments& arguments) {
  try {
    const auto environment = core::this_environment();
    const auto place = core::place_in(environment);
    const std::string launcher = place ? place->launcher : "somebody";
    switch (core::meeting_of(environment, directory_in(arguments))) {
      case core::Meeting::directory:
        return {{.launcher = launcher, .met_by = "directory"}};
      case core::Meeting::pmix:
        return {{.launcher = launcher, .met_by = "pmix"}};
      case core::Meeting::alone:
        break;
    }
    return {};
  } catch (const core::WronglyLaunched& error) {
    throw UsageError(error.what());
  }
}

core::MeshOptions mesh_options(const Arguments& arguments) {
  return {.process = {.host = host_name(),
                      .version = RHIZOME_VERSION,
                      .build = build_text(),
                      .cores = core::allowed_cores(),
                      .host_cores = all_cores()},
          .address = here_only(arguments)
                         ? "127.0.0.1"
                         : address_among(interfaces_here(), arguments.text("interface")),
          .ports = ports_of(arguments)};
}

std::vector<std::string> news_of(const core::Mesh& mesh) {
  std::vector<std::string> news{meeting_text(mesh)};
  for (std::uint32_t i = 0; i < mesh.size(); ++i) {
    const core::ProcessIdentity& process = mesh.process(i);
    if (const auto confined = core::confinement(process.cores, process.host_cores, launcher_here()))
      news.push_back(mesh.name_of(i) + ": " + *confined);
  }
  for (std::string& trap : core::traps_in(core::this_environment()))
    news.push_back(std::move(trap));
  return news;
}

}  // namespace rhizome::tools
