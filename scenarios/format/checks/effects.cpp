#include "scenarios/format/checks/checks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <any>
#include <array>
#include <cstdint>
#include <tuple>
#include <variant>

#include "agents/dispatcher/options.hpp"
#include "scenarios/format/resource_keys.hpp"
#include "scenarios/world/graphs.hpp"
#include "scenarios/world/network/latencies.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

namespace {

// A scenario that was written out has all defaults in it, so that none of them is refused.
class EffectChecks {
 public:
  EffectChecks(const Written& written, const Scenario& scenario)
      : written_(written), scenario_(scenario) {}

  void run() const {
    check_ranges();
    check_groups();
    check_memory();
    check_draw();
    check_estimates();
    check_cores();
    check_degree();
    check_first();
    check_others();
    for (std::size_t i = 0; i < scenario_.schedulers.size(); ++i)
      for (const DistributedRun& distributed_run : companies)
        check_distributed_run(i, distributed_run);
  }

 private:
  // A value of 0 means no range.
  void check_ranges() const {
    const PeersSection& peers = scenario_.peers;
    const WorkloadSection& work = scenario_.workload;
    const auto fine = [](auto least, auto most) { return most == 0 || least <= most; };
    written_.in_order(fine(peers.slots, peers.slots_max), "peers", "slots", "slots_max");
    if (!has_own_needs(scenario_)) return;
    written_.in_order(fine(work.cpus, work.cpus_max), "workload", "cpus", "cpus_max");
    written_.in_order(fine(work.memory, work.memory_max), "workload", "memory", "memory_max");
  }

  void check_groups() const {
    std::uint64_t members = 0;
    const auto& groups = scenario_.peers.groups;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto& [count, speed, slots, memory, cores] = groups[i];
      if (speed == 0 && slots == 0 && memory == 0 && cores == 0)
        refuse(written_.where("peers.group#" + std::to_string(i), "count"),
               "this group has no effect: give it a speed, slots, memory or cores");
      members += count;
      if (members <= scenario_.peers.count) continue;
      refuse(written_.where("peers.group#" + std::to_string(i), "count"),
             "the groups up to this one have " + std::to_string(members) +
                 " peers, more than peers.count, which is " +
                 std::to_string(scenario_.peers.count));
    }
  }

  // Other users' jobs come from a log, or are all alike.
  void check_others() const {
    const ProvisionSection& section = scenario_.provision;
    const ProvisionSection usual;
    const auto need = [this](bool fine, const std::string& key, const std::string& why) {
      if (const Entry* entry = written_.find("provision", key); entry != nullptr && !fine)
        refuse(entry->at, "\"" + key + "\" has no effect " + why);
    };
    const bool logged = !section.others.empty();
    need(logged || section.time_compression == usual.time_compression, "time_compression",
         "without a log of other users' jobs: say provision.others");
    need(!logged || section.other_jobs == 0, "other_jobs",
         "beside a log: leave out one of the two");
    const bool alike = section.other_jobs > 0 && !logged;
    const std::string none = "where other_jobs is 0";
    need(alike || section.other_nodes == usual.other_nodes, "other_nodes", none);
    need(alike || section.other_time == usual.other_time, "other_time", none);
    need(alike || section.other_spacing == usual.other_spacing, "other_spacing", none);
  }

  void check_first() const {
    const RunSection& run = scenario_.run;
    if (run.first > run.repetitions)
      refuse(written_.where("run", "first"), "\"first\" leaves none of the " +
                                                 std::to_string(run.repetitions) +
                                                 " repetitions to be done");
  }

  void check_memory() const {
    const Entry* entry = written_.find("peers", "memory");
    const WorkloadSection& work = scenario_.workload;
    if (entry == nullptr || scenario_.peers.memory == PeersSection{}.memory ||
        !has_own_needs(scenario_) || work.memory > 0 || work.memory_max > 0)
      return;
    for (const std::string key : {"kind", "memory", "memory_max"})
      if (written_.later(*entry, "workload", key)) return;
    refuse(entry->at,
           "\"memory\" has no effect while no task needs any: say how much with "
           "workload.memory, or leave it out");
  }

