// Every order of events of three peers between which two tasks move while one looks for the other,
// for every rule by which forwarders go, with and without shorter chains.
//   rhizome_explore_locators [MOVES [COPIES [CALL_OFFS]]]
// Moves of each task (2), packets that come twice (0), and moves that are called off (0).
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "core/explore/minimise.hpp"
#include "core/explore/search.hpp"
#include "test/support/locator_system.hpp"

namespace {

using namespace rhizome;
using agents::locator::Cleanup;

constexpr std::array<const char*, 4> cleanups{"none", "at-start", "by-count", "both"};

std::mutex output;

void tell(const test::LocatorSystemOptions& options, const core::Search& search) {
  const core::SearchCounts& counts = search.counts();
  std::printf(
      "cleanup %-8s compression %-3s %s: %llu states, %llu events, %llu histories to their "
      "end, the longest of %zu\n",
      cleanups[static_cast<std::size_t>(options.locator.cleanup)],
      options.locator.compression ? "yes" : "no",
      search.exhausted() ? "all orders, nothing broken" : "BROKEN",
      static_cast<unsigned long long>(counts.states),
      static_cast<unsigned long long>(counts.events),
      static_cast<unsigned long long>(counts.histories), counts.longest);
}

void tell(test::LocatorSystem& system, const core::BrokenHistory& found) {
  const core::BrokenHistory history = core::minimise(system, found, found.choices.size() * 2);
  std::printf("  %s: %s\n", history.broken.rule.c_str(), history.broken.told.c_str());
  system.begin();
  for (const core::Choice& choice : history.choices) {
    std::printf("    %s\n", system.words(choice).c_str());
    system.take(choice);
  }
}

// Whether all orders were tried and nothing is broken.
bool explore(const test::LocatorSystemOptions& options) {
  test::LocatorSystem system(options);
  core::Search search(system, {});
  search.explore();
  const std::scoped_lock lock(output);
  tell(options, search);
  if (search.broken()) tell(system, *search.broken());
  std::fflush(stdout);
  return search.exhausted();
}

}  // namespace

int main(int argc, char** argv) {
  const int moves = argc > 1 ? std::atoi(argv[1]) : 2;
  const int copies = argc > 2 ? std::atoi(argv[2]) : 0;
  const int call_offs = argc > 3 ? std::atoi(argv[3]) : 0;
  if (moves < 0 || copies < 0 || call_offs < 0)
    return std::fputs("these are numbers\n", stderr), 64;
  std::vector<test::LocatorSystemOptions> all;
  for (std::size_t rule = 0; rule < cleanups.size(); ++rule)
    for (const bool compression : {false, true})
      all.push_back({.locator = {.cleanup = static_cast<Cleanup>(rule), .compression = compression},
                     .moves = static_cast<std::uint32_t>(moves),
                     .copies = static_cast<std::uint32_t>(copies),
                     .call_offs = static_cast<std::uint32_t>(call_offs)});
  std::atomic<std::size_t> next{0};
  std::atomic<bool> sound{true};
  const auto work = [&] {
    for (std::size_t i = next++; i < all.size(); i = next++)
      if (!explore(all[i])) sound = false;
  };
  {
    std::vector<std::jthread> worker_pool;
    for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i)
      worker_pool.emplace_back(work);
    work();
  }
  return sound ? 0 : 1;
}
