#include "test/bench/parts.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "test/bench/links.hpp"
#include "test/bench/overlays.hpp"
#include "test/bench/systems.hpp"

namespace rhizome::bench {

namespace {

const MeasuredSystem threads_system{"rhizome, threads", thread_engine};
const MeasuredSystem mailboxes_system{"bare mailboxes", bare_mailboxes};
const MeasuredSystem virtual_system{"rhizome, virtual time", virtual_engine};
const MeasuredSystem cycle_driven_system{"cycle-driven Cyclon", cycle_driven};
const MeasuredSystem cyclon_system{"rhizome, Cyclon", cyclon};
const MeasuredSystem gradient_system{"rhizome, Cyclon and Gradient", gradient};

constexpr double gibibyte = 1U << 30U;

using Network = SimGridForm::Network;
using Puts = SimGridForm::Puts;

MeasuredSystem simgrid_system(Network network, Puts puts) {
  const std::string model = network == Network::constant ? "constant" : "flows";
  return {"SimGrid, " + model + (puts == Puts::kept ? ", kept puts" : ", detached puts"),
          [=](const BenchLoad& load) {
            return simgrid(load, {network, puts});
          }};
}

std::vector<MeasuredSystem> simgrid_systems() {
  if (!simgrid_version()) return {};
  return {simgrid_system(Network::constant, Puts::detached),
          simgrid_system(Network::constant, Puts::kept),
          simgrid_system(Network::flows, Puts::detached),
          simgrid_system(Network::flows, Puts::kept)};
}

void compare_with_simgrid(Bench& bench, std::uint32_t peers, double least) {
  for (const Network network : {Network::constant, Network::flows}) {
    const double theirs = std::max(bench.rate(peers, simgrid_system(network, Puts::detached).name),
                                   bench.rate(peers, simgrid_system(network, Puts::kept).name));
    if (theirs <= 0) continue;
    const std::string model = network == Network::constant ? "constant network, its fastest"
                                                           : "network of flows, its usual one";
    bench.goal(
        std::to_string(peers) + " peers in virtual time: times the rate of SimGrid (" + model + ")",
        least, bench.rate(peers, virtual_system.name) / theirs);
  }
}

}  // namespace

void bench_threads(Bench& bench) {
  const std::map<std::uint32_t, double> goals{{100, 0.6}, {600, 0.6}, {2000, 0.45}, {5000, 0.45}};
  for (const std::uint32_t peers : {100U, 600U, 2000U, 5000U, 10000U}) {
    bench.measure("threads", peers, {mailboxes_system, threads_system});
    const double ours = bench.rate(peers, threads_system.name);
    const std::string size = std::to_string(peers) + " peer threads";
    if (!goals.contains(peers)) {
      bench.goal(size + " gossip, messages a second", 1, ours);
      continue;
    }
    const double bare = bench.rate(peers, mailboxes_system.name);
    bench.goal(size + ": times the rate of bare mailboxes", goals.at(peers),
               bare > 0 ? ours / bare : 0);
  }
}

void bench_processes(Bench& bench) {
  const std::map<std::uint32_t, MeasuredSystem> by_peers{{200, {"two processes", processes(2)}},
                                                         {2000, {"two processes", processes(2)}},
                                                         {1800, {"three processes", processes(3)}}};
  for (const auto& [peers, system] : by_peers) {
    bench.measure("processes", peers, {threads_system, system});
    const double more =
        1 / bench.rate(peers, system.name) - 1 / bench.rate(peers, threads_system.name);
    const double crossing = system.name == "two processes" ? 1.0 / 2 : 2.0 / 3;
    bench.remark(std::to_string(peers) + " peers in " + system.name + ": " +
                 std::to_string(std::llround(more / crossing * 1e9)) +
                 " ns more for each message that crosses");
  }
  constexpr std::size_t record = 150;
  constexpr std::size_t batch = std::size_t{64} << 10U;
  const auto compare = [&bench](const std::string& what, const Run& plain, const Run& encrypted) {
    bench.measure(what, 2, {{what + ", plain", plain}, {what + ", encrypted", encrypted}});
  };
  compare("records", frames_one_way(false, record), frames_one_way(true, record));
  compare("batches", frames_one_way(false, batch), frames_one_way(true, batch));
}

void bench_virtual(Bench& bench) {
  const std::vector<MeasuredSystem> others = simgrid_systems();
  if (others.empty()) bench.remark("SimGrid is not installed (libsimgrid-dev): left out.");
  std::vector<MeasuredSystem> systems{virtual_system};
  systems.insert(systems.end(), others.begin(), others.end());
  const std::map<std::uint32_t, double> goals{{100, 1.5}, {1000, 5}, {10000, 50}};
  for (const auto& [peers, least] : goals) {
    bench.measure("virtual", peers, systems);
    compare_with_simgrid(bench, peers, least);
  }
  bench.goal("1000 peers in virtual time, events a second", 1e6,
             bench.rate(1000, virtual_system.name));
  bench.measure("virtual", 100'000, {virtual_system});
  bench.goal_at_most("100000 peers in virtual time, GiB of memory", 4,
                     bench.memory(100'000, virtual_system.name) / gibibyte);
}

void bench_memory(Bench& bench) {
  bench.measure("memory", 10000, {mailboxes_system, threads_system});
  std::vector<MeasuredSystem> systems{virtual_system};
  for (const MeasuredSystem& other : simgrid_systems()) systems.push_back(other);
  bench.measure("memory", 10000, systems);
}

// The cost of a peer-sampling service here beside a cycle-driven simulator: messages that are
// encoded, take time, are counted, and may be lost.
void bench_cyclon(Bench& bench) {
  for (const std::uint32_t peers : {10'000U, 100'000U}) {
    bench.measure("cyclon", peers, {cycle_driven_system, cyclon_system});
    const double ours = bench.rate(peers, cyclon_system.name);
    const double bare = bench.rate(peers, cycle_driven_system.name);
    bench.goal_at_most(
        std::to_string(peers) + " peers of Cyclon: times the time of a cycle-driven shuffle", 20,
        bare / ours);
  }
}

void bench_gradient(Bench& bench) {
  constexpr std::uint32_t peers = 10'000;
  bench.measure_cycles("gradient", {.peers = peers, .cycles = 100}, gradient_system);
  const std::string what = "10000 peers, 100 cycles of Cyclon and Gradient: ";
  bench.goal_at_most(what + "seconds", 60, bench.seconds(peers, gradient_system.name));
  bench.goal_at_most(what + "GiB", 1, bench.memory(peers, gradient_system.name) / gibibyte);
}

// The duration is printed and not judged, since that would judge the machine.
void bench_million(Bench& bench) {
  constexpr std::uint32_t peers = 1'000'000;
  constexpr std::uint32_t cycles = 10;
  bench.measure_cycles("million", {.peers = peers, .cycles = cycles}, cyclon_system);
  bench.goal_at_most("a million peers of Cyclon, GiB of memory", 4,
                     bench.memory(peers, cyclon_system.name) / gibibyte);
  if (bench.rate(peers, cyclon_system.name) == 0) return;
  bench.remark("A million peers took " +
               std::to_string(std::lround(bench.seconds(peers, cyclon_system.name))) + " s for " +
               std::to_string(cycles) + " cycles, their start included.");
}

}  // namespace rhizome::bench