  void check_draw() const {
    const Entry* entry = written_.find("workload", "portion_draw");
    const WorkloadSection& work = scenario_.workload;
    if (entry == nullptr || work.portion_draw == PortionDraw::task ||
        work.portion_distribution != PortionKind::uniform || work.jitter > 0)
      return;
    for (const std::string key : {"kind", "work", "jitter", "portion_distribution"})
      if (written_.later(*entry, "workload", key)) return;
    refuse(entry->at,
           "\"portion_draw\" has no effect while all tasks are alike: say by how much they differ "
           "with \"jitter\", or with \"portion_distribution\"");
  }

  // A later layer may have chosen what else takes the effect away.
  void check_estimates() const {
    const Entry* entry = written_.find("workload", "estimate_error");
    if (entry == nullptr || scenario_.workload.estimate_error == 0 || compares_sizes(scenario_))
      return;
    if (written_.later(*entry, "peers", "discipline")) return;
    for (std::size_t i = 0; i < scenario_.schedulers.size(); ++i)
      if (written_.later(*entry, "scheduler#" + std::to_string(i), "policy")) return;
    refuse(entry->at,
           "\"estimate_error\" has no effect while nothing compares the sizes of tasks: choose a "
           "peers.discipline that does, as srpt or sjf, or a dispatcher's policy, as lwl or "
           "threshold");
  }

  void check_cores() const {
    const EngineSection& engine = scenario_.engine;
    const Entry* entry = written_.find("engine", "cores");
    if (entry == nullptr || engine.cores == 0 || engine.wake_up > Duration::zero() ||
        engine.handling > Duration::zero())
      return;
    for (const std::string key : {"kind", "wake_up", "handling"})
      if (written_.later(*entry, "engine", key)) return;
    refuse(entry->at,
           "\"cores\" has no effect while neither \"wake_up\" nor \"handling\" takes any time: "
           "`rhizome doctor --calibrate` measures both");
  }

  // A default that is too much for a few peers is no mistake of the user.
  void check_degree() const {
    const GraphModel& model = graph_model(scenario_.graph.kind);
    if (!model.complaint) return;
    const auto complaint = model.complaint(scenario_.graph, scenario_.peers.count);
    if (!complaint) return;
    const auto usual = model.complaint({}, scenario_.peers.count);
    if (usual && usual->text == complaint->text) return;
    const Entry* entry = written_.find("graph", complaint->keys.front());
    if (entry == nullptr || written_.later(*entry, "peers", "count")) return;
    refuse(entry->at, complaint->text);
  }

  // Options that count peers, of those that there are besides some; not all schedulers have them.
  struct DistributedRun {
    const char* key;
    std::uint32_t besides;
    const char* why;  // "no peer can know more than 3 others"
    const char* whom;
  };
  // A sample for a whole job may be larger, for two tasks of it may meet one peer: that is
  // min_probes.
  static constexpr std::array companies{
      DistributedRun{"view_size", 1, "no peer can know more than", "others"},
      DistributedRun{"similar_size", 1, "no peer can know more than", "others"},
      DistributedRun{"probes", 1, "no task can be probed for at more than", "others"},
      DistributedRun{"helpers", 2, "besides who asks and who is silent there are no more than",
                     "to ask"}};

  void check_distributed_run(std::size_t index, const DistributedRun& distributed_run) const {
    const std::string key = distributed_run.key;
    const SchedulerChoice& choice = scenario_.schedulers[index];
    const Entry* entry = written_.find("scheduler#" + std::to_string(index), key);
    if (entry == nullptr || choice.scheduler == nullptr) return;
    const auto* size = std::get_if<std::int64_t>(&entry->values.front().scalar);
    const std::uint32_t count = scenario_.peers.count;
    const std::uint32_t others =
        count > distributed_run.besides ? count - distributed_run.besides : 0;
    if (size == nullptr || *size <= others || *size == default_of(*choice.scheduler, key) ||
        written_.later(*entry, "peers", "count"))
      return;
    refuse(entry->at, "\"" + key + "\" is " + std::to_string(*size) + ", but among " +
                          std::to_string(scenario_.peers.count) + " peers " + distributed_run.why +
                          " " + std::to_string(others) + " " + distributed_run.whom +
                          ": lower it, or raise peers.count");
  }

