#include "scenarios/format/checks/checks.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "scenarios/format/unsaid.hpp"
#include "scenarios/text/duration_text.hpp"
#include "scenarios/world/faults/events.hpp"
#include "scenarios/world/faults/lifetimes.hpp"

namespace rhizome::scenarios {

namespace {

class FaultChecks {
 public:
  FaultChecks(const Written& written, Scenario& scenario)
      : written_(written), scenario_(scenario), faults_(scenario.faults) {}

  void run() {
    check_crashes();
    check_events();
    for (std::size_t i = 0; i < faults_.masses.size(); ++i) check_mass(i);
    check_machines();
    check_lifetimes();
    check_choices();
    for (std::size_t i = 0; i < scenario_.network.partitions.size(); ++i)
      check_time("network.partition#" + std::to_string(i), "from",
                 scenario_.network.partitions[i].from);
  }

 private:
  void check_crashes() {
    if (faults_.crash_share > 0) {
      check_time("faults", "crash_from", faults_.crash_from);
      check_time("faults", "crash_until", faults_.crash_until);
      if (faults_.restart_after > Duration::zero())
        check_time("faults", "restart_after", faults_.crash_from + faults_.restart_after);
      return;
    }
    for (const std::string key : {"crash_from", "crash_until", "restart_after"})
      if (const Entry* entry = written_.find("faults", key))
        refuse(entry->at, "\"" + key + "\" has no effect while \"crash_share\" is 0");
  }

  void check_events() {
    for (std::size_t i = 0; i < faults_.events.size(); ++i) check_event(i);
    if (const auto found = find_contradiction(faults_.events)) {
      const std::string section = event_section(found->event);
      const bool kind_written = written_.find(section, "kind") != nullptr;
      refuse(written_.where(section, kind_written ? "kind" : "at"), found->reason);
    }
  }

  void check_event(std::size_t i) {
    const FaultEventSection& event = faults_.events[i];
    const std::string section = event_section(i);
    if (event.peer >= scenario_.peers.count)
      refuse(written_.where(section, "peer"), "there is no peer " + std::to_string(event.peer) +
                                                  ": they count from 0 to " +
                                                  std::to_string(scenario_.peers.count - 1));
    check_time(section, "at", event.at);
    if (event.restart_after > Duration::zero())
      check_time(section, "restart_after", event.at + event.restart_after);
  }

  void check_mass(std::size_t i) {
    const MassFailureSection& mass = faults_.masses[i];
    const std::string section = "faults.mass#" + std::to_string(i);
    check_time(section, "at", mass.at);
    if (mass.restart_after > Duration::zero())
      check_time(section, "restart_after", mass.at + mass.restart_after);
  }

  // Each goes through its peers before the run.
  void check_choices() const {
    constexpr std::uint64_t most = 20'000'000;
    const std::uint64_t peers = scenario_.peers.count;
    const std::uint64_t choices = faults_.masses.size() + scenario_.network.partitions.size();
    const std::uint64_t of_machine = peers / std::max(1U, scenario_.engine.machines) + 1;
    const std::uint64_t all = choices * peers + faults_.machines.size() * of_machine;
    if (all <= most) return;
    const std::string section = !faults_.masses.empty()     ? "faults.mass#0"
                                : !faults_.machines.empty() ? "faults.machine#0"
                                                            : "network.partition#0";
    refuse(
        written_.where(section, section.starts_with("network") ? "from" : "at"),
        fmt::format("mass failures, failures of machines and partitions choose among {} peers in "
                    "all: at most {} may",
                    all, most));
  }

  void check_machines() {
    const std::uint32_t machines = scenario_.engine.machines;
    if (machines > 1 && faults_.machines.empty())
      refuse(written_.where("engine", "machines"),
             "\"machines\" has no effect without a [[faults.machine]]");
    if (machines > scenario_.peers.count)
      refuse(written_.where("engine", "machines"),
             fmt::format("{} machines are more than there are peers", machines));
    for (std::size_t i = 0; i < faults_.machines.size(); ++i) {
      const MachineFailureSection& failure = faults_.machines[i];
      const std::string section = "faults.machine#" + std::to_string(i);
      if (failure.machine >= machines)
        refuse(written_.where(section, "machine"),
               fmt::format("there is no machine {}: they count from 0 to {}", failure.machine,
                           machines - 1));
      check_time(section, "at", failure.at);
    }
  }

  void check_lifetimes() {
    const LifetimesSection& lifetimes = faults_.lifetimes;
    check_time("faults.lifetimes", "until", lifetimes.until);
    check_number();
    check_shape("shape", lifetimes.shape, lifetime_model(lifetimes.distribution).law);
    check_shape("downtime_shape", lifetimes.downtime_shape, downtime_model(lifetimes.downtime).law);
  }

  // Short lives for a long time make a schedule that is too long to compute.
  void check_number() const {
    const LifetimesSection& lifetimes = faults_.lifetimes;
    if (lifetime_model(lifetimes.distribution).law == nullptr ||
        !downtime_model(lifetimes.downtime).has("downtime_mean"))
      return;
    const Duration limit = scenario_.engine.time_limit;
    const Duration until = lifetimes.until > Duration::zero() ? lifetimes.until : limit;
    const double lives = scenario_.peers.count * lifetimes.share *
                         core::seconds(limit_follows(scenario_) ? until : std::min(until, limit)) /
                         core::seconds(lifetimes.mean + lifetimes.downtime_mean);
    if (lives <= most_lives) return;
    refuse(written_.where("faults.lifetimes", "mean"),
           fmt::format("\"mean\" makes about {:.2g} lives, and at most {:.2g} can be scheduled: "
                       "lengthen it, or lower faults.lifetimes.until or engine.time_limit",
                       lives, static_cast<double>(most_lives)));
  }

  // A value of 0 means the usual shape.
  void check_shape(const std::string& key, double shape, const Distribution* law) const {
    if (shape == 0 || law == nullptr) return;
    const std::string why(law->refusal(shape));
    if (!why.empty()) refuse(written_.where("faults.lifetimes", key), "\"" + key + "\" " + why);
  }

  // Faults after the time limit never happen: an error, unless a later layer has cut the run short.
  void check_time(const std::string& section, const std::string& key, Duration at) {
    const TimedKey time{key, at, written_.where(section, key)};
    if (limit_follows(scenario_)) {
      if (at > scenario_.engine.time_limit) scenario_.timed.push_back(time);
      return;
    }
    const Entry* entry = written_.find(section, key);
    if (entry != nullptr && written_.later(*entry, "engine", "time_limit")) return;
    scenarios::check_time(time, scenario_.engine.time_limit);
  }

  [[nodiscard]] static std::string event_section(std::size_t i) {
    return "faults.event#" + std::to_string(i);
  }

  const Written& written_;
  Scenario& scenario_;
  const FaultsSection& faults_;
};

}  // namespace

void check_time(const TimedKey& time, Duration limit) {
  if (time.at <= limit) return;
  refuse(time.where, "\"" + time.key + "\" has no effect: it means " + duration_text(time.at) +
                         ", after the time limit of " + duration_text(limit));
}

void check_faults(const Written& written, Scenario& scenario) {
  FaultChecks(written, scenario).run();
}

}  // namespace rhizome::scenarios
