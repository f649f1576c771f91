// rhizome_bench: how fast the engines carry gossip, how much memory a peer takes and how long it
// takes to start, each beside a system without our burdens.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string_view>

#include "test/bench/report.hpp"
#include "test/bench/systems.hpp"

namespace rhizome::bench {

namespace {

constexpr std::string_view usage =
    "usage: rhizome_bench [--only threads|virtual|memory] [--quick] [--json]\n"
    "                     [--repetitions N] [--seconds S]\n"
    "  --only         one part; memory is every system at its largest size, without goals of "
    "speed\n"
    "  --quick        two runs of a quarter of a second in place of five of two seconds\n"
    "  --json         JSON in place of the table\n";

struct Options {
  std::string only;  // empty: everything
  bool json = false;
  unsigned repetitions = 5;
  double seconds = 2;
};

struct System {
  std::string name;
  Run run;
};

// One line that is always overwritten, for people only.
void show_progress(const std::string& text) {
  if (isatty(STDERR_FILENO) != 0) std::fprintf(stderr, "\r%-75s\r", text.c_str());
}

// Measures systems and gathers the findings.
class Bench {
 public:
  explicit Bench(const Options& options) : options_(options) {
    report_.repetitions = options.repetitions;
    report_.seconds_per_run = options.seconds;
  }

  // Repetitions of the systems alternate, so that a busy spell of the machine hits all alike.
  void measure(const std::string& part, std::uint32_t peers, const std::vector<System>& systems) {
    std::vector<std::vector<Measurement>> measured(systems.size());
    for (unsigned repetition = 0; repetition < options_.repetitions; ++repetition)
      for (std::size_t i = 0; i < systems.size(); ++i) {
        show_progress(part + ", " + std::to_string(peers) + " peers, run " +
                      std::to_string(repetition + 1) + ": " + systems[i].name);
        const auto one = in_child(systems[i].run, {.peers = peers, .seconds = options_.seconds});
        if (one) measured[i].push_back(*one);
      }
    show_progress("");
    for (std::size_t i = 0; i < systems.size(); ++i) add(part, peers, systems[i].name, measured[i]);
  }

  [[nodiscard]] double rate(std::uint32_t peers, std::string_view system) const {
    for (const Row& row : report_.rows)
      if (row.peers == peers && row.system == system) return row.rate;
    return 0;
  }
  // What the system occupied at that size, in bytes.
  [[nodiscard]] double memory(std::uint32_t peers, std::string_view system) const {
    for (const Row& row : report_.rows)
      if (row.peers == peers && row.system == system) return row.bytes_per_peer * peers;
    return 0;
  }
  void goal(const std::string& text, double least, double measured) {
    report_.goals.push_back({text, Goal::Bound::at_least, least, measured});
  }
  void goal_at_most(const std::string& text, double most, double measured) {
    report_.goals.push_back({text, Goal::Bound::at_most, most, measured});
  }
  void remark(const std::string& text) { report_.remarks.push_back(text); }
  [[nodiscard]] const Report& report() const { return report_; }

 private:
  void add(const std::string& part, std::uint32_t peers, const std::string& system,
           const std::vector<Measurement>& measured) {
    if (measured.empty()) {
      remark(system + " with " + std::to_string(peers) + " peers failed");
      return;
    }
    std::vector<double> rates;
    std::vector<double> startups;
    std::vector<double> memories;
    for (const Measurement& one : measured) {
      rates.push_back(one.rate());
      startups.push_back(one.startup);
      memories.push_back(one.resident_bytes / peers);
    }
    report_.rows.push_back({.part = part,
                            .peers = peers,
                            .system = system,
                            .rate = median(rates),
                            .slowest = *std::min_element(rates.begin(), rates.end()),
                            .fastest = *std::max_element(rates.begin(), rates.end()),
                            .startup = median(startups),
                            .bytes_per_peer = median(memories)});
  }

  Options options_;
  Report report_;
};

const System threads_system{"rhizome, threads", thread_engine};
const System mailboxes_system{"bare mailboxes", bare_mailboxes};
const System virtual_system{"rhizome, virtual time", virtual_engine};

using Network = SimGridForm::Network;
using Puts = SimGridForm::Puts;

System simgrid_system(Network network, Puts puts) {
  const std::string model = network == Network::constant ? "constant" : "flows";
  return {"SimGrid, " + model + (puts == Puts::kept ? ", kept puts" : ", detached puts"),
          [=](const Load& load) {
            return simgrid(load, {network, puts});
          }};
}

std::vector<System> simgrid_systems() {
  if (!simgrid_version()) return {};
  return {simgrid_system(Network::constant, Puts::detached),
          simgrid_system(Network::constant, Puts::kept),
          simgrid_system(Network::flows, Puts::detached),
          simgrid_system(Network::flows, Puts::kept)};
}

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

void bench_virtual(Bench& bench) {
  const std::vector<System> others = simgrid_systems();
  if (others.empty()) bench.remark("SimGrid is not installed (libsimgrid-dev): left out.");
  std::vector<System> systems{virtual_system};
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
                     bench.memory(100'000, virtual_system.name) / (1 << 30));
}

void bench_memory(Bench& bench) {
  bench.measure("memory", 10000, {mailboxes_system, threads_system});
  std::vector<System> systems{virtual_system};
  for (const System& other : simgrid_systems()) systems.push_back(other);
  bench.measure("memory", 10000, systems);
}

template <class Number>
Number number_of(std::string_view text) {
  Number number{};
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() || number <= 0)
    throw std::invalid_argument("not a positive number: " + std::string(text));
  return number;
}

Options parse(const std::vector<std::string_view>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    const auto value = [&] {
      if (i + 1 == arguments.size())
        throw std::invalid_argument(std::string(argument) + " needs a value");
      return arguments[++i];
    };
    if (argument == "--json") {
      options.json = true;
    } else if (argument == "--quick") {
      options.repetitions = 2;
      options.seconds = 0.25;
    } else if (argument == "--only") {
      options.only = value();
    } else if (argument == "--repetitions") {
      options.repetitions = number_of<unsigned>(value());
    } else if (argument == "--seconds") {
      options.seconds = number_of<double>(value());
    } else {
      throw std::invalid_argument("unknown option: " + std::string(argument));
    }
  }
  if (!options.only.empty() && options.only != "threads" && options.only != "virtual" &&
      options.only != "memory")
    throw std::invalid_argument("unknown part: " + options.only);
  return options;
}

// Speed is measured where memory is, so the memory part runs only when it is asked for.
Report run(const Options& options) {
  Bench bench(options);
  if (options.only == "memory") bench_memory(bench);
  if (options.only.empty() || options.only == "threads") bench_threads(bench);
  if (options.only.empty() || options.only == "virtual") bench_virtual(bench);
  bench.remark("Memory is the growth of the resident set, which leaves out the kernel's share.");
  if (simgrid_version())
    bench.remark("SimGrid " + *simgrid_version() +
                 "; all its forms are described in test/bench/systems.hpp.");
  return bench.report();
}

}  // namespace

}  // namespace rhizome::bench

int main(int count, char** arguments) {
  using namespace rhizome::bench;
  try {
    const Options options = parse({arguments + 1, arguments + count});
    const Report report = run(options);
    const std::string text = options.json ? render_json(report) : render_table(report);
    std::fputs(text.c_str(), stdout);
    return 0;
  } catch (const std::invalid_argument& problem) {
    std::fprintf(stderr, "%s\n%s", problem.what(), usage.data());
    return 64;
  }
}
