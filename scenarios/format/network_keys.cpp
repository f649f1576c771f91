// The tables of keys about the network: [network] and what lies in it.
#include "scenarios/format/keys.hpp"

#include <algorithm>

#include "scenarios/format/section_parts.hpp"
#include "scenarios/world/network/latencies.hpp"

namespace rhizome::scenarios {

namespace {

using core::Settings;

constexpr double most_rate = 1e12;

std::string_view latency_meaning() {
  static const std::string sentence = [] {
    std::string text = "How long packets take one way:";
    for (const LatencyModel& model : latency_models())
      text += (text.back() == ':' ? " " : "; ") + model.meaning;
    return text + ".";
  }();
  return sentence;
}

Section network() {
  using S = NetworkSection;
  return {
      .name = "network",
      .about =
          "What happens to packets: at their sender's line, on the way, at their receiver's line.",
      .settings = with_own(
          Settings<S>{}
              .add("latency", &S::latency, words_of(latency_models()), {latency_meaning()})
              .add("delay", &S::delay,
                   {"The delay, or its mean over all pairs.", "our choice", 0, hours})
              .add("delay_min", &S::delay_min, {"The least delay.", "our choice", 0, hours})
              .add("delay_max", &S::delay_max, {"The most delay.", "our choice", 0, hours})
              .add("sigma", &S::sigma,
                   {"Spread of the logarithm of pair delays. More makes some pairs much slower.",
                    "0.52 fits wide-area measurements", 0, 5})
              .add("sigma_host", &S::sigma_host,
                   {"Spread of the part of that logarithm which each host of a pair carries. More "
                    "makes a far host farther from everybody; twice its square is at most the "
                    "square of sigma.",
                    "0.38 fits the PlanetLab matrix of scenarios/data", 0, 5})
              .add("file", &S::file,
                   {"Round-trip times in ms, a square matrix; or a GraphML topology."})
              .add("jitter", &S::jitter,
                   {"Every packet takes up to so much longer, uniformly by chance, whatever the "
                    "latency is. Packets then overtake each other.",
                    "our choice", 0, hours})
              .add("loss", &S::loss, {"Probability that a packet is lost.", "our choice", 0, 1})
              .add("duplication", &S::duplication,
                   {"Probability that a packet arrives twice.", "our choice", 0, 1})
              .add("bandwidth_up", &S::bandwidth_up,
                   {"What a peer sends in a second. Packets queue for it in order; 0bit/s: without "
                    "limit.",
                    "our choice", 0, most_rate})
              .add("bandwidth_up_max", &S::bandwidth_up_max,
                   {"Where it is more than bandwidth_up, peers have between that and so much, by "
                    "chance; 0bit/s: all have the same.",
                    "our choice", 0, most_rate})
              .add(
                  "bandwidth_down", &S::bandwidth_down,
                  {"What a peer receives in a second. A full queue delays heartbeats too: where it "
                   "is longer than a time-out of the scheduler, the living look dead.",
                   "our choice", 0, most_rate})
              .add("bandwidth_down_max", &S::bandwidth_down_max,
                   {"Where it is more than bandwidth_down, peers have between that and so much, by "
                    "chance; 0bit/s: all have the same.",
                    "our choice", 0, most_rate})
              .add(
                  "bandwidth_by_speed", &S::bandwidth_by_speed,
                  {"Whether the rates of a peer are multiplied by its speed, so that slow machines "
                   "have slow lines.",
                   "our choice"})
              .list(),
          latency_models()),
      .conditions = conditions_of(latency_models(), "latency"),
      .address = [](Scenario& scenario, std::size_t) -> void* { return &scenario.network; }};
}

Section partition() {
  using S = PartitionSection;
  return repeated(
      {.name = "network.partition",
       .about = "A time during which some peers are cut off from the others.",
       .settings = Settings<S>{}
                       .add("from", &S::from, {"When it begins.", "our choice", 0, long_time})
                       .add("until", &S::until, {"When it heals.", "our choice", 0, long_time})
                       .add("share", &S::share,
                            {"Share of the peers on the side without the source of work, by "
                             "chance.",
                             "our choice", 0, 1})
                       .add("peers", &S::peers,
                            {"The peers on that side, as \"3,4,9..12\"; they take the place of a "
                             "share."})
                       .list()},
      [](auto& scenario) -> auto& { return scenario.network.partitions; });
}

}  // namespace

std::vector<Section> network_sections() { return {network(), partition()}; }

}  // namespace rhizome::scenarios