  static std::int64_t default_of(const agents::Scheduler& scheduler, const std::string& key) {
    std::any options = scheduler.defaults();
    for (const core::Setting& setting : scheduler.settings)
      if (setting.name == key)
        return std::get<std::int64_t>(setting.read(scheduler.address(options)));
    return 0;
  }

  const Written& written_;
  const Scenario& scenario_;
};

void check_file(const Position& at, std::size_t hosts, std::uint32_t peers) {
  if (hosts <= peers) return;
  refuse(at, "\"file\" names " + std::to_string(hosts) + " hosts, and there are " +
                 std::to_string(peers) + " peers, so that " + std::to_string(hosts - peers) +
                 " of the hosts would be left out: set peers.count to at least " +
                 std::to_string(hosts) + ", or shorten the file");
}

}  // namespace

// A discipline is refused where a scheduler has no servers.
bool compares_sizes(const Scenario& scenario) {
  if (agents::discipline_of(scenario.peers.discipline).by_size) return true;
  const auto does = [](const SchedulerChoice& choice) {
    const auto* options = std::any_cast<agents::dispatching::Options>(&choice.options);
    return options != nullptr && options->by_work();
  };
  return std::ranges::any_of(scenario.schedulers, does);
}

void check_bounds(const Written& written, Scenario& scenario) {
  const auto& [peers, faults, work] = std::tie(scenario.peers, scenario.faults, scenario.workload);
  written.in_order(peers.speed_min <= peers.speed_max, "peers", "speed_min", "speed_max");
  if (written.find("faults", "crash_until") != nullptr)
    written.in_order(faults.crash_from <= faults.crash_until, "faults", "crash_from",
                     "crash_until");
  written.in_order(work.until.count() == 0 || work.from <= work.until, "workload", "from", "until");
  if (work.spacing.count() == 0 && written.find("workload", "arrivals") != nullptr &&
      workload_model(work.kind).has("arrivals"))
    refuse(written.where("workload", "arrivals"),
           "\"arrivals\" has no effect while \"spacing\" is 0");
  // Each task of a job lists its inputs.
  constexpr std::uint64_t most_inputs = 2'000'000;
  const std::uint64_t inputs = std::uint64_t{work.portions} * scenario.files.inputs.size();
  if (workload_model(work.kind).has("portions") && inputs > most_inputs)
    refuse(written.where("files.input#0", "name"),
           fmt::format("the tasks of a job have {} inputs in all: at most {} may", inputs,
                       most_inputs));
}

void check_effects(const Written& written, Scenario& scenario) {
  EffectChecks(written, scenario).run();
}

void check_hosts(const Written& written, Scenario& scenario) {
  const std::uint32_t peers = scenario.peers.count;
  if (const auto& hosts = graph_model(scenario.graph.kind).hosts)
    check_file(written.where("graph", "file"), hosts(scenario.graph.file), peers);
  if (const auto& hosts = latency_model(scenario.network.latency).hosts)
    check_file(written.where("network", "file"), hosts(scenario.network.file), peers);
}

void check_table(const Written& written, Scenario& scenario) {
  const WorkloadModel& model = workload_model(scenario.workload.kind);
  if (!model.complaint) return;
  const auto complaint = model.complaint(scenario.workload);
  if (!complaint) return;
  const std::string& key = complaint->keys.front();
  const bool said = written.find("workload", key) != nullptr;
  refuse(written.where("workload", said ? key : "kind"), complaint->text);
}

}  // namespace rhizome::scenarios
