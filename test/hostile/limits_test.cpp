// Commands with little of a resource: open files, stack, threads, memory.
#include <doctest/doctest.h>

#include "test/hostile/judge.hpp"
#include "test/hostile/values.hpp"

namespace rhizome::limits_test {

namespace {

using core::Rng;

test::Attempt attempt_of(std::uint64_t seed) {
  Rng rng(seed);
  static const std::vector<std::string> peers{"2", "6", "50", "400"};
  test::Attempt attempt{
      .words = {"run", "s.toml", "-q", "-s", "peers.count=" + test::any_of(peers, rng), "-s",
                rng.chance(0.5) ? "engine.kind=threads" : "engine.kind=virtual"},
      .files = {{"s.toml", test::small_scenario}}};
  if (rng.chance(0.5)) attempt.limits.emplace_back(RLIMIT_NOFILE, 5 + rng.below(100));
  if (rng.chance(0.3)) attempt.limits.emplace_back(RLIMIT_NPROC, 1 + rng.below(50));
  // The limit is in whole KiB, as ulimit gives it: the address sanitizer itself stops at an odd
  // one.
  if (rng.chance(0.3)) attempt.limits.emplace_back(RLIMIT_STACK, (100 + rng.below(1000)) * 1024);
#ifndef __SANITIZE_ADDRESS__  // AddressSanitizer needs all addresses
  if (rng.chance(0.4)) attempt.limits.emplace_back(RLIMIT_AS, 100'000'000 + rng.below(400'000'000));
#endif
  return attempt;
}

}  // namespace

TEST_CASE("under any limit of resources a command works or reports what it lacks") {
  std::vector<test::Attempt> attempts;
  for (std::uint64_t seed = 0; seed < test::share(80); ++seed) attempts.push_back(attempt_of(seed));
  test::try_all(attempts);
}

}  // namespace rhizome::limits_test
