#include "scenarios/experiment/memory.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>
#include <string_view>
#include <system_error>

#include "core/engine/catalogue.hpp"
#include "core/peer/samples.hpp"
#include "scenarios/format/unsaid.hpp"
#include "scenarios/world/graphs.hpp"
#include "scenarios/world/network/latencies.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

namespace {

// Calibrated with the measurements in the header.
constexpr double program = 14 << 20U;  // code, libraries and tables
constexpr double of_an_edge = 26;      // in the lists of both, and among all while they are made
constexpr double of_a_peer = 2500;     // with any scheduler
constexpr double threads = 16 << 20U;  // the engine of real time, whatever it carries
constexpr double of_a_thread = 92 << 10U;  // with its share of the above what preflight reckons
constexpr double of_a_job = 250;
constexpr double of_a_task = 450;  // its facts, encoded and not, and its outcome
constexpr double of_a_sample = 2 * sizeof(core::Sample);  // there twice when a run ends
constexpr double of_a_message = 2 * 64;                   // in a log, likewise
constexpr double messages_of_a_task = 2;                  // at least: it comes, and its result goes

// Memory of a peer beyond the least, for schedulers that keep more and whose peers send all the
// time. Schedulers that are not listed need the least, and send nothing without work.
struct Keeper {
  std::string_view scheduler;
  double bytes;
};
constexpr std::array keepers{Keeper{"organic-grid", 2500}, Keeper{"hybrid", 2000},
                             Keeper{"sparrow", 2500},      Keeper{"air-traffic", 1000},
                             Keeper{"overlay-only", 1500}, Keeper{"cyclon", 1500},
                             Keeper{"t-man", 1500}};

const Keeper* keeper_of(std::string_view scheduler) {
  const auto known = std::ranges::find_if(
      keepers, [&](const Keeper& keeper) { return keeper.scheduler == scheduler; });
  return known == keepers.end() ? nullptr : &*known;
}

double kept_by(std::string_view scheduler) {
  const Keeper* known = keeper_of(scheduler);
  return known == nullptr ? 0 : known->bytes;
}

bool talks(const SchedulerChoice& choice) { return keeper_of(choice.scheduler->name) != nullptr; }

// "1,600,000".
std::string counted(double number) {
  std::string digits = fmt::format("{:.0f}", number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

bool in_real_time(const Scenario& scenario) {
  return core::engine_of(scenario.engine.kind).real_time;
}

MemoryPart links_of(const Scenario& scenario) {
  const GraphModel& model = graph_model(scenario.graph.kind);
  const double edges = model.edges ? model.edges(scenario.graph, scenario.peers.count) : 0;
  return {counted(edges) + " links of the graph", "fewer links or peers", edges * of_an_edge};
}

MemoryPart peers_of(const Scenario& scenario) {
  double kept = 0;
  for (const SchedulerChoice& choice : scenario.schedulers)
    kept = std::max(kept, kept_by(choice.scheduler->name));
  return {counted(scenario.peers.count) + " peers", "fewer peers",
          scenario.peers.count * (of_a_peer + kept)};
}

MemoryPart threads_of(const Scenario& scenario) {
  if (!in_real_time(scenario)) return {"threads", "virtual time", 0};
  return {counted(scenario.peers.count) + " threads", "fewer peers, or virtual time",
          threads + of_a_thread * scenario.peers.count};
}

// A peer that talks all the time has a sample for each period, until they are thinned out.
MemoryPart samples_of(const Scenario& scenario, const WorkCounts& work) {
  const double period = core::seconds(scenario.engine.sample_every);
  const bool any = std::ranges::any_of(scenario.schedulers, talks);
  const double samples =
      any && period > 0 ? std::min<double>(work.seconds / period, core::Samples::most) : 0;
  return {counted(samples * scenario.peers.count) + " samples",
          "a longer engine.sample_every, or fewer peers",
          samples * scenario.peers.count * of_a_sample};
}

// A measured number has at least two characters in the file, with its separator, and eight bytes in
// memory; a compressed file is smaller than its contents.
MemoryPart latencies_of(const Scenario& scenario) {
  const auto& network = scenario.network;
  std::error_code none;
  const bool measured = latency_model(network.latency).word == "matrix" && !network.file.empty();
  const auto bytes = measured ? std::filesystem::file_size(network.file, none) : 0;
  return {"the latencies of " + network.file, "fewer hosts", none ? 0 : static_cast<double>(bytes)};
}

MemoryPart log_of(const Scenario& scenario, const WorkCounts& work) {
  const double messages = scenario.engine.log_messages ? work.tasks * messages_of_a_task : 0;
  return {"a log of at least " + counted(messages) + " messages", "engine.log_messages = false",
          messages * of_a_message};
}

MemoryPart work_of(const WorkCounts& work) {
  return {counted(work.tasks) + " tasks", "fewer tasks",
          work.jobs * of_a_job + work.tasks * of_a_task};
}

}  // namespace

double MemoryNeed::bytes() const {
  return std::accumulate(parts.begin(), parts.end(), program,
                         [](double sum, const MemoryPart& part) { return sum + part.bytes; });
}

const MemoryPart& MemoryNeed::largest() const {
  return *std::ranges::max_element(
      parts, [](const MemoryPart& a, const MemoryPart& b) { return a.bytes < b.bytes; });
}

WorkCounts foreseen_work(const Scenario& scenario) {
  const WorkloadSection& section = scenario.workload;
  const WorkloadModel& model = workload_model(section.kind);
  const bool open = scenario.run.duration > Duration::zero();
  if (!model.counted) return {.seconds = core::seconds(scenario.run.duration)};
  double jobs = section.jobs;
  if (section.spacing > Duration::zero() && (open || !limit_follows(scenario))) {
    const Duration end = open ? scenario.run.duration : scenario.engine.time_limit;
    jobs =
        std::clamp(core::seconds(end - section.start) / core::seconds(section.spacing), 0.0, jobs);
  }
  return {jobs, jobs * section.portions,
          open ? core::seconds(scenario.run.duration)
               : std::max(0.0, jobs - 1) * core::seconds(section.spacing)};
}

namespace {

// All peers together do nothing but work, as fast as any of them may be; only where the overlays
// are measured alone, one of them does it all.
double seconds_of(const Scenario& scenario, const agents::Profile& profile) {
  if (scenario.run.duration > Duration::zero()) return core::seconds(scenario.run.duration);
  const PeersSection& peers = scenario.peers;
  const double power = (measures_overlays_alone(scenario) ? 1.0 : peers.count) *
                       std::max(peers.slots, peers.slots_max) * peers.speed_max;
  const double arrivals = core::seconds(profile.last.time_since_epoch());
  return std::min(std::max(arrivals, profile.work / power),
                  core::seconds(scenario.engine.time_limit));
}

}  // namespace

// The number of jobs that come while the run goes on is known only if the scenario bounds it.
WorkCounts work_in(const Scenario& scenario, const agents::Profile& profile) {
  constexpr std::uint32_t any_number_of_jobs = 1'000'000'000;
  if (comes_live(scenario.workload) && scenario.workload.max_jobs == any_number_of_jobs) return {};
  const double last = core::seconds(profile.last.time_since_epoch());
  const double limit = core::seconds(scenario.engine.time_limit);
  const double share = last > limit ? limit / last : 1;
  return {share * static_cast<double>(profile.jobs), share * static_cast<double>(profile.tasks),
          seconds_of(scenario, profile)};
}

MemoryNeed memory_of_run(const Scenario& scenario, const WorkCounts& work) {
  return {{links_of(scenario), peers_of(scenario), threads_of(scenario), work_of(work),
           samples_of(scenario, work), latencies_of(scenario), log_of(scenario, work)}};
}

void check_memory(const Scenario& scenario, const WorkCounts& work, const core::MemoryRoom& room) {
  const MemoryNeed need = memory_of_run(scenario, work);
  if (need.bytes() <= static_cast<double>(room.bytes)) return;
  const MemoryPart& main = need.largest();
  throw core::LimitExceeded(
      fmt::format("{}: a run takes at least about {} of memory ({} for {}), and {} is {}: use {}",
                  scenario.file, memory_text(need.bytes()), memory_text(main.bytes), main.what,
                  room.name, memory_text(static_cast<double>(room.bytes)), main.remedy));
}

unsigned runs_at_once(double bytes, unsigned wished, const core::MemoryRoom& room) {
  const double fit = static_cast<double>(room.bytes) / (2 * bytes);
  return fit >= wished ? wished : std::max(1U, static_cast<unsigned>(fit));
}

std::string memory_text(double bytes) {
  constexpr std::array units{"KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = bytes / 1024;
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.3g} {}", value, units[unit]);
}

}  // namespace rhizome::scenarios
