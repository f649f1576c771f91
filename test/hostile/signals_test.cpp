// Signals at any time, to everything that takes a while.
#include <doctest/doctest.h>

#include <csignal>

#include "test/hostile/judge.hpp"
#include "test/hostile/values.hpp"

namespace rhizome::signals_test {

namespace {

using core::Rng;

const std::vector<std::vector<std::string>> lines{
    {"run", "s.toml", "-n", "100000"},
    {"run", "s.toml", "-n", "200", "-s", "engine.kind=threads"},
    {"run", "s.toml", "-s", "workload.jobs=300000"},
    {"run", "s.toml", "-s", "workload.work=matrix", "-s", "workload.matrix_order=1500"},
    {"run", "s.toml", "-s", "peers.count=20000", "-s", "graph.kind=complete"},
    {"compare", "s.toml", "-n", "100000"},
    {"agree", "s.toml", "-n", "50"},
    {"tournament", "s.toml", "-w", "0.001"},
    {"reproduce", "--all", "--page", "page"},
    {"reproduce", "organic-grid/fig5-1"},
    {"validate", "s.toml", "-s", "workload.jobs=300000"},
    {"doctor"},
    {"validate", "s.toml"},
    {"list", "metrics"}};

}  // namespace

TEST_CASE("a signal ends whatever is under way") {
  static const std::vector<int> signals{SIGINT, SIGTERM, SIGHUP};
  std::vector<test::Attempt> attempts;
  for (std::uint64_t seed = 0; seed < test::share(60); ++seed) {
    Rng rng(seed);
    attempts.push_back(
        {.words = test::any_of(lines, rng),
         .files = {{"s.toml", test::small_scenario}},
         .signal = test::Attempt::Signal{test::any_of(signals, rng),
                                         std::chrono::milliseconds(rng.below(1500))}});
  }
  test::try_all(attempts);
}

}  // namespace rhizome::signals_test
