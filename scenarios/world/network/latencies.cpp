#include "scenarios/world/network/latencies.hpp"

#include <utility>

#include "core/engine/share.hpp"
#include "core/peer/latency.hpp"
#include "overlay/graphml.hpp"
#include "scenarios/world/graphs.hpp"

namespace rhizome::scenarios {

namespace {

template <class L, class... A>
MadeLatency made(A&&... arguments) {
  auto link = std::make_unique<L>(std::forward<A>(arguments)...);
  const Duration longest = link->longest();
  return {std::move(link), longest, {}};
}

std::optional<Complaint> check_range(const NetworkSection& network) {
  if (network.delay_min <= network.delay_max) return {};
  return Complaint{{"delay_max", "delay_min"}, "\"delay_max\" is below \"delay_min\""};
}

// Checks a random model, whose mean is the delay.
auto check_mean(const std::string& word) {
  return [word](const NetworkSection& network) -> std::optional<Complaint> {
    if (network.delay.count() > 0) return {};
    return Complaint{{"delay"}, "\"delay\" must be above 0 for " + word + " latencies"};
  };
}

// Two hosts together cannot vary more than the pairs that they make.
std::optional<Complaint> check_hosts(const NetworkSection& network) {
  if (2 * network.sigma_host * network.sigma_host <= network.sigma * network.sigma)
    return check_mean("hosts")(network);
  return Complaint{{"sigma_host", "sigma"},
                   "\"sigma_host\" is too large for \"sigma\": twice its square must not exceed "
                   "the square of sigma, which is the variance of a pair"};
}

using Coordinates = core::CoordinateLatency::Options;
std::vector<core::Setting> coordinates_settings() {
  return own_settings<NetworkSection>(
      core::Settings<Coordinates>{}
          .add("dimensions", &Coordinates::dimensions,
               {"Dimensions in which hosts have a place. More make pairs more alike.",
                "Dabek et al., Vivaldi, SIGCOMM 2004: 2 and a height", 1,
                core::CoordinateLatency::most_dimensions})
          .add("height_share", &Coordinates::height_share,
               {"Share of the mean delay due to the heights of the two hosts, their access links. "
                "More makes hosts, and not places, near or far.",
                "Vivaldi has heights; our choice how high", 0, 1}));
}
MadeLatency coordinates(const WorldSections& s, std::uint64_t seed) {
  Coordinates options = s.network.own.of<Coordinates>();
  options.hosts = s.peers.count;
  options.mean = s.network.delay;
  options.seed = seed;
  return made<core::CoordinateLatency>(options);
}

struct Machines {
  std::uint32_t machines = 1;
};
std::vector<core::Setting> machines_settings() {
  return own_settings<NetworkSection>(core::Settings<Machines>{}.add(
      "machines", &Machines::machines,
      {"Machines that the peers are on where there is no network between processes, in one process "
       "and in virtual time: blocks of neighbours, with the delay between any two.",
       "our choice", 1, 1e6}));
}
MadeLatency machines(const WorldSections& s, std::uint64_t) {
  const std::vector<std::uint32_t> alike(machines_of(s.network), 1);
  const core::Placement placement = core::Placement::blocks(s.peers.count, alike);
  std::vector<std::uint32_t> machine_of;
  for (std::uint32_t i = 0; i < s.peers.count; ++i)
    machine_of.push_back(placement.share_of(core::PeerId{i}));
  return made<core::MachineLatency>(std::move(machine_of), s.network.delay);
}

MadeLatency measured(const WorldSections& s, std::uint64_t) {
  MeasuredLatency file = read_latency_file(s.network.file);
  MadeLatency latency = made<core::MatrixLatency>(std::move(file.matrix));
  if (file.unmeasured > 0)
    latency.remarks.push_back(s.network.file + ": " + std::to_string(file.unmeasured) +
                              " pairs of hosts were not measured, and are as far from each other "
                              "as the median of all");
  return latency;
}

LatencyModel alike(LatencyModel model) {
  model.alike = true;
  return model;
}

std::vector<LatencyModel> make_latencies() {
  return {
      alike({{"none", "no time at all"},
             [](const WorldSections&, std::uint64_t) { return MadeLatency{}; }}),
      alike({{"constant", "all the same", {"delay"}},
             [](const WorldSections& s, std::uint64_t) {
               return made<core::ConstantLatency>(s.network.delay);
             }}),
      {{"uniform", "drawn for each packet", {"delay_min", "delay_max"}},
       [](const WorldSections& s, std::uint64_t) {
         return made<core::UniformLatency>(
             core::UniformLatency::Options{s.network.delay_min, s.network.delay_max});
       },
       check_range},
      {{"lognormal", "drawn for each pair of peers", {"delay", "sigma"}},
       [](const WorldSections& s, std::uint64_t seed) {
         return made<core::HostLatency>(core::HostLatency::Options{
             .mean = s.network.delay, .sigma = s.network.sigma, .sigma_host = 0, .seed = seed});
       },
       check_mean("lognormal")},
      {{"matrix", "measured", {"file"}},
       measured,
       {},
       [](const std::string& file) { return read_latency_file(file).matrix.size(); }},
      {{"graphml", "by the distances of a topology", {"file"}},
       [](const WorldSections& s, std::uint64_t) {
         return made<core::MatrixLatency>(
             overlay::delays_of(read_topology(s.network.file), s.network.file));
       },
       {},
       [](const std::string& file) { return read_topology(file).labels.size(); }},
      {{"hosts",
        "drawn for each pair, where a far host is far from everybody",
        {"delay", "sigma", "sigma_host"}},
       [](const WorldSections& s, std::uint64_t seed) {
         return made<core::HostLatency>(
             core::HostLatency::Options{.hosts = s.peers.count,
                                        .mean = s.network.delay,
                                        .sigma = s.network.sigma,
                                        .sigma_host = s.network.sigma_host,
                                        .seed = seed});
       },
       check_hosts},
      {{"coordinates",
        "by places and heights drawn for the hosts",
        {"delay"},
        coordinates_settings()},
       coordinates,
       check_mean("coordinates")},
      {{"real",
        "that of the network between processes, and none within one",
        {"delay"},
        machines_settings()},
       machines,
       {},
       {},
       true},
  };
}

}  // namespace

std::span<const LatencyModel> latency_models() {
  static const std::vector<LatencyModel> models = make_latencies();
  return models;
}

std::uint32_t machines_of(const NetworkSection& network) {
  return network.own.of<Machines>().machines;
}

const LatencyModel& latency_model(LatencyKind kind) {
  return latency_models()[static_cast<std::size_t>(kind)];
}

}  // namespace rhizome::scenarios
