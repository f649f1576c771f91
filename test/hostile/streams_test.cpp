// Standard streams that lead nowhere, files that cannot grow, and directories that are none.
#include <doctest/doctest.h>

#include "test/hostile/judge.hpp"
#include "test/hostile/stored.hpp"
#include "test/hostile/values.hpp"

namespace rhizome::streams_test {

namespace {

using core::Rng;
using Stream = test::Attempt::Stream;

const std::vector<std::vector<std::string>> lines{
    {"run", "s.toml", "-q"},
    {"run", "s.toml"},
    {"run", "s.toml", "--runs-dir", "taken"},
    {"run", "s.toml", "--runs-dir", "deep/er/runs"},
    {"run", "s.toml", "--no-store"},
    {"compare", "runs/r"},
    {"compare", "s.toml", "-q"},
    {"validate", "s.toml"},
    {"tournament", "s.toml", "-w", "90", "--keep", "kept.jsonl"},
    {"tournament", "s.toml", "-w", "90", "--keep", "taken/kept.jsonl"},
    {"agree", "s.toml", "-n", "2", "-m", "makespan=90"},
    {"reproduce", "air-traffic/cloud", "-n", "2", "--page", "page"},
    {"report", "runs/r", "--to", "page.html"},
    {"timeline", "runs/r", "--to", "trace.json", "--svg", "schedule.svg"},
    {"export", "runs/r", "--to", "csv"},
    {"export", "runs/r", "--to", "taken"},
    {"bill", "runs/r"},
    {"tree", "runs/r", "--at", "end", "-o", "svg"},
    {"list"},
    {"list", "keys"},
    {"schema"},
    {"doctor", "--limits"},
    {"completion", "bash"}};

Stream any_stream(Rng& rng) {
  static const std::vector<Stream> streams{Stream::kept, Stream::full, Stream::closed};
  return test::any_of(streams, rng);
}

}  // namespace

TEST_CASE("wherever a result should go, it gets there or the status says that it did not") {
  const std::map<std::string, std::string> run = test::stored_run();
  std::vector<test::Attempt> attempts;
  for (std::uint64_t seed = 0; seed < test::share(120); ++seed) {
    Rng rng(seed);
    test::Attempt attempt{.words = test::any_of(lines, rng), .files = run};
    attempt.files["s.toml"] = test::small_scenario;
    attempt.files["taken"] = "a file";
    if (rng.chance(0.3)) attempt.files["runs/latest"] = "a file";
    attempt.output = any_stream(rng);
    attempt.errors = any_stream(rng);
    if (rng.chance(0.5)) attempt.limits.emplace_back(RLIMIT_FSIZE, rng.below(300'000));
    attempts.push_back(std::move(attempt));
  }
  test::try_all(attempts);
}

}  // namespace rhizome::streams_test
