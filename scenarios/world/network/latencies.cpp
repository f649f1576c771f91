#include "scenarios/world/network/latencies.hpp"

#include <utility>
#include <vector>

#include "core/peer/coordinate_latency.hpp"
#include "core/peer/host_latency.hpp"
#include "core/peer/latency.hpp"
#include "overlay/graphml.hpp"
#include "scenarios/world/network/latency_file.hpp"

namespace rhizome::scenarios {

namespace {

template <class L, class... A>
MadeLatency made(A&&... arguments) {
  auto link = std::make_unique<L>(std::forward<A>(arguments)...);
  const Duration longest = link->longest();
  return {std::move(link), longest};
}

std::vector<LatencyModel> make_models() {
  return {
      {{"none", "no time at all", {}},
       [](const WorldSections&, std::uint64_t) { return MadeLatency{}; }},
      {{"constant", "all the same", {"delay"}},
       [](const WorldSections& s, std::uint64_t) {
         return made<core::ConstantLatency>(s.network.delay);
       }},
      {{"uniform", "drawn for each packet", {"delay_min", "delay_max"}},
       [](const WorldSections& s, std::uint64_t) {
         return made<core::UniformLatency>(
             core::UniformLatency::Options{s.network.delay_min, s.network.delay_max});
       }},
      {{"lognormal", "drawn for each pair of peers", {"delay", "sigma"}},
       [](const WorldSections& s, std::uint64_t seed) {
         return made<core::LognormalLatency>(
             core::LognormalLatency::Options{s.network.delay, s.network.sigma, seed});
       }},
      {{"matrix", "measured", {"file"}},
       [](const WorldSections& s, std::uint64_t) {
         return made<core::MatrixLatency>(read_latency_file(s.network.file));
       }},
      {{"graphml", "by the distances of a topology", {"file"}},
       [](const WorldSections& s, std::uint64_t) {
         return made<core::MatrixLatency>(
             overlay::delays_of(overlay::read_graphml(s.network.file), s.network.file));
       }},
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
       }},
      {{"coordinates",
        "by places and heights drawn for the hosts",
        {"delay", "dimensions", "height_share"}},
       [](const WorldSections& s, std::uint64_t seed) {
         return made<core::CoordinateLatency>(
             core::CoordinateLatency::Options{.hosts = s.peers.count,
                                              .mean = s.network.delay,
                                              .dimensions = s.network.dimensions,
                                              .height_share = s.network.height_share,
                                              .seed = seed});
       }},
  };
}

}  // namespace

std::span<const LatencyModel> latency_models() {
  static const std::vector<LatencyModel> models = make_models();
  return models;
}

const LatencyModel& latency_model(LatencyKind kind) {
  return latency_models()[static_cast<std::size_t>(kind)];
}

}  // namespace rhizome::scenarios
