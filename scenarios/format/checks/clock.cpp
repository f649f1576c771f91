#include "scenarios/format/checks/checks.hpp"

#include <algorithm>
#include <cmath>

#include "core/engine/catalogue.hpp"
#include "core/peer/packet.hpp"
#include "scenarios/world/network/latencies.hpp"
#include "scenarios/world/workload/bounded_pareto.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

namespace {

constexpr double counted = 9.2e9;      // seconds
constexpr double farthest_draw = 37;   // means of an exponential: -ln 2^-53
constexpr double farthest_normal = 9;  // standard deviations that no draw exceeds

// A number of seconds that a key allows, in words.
struct Span {
  std::string section;
  std::string key;
  double seconds = 0;
  std::string why;
};

// How many times its mean the longest task may take.
double farthest_portion(const WorkloadSection& work) {
  switch (work.portion_distribution) {
    case PortionKind::exponential:
      return farthest_draw;
    case PortionKind::pareto:
      return BoundedPareto(work.portion_shape, work.portion_range).longest();
    case PortionKind::uniform:
      break;
  }
  return 1 + work.jitter;
}

class ClockChecks {
 public:
  ClockChecks(const Written& written, const Scenario& scenario)
      : written_(written), scenario_(scenario) {}

  void run() const {
    const EngineSection& engine = scenario_.engine;
    check(arrivals());
    check({"engine", "time_limit", core::seconds(engine.time_limit) + core::seconds(engine.grace),
           "at this time_scale it is so much real time"});
    // Whatever begins before the limit may end after it.
    for (Span span : {tasks(), delays(), sending(), receiving()}) {
      span.seconds += core::seconds(engine.time_limit);
      check(span);
    }
  }

 private:
  // On threads emulated time is real time as well, and there may be more real time.
  [[nodiscard]] double real_seconds(double emulated) const {
    const EngineSection& engine = scenario_.engine;
    return core::engine_of(engine.kind).real_time ? emulated / std::min(1.0, engine.time_scale)
                                                  : emulated;
  }

  void check(const Span& span) const {
    if (real_seconds(span.seconds) < counted) return;
    refuse(written_.where(span.section, span.key),
           "\"" + span.key +
               "\" leads beyond the 292 years that the clock of a run counts: " + span.why);
  }

  // An open run ends before.
  [[nodiscard]] Span arrivals() const {
    const WorkloadSection& work = scenario_.workload;
    if (!workload_model(work.kind).counted || scenario_.run.duration > Duration::zero()) return {};
    if (scenario_.protocols)
      return {"client", "rate", core::seconds(work.spacing) * work.jobs,
              "so late does the last operation begin"};
    return {"workload", work.spacing > Duration::zero() ? "spacing" : "start",
            core::seconds(work.start) + core::seconds(work.spacing) * work.jobs,
            "so late does the last job arrive"};
  }

  [[nodiscard]] Span tasks() const {
    const WorkloadSection& work = scenario_.workload;
    if (!workload_model(work.kind).counted) return {};
    const double most = farthest_portion(work);
    return {scenario_.protocols ? "client" : "workload",
            scenario_.protocols ? "operation_time" : "portion_time",
            core::seconds(work.portion_time) * most / scenario_.peers.speed_min,
            "so long may one task take on the slowest peer"};
  }

  // The mean of a lognormal law is above its median by a factor of exp(sigma^2 / 2).
  [[nodiscard]] Span delays() const {
    const NetworkSection& network = scenario_.network;
    if (!latency_model(network.latency).has("sigma")) return {};
    const double most =
        std::exp(farthest_normal * network.sigma - network.sigma * network.sigma / 2);
    return {"network", "sigma", core::seconds(network.delay) * most, "so long may one packet take"};
  }

  [[nodiscard]] Span sending() const {
    return passage("bandwidth_up", scenario_.network.bandwidth_up);
  }
  [[nodiscard]] Span receiving() const {
    return passage("bandwidth_down", scenario_.network.bandwidth_down);
  }

  // All tasks through the line of one peer, one after another.
  [[nodiscard]] Span passage(const std::string& key, core::Rate rate) const {
    const WorkloadSection& work = scenario_.workload;
    if (rate == core::Rate{}) return {};
    const double tasks =
        workload_model(work.kind).counted ? double{1} * work.jobs * work.portions : 1;
    const double bytes = static_cast<double>(std::max(work.payload, work.result_payload)) +
                         static_cast<double>(core::header_bytes);
    const double slowest = scenario_.network.bandwidth_by_speed ? scenario_.peers.speed_min : 1;
    return {"network", key,
            8 * tasks * bytes / (static_cast<double>(rate.bits_per_second) * slowest),
            "so long may all tasks take through the line of one peer"};
  }

  const Written& written_;
  const Scenario& scenario_;
};

}  // namespace

void check_clock(const Written& written, Scenario& scenario) {
  ClockChecks(written, scenario).run();
}

}  // namespace rhizome::scenarios
