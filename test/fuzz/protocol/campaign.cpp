#include "test/fuzz/protocol/campaign.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <string_view>
#include <thread>

#include <unistd.h>

#include "test/fuzz/protocol/judge.hpp"

namespace rhizome::fuzz {

namespace {

// The run under way on this thread, for the handler of a crash.
thread_local std::array<char, 256> under_way{};
const char* program_name = "";

void tell_crash(int signal) {
  static_cast<void>(
      !write(STDERR_FILENO, under_way.data(), std::string_view(under_way.data()).size()));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

class Campaign {
 public:
  Campaign(const agents::Scheduler& scheduler, const CampaignOptions& options)
      : scheduler_(scheduler), options_(options), next_(options.first_seed) {}

  CampaignTally run() {
    const unsigned count =
        options_.workers > 0 ? options_.workers : std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < count; ++i) workers.emplace_back([this] { work(); });
    for (std::thread& worker : workers) worker.join();
    for (auto& [kind, seeds] : tally_.failures) std::sort(seeds.begin(), seeds.end());
    return tally_;
  }

 private:
  void work() {
    while (!late()) {
      const std::uint64_t seed = next_++;
      if (seed >= options_.first_seed + options_.runs) return;
      std::snprintf(under_way.data(), under_way.size(),
                    "\ncrashed in: %s --scheduler %s --seed %llu\n", program_name,
                    std::string(scheduler_.name).c_str(), static_cast<unsigned long long>(seed));
      const Generated generated = generate(scheduler_, seed, options_.pinned, options_.worlds);
      count(seed, generated.refused, options_.judge(to_toml(generated.draft)));
    }
  }
  void count(std::uint64_t seed, std::uint32_t refused, const Verdict& verdict) {
    const std::scoped_lock lock(mutex_);
    ++tally_.runs;
    tally_.refused += refused + (verdict.refused() ? 1 : 0);
    tally_.executions = std::max(tally_.executions, verdict.executions);
    if (verdict.ratio > tally_.slowest) {
      tally_.slowest = verdict.ratio;
      tally_.slowest_seed = seed;
    }
    if (verdict.promised > tally_.promised) {
      tally_.promised = verdict.promised;
      tally_.promised_seed = seed;
    }
    if (!verdict.failures.empty()) tally_.failures[verdict.kind()].push_back(seed);
  }
  [[nodiscard]] bool late() const {
    if (options_.minutes <= 0) return false;
    return std::chrono::steady_clock::now() - begun_ >
           std::chrono::duration<double, std::ratio<60>>(options_.minutes);
  }

  const agents::Scheduler& scheduler_;
  const CampaignOptions& options_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> next_;
  std::mutex mutex_;
  CampaignTally tally_;
};

}  // namespace

std::uint64_t CampaignTally::failed() const {
  std::uint64_t total = 0;
  for (const auto& [kind, seeds] : failures) total += seeds.size();
  return total;
}

CampaignTally run_campaign(const agents::Scheduler& scheduler, const CampaignOptions& options) {
  return Campaign(scheduler, options).run();
}

void announce_crashes(const char* program) {
  program_name = program;
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE}) std::signal(signal, tell_crash);
}

}  // namespace rhizome::fuzz
