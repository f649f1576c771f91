#include "tools/launch/meeting.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>

#include <fmt/core.h>

#include "core/mesh/launcher.hpp"
#include "core/mesh/rendezvous_choice.hpp"
#include "tools/launch/interfaces.hpp"

namespace rhizome::tools {

namespace {

std::uint32_t all_cores() {
  return static_cast<std::uint32_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

std::string launcher_here() {
  const auto place = core::place_in(core::this_environment());
  return place ? place->launcher : "";
}

// Processes of --processes are all on this host.
bool here_only(const Arguments& arguments) {
  return arguments.has("processes") && !arguments.has("interface");
}

std::size_t count_hosts(const core::Mesh& mesh) {
  std::set<std::string> hosts;
  for (std::uint32_t i = 0; i < mesh.size(); ++i) hosts.insert(mesh.process(i).host);
  return hosts.size();
}

}  // namespace

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

std::vector<Option> meeting_options() {
  return {{.name = "rendezvous",
           .value = "DIR",
           .help = "where processes that a launcher began find each other, if not by PMIx: a "
                   "directory that all of them see"},
          {.name = "interface",
           .value = "NAME",
           .help = "where to listen for other processes: a network interface, or with what its "
                   "address begins (the first that is not loopback)"}};
}

std::unique_ptr<core::Rendezvous> rendezvous_of(const Arguments& arguments) {
  std::optional<std::filesystem::path> directory;
  if (const auto given = arguments.text("rendezvous")) directory = *given;
  try {
    return core::find_rendezvous(core::this_environment(), directory);
  } catch (const core::WronglyLaunched& error) {
    throw UsageError(error.what());
  }
}

core::MeshOptions mesh_options(const Arguments& arguments) {
  return {.process = {.host = host_name(),
                      .version = RHIZOME_VERSION,
                      .cores = core::allowed_cores(),
                      .host_cores = all_cores()},
          .address = here_only(arguments)
                         ? "127.0.0.1"
                         : address_among(interfaces_here(), arguments.text("interface"))};
}

std::vector<std::string> news_of(const core::Mesh& mesh) {
  const std::size_t hosts = count_hosts(mesh);
  std::vector<std::string> news{fmt::format("{} processes on {} host{}, links encrypted",
                                            mesh.size(), hosts, hosts == 1 ? "" : "s")};
  for (std::uint32_t i = 0; i < mesh.size(); ++i) {
    const core::ProcessIdentity& process = mesh.process(i);
    if (const auto confined = core::confinement(process.cores, process.host_cores, launcher_here()))
      news.push_back(mesh.name_of(i) + ": " + *confined);
  }
  return news;
}

}  // namespace rhizome::tools
