#include "tools/launch/together.hpp"

#include <chrono>
#include <string>
#include <utility>

#include "core/mesh/launcher.hpp"
#include "overlay/partition.hpp"
#include "scenarios/experiment/essence.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/store/store.hpp"
#include "scenarios/world/workload/workload.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/messages.hpp"
#include "tools/cli/options.hpp"
#include "tools/launch/hosts.hpp"
#include "tools/launch/launched_process.hpp"
#include "tools/launch/meeting.hpp"
#include "tools/launch/ports.hpp"

namespace rhizome::tools {

using scenarios::Cell;

namespace {

constexpr const char* default_placing = "blocks";
constexpr std::uint64_t most_processes = 64;  // each has a link to each

std::chrono::milliseconds dead_after(const Arguments& arguments) {
  return patience_in(arguments, "dead-after", core::MeshOptions{}.dead_after);
}

// Where each process runs, if ssh is to begin them; process 0, which is this one, on "".
std::vector<std::string> places_asked_for(const Arguments& arguments) {
  const auto list = arguments.text("hosts");
  const auto file = arguments.text("hostfile");
  if (list && file) throw UsageError("--hosts and --hostfile say the same: give one of them");
  if (!list && !file) {
    if (arguments.has("ssh")) throw UsageError("--ssh has no effect here: it is for --hosts");
    return {};
  }
  if (arguments.has("processes"))
    throw UsageError("--processes is for this host: behind each of --hosts may stand how many");
  std::vector<std::string> places =
      places_of(list ? hosts_in(*list) : hosts_of_file(*file), host_name());
  if (places.size() > most_processes)
    throw UsageError("--hosts: " + std::to_string(most_processes) + " processes at most");
  return places;
}

// Ends this process when the pipe from its launcher closes.
class Leashed final : public core::Rendezvous {
 public:
  Leashed(const LaunchedProcess& launched, std::chrono::milliseconds within,
          std::optional<Leash>& leash)
      : pipe_(launched.launcher.in),
        rendezvous_(launched.place, launched.launcher, within),
        leash_(leash) {}
  [[nodiscard]] std::uint32_t rank() const override { return rendezvous_.rank(); }
  [[nodiscard]] std::uint32_t size() const override { return rendezvous_.size(); }
  [[nodiscard]] std::vector<std::string> gather(const std::string& descriptor) override {
    std::vector<std::string> descriptors = rendezvous_.gather(descriptor);
    leash_.emplace(pipe_);
    return descriptors;
  }

 private:
  const int pipe_;
  core::LaunchedRendezvous rendezvous_;
  std::optional<Leash>& leash_;
};

const scenarios::Packing packing{.pack = scenarios::packed, .unpack = scenarios::unpacked};

}  // namespace

std::vector<Option> together_options() {
  return joined(
      {{{.name = "processes",
         .value = "N",
         .help = "share the peers of a run on threads among N processes"},
        {.name = "hosts",
         .value = "LIST",
         .help = "also start a process by ssh on each of these hosts, such as h1,h2:2"},
        {.name = "hostfile",
         .value = "FILE",
         .help = "as --hosts, from a file with a host on each line"},
        {.name = "ssh", .value = "COMMAND", .help = "the command that reaches a host (ssh)"}},
       meeting_options(),
       {{.name = "dead-after",
         .value = "TIME",
         .help = "give up a process that is silent for this long (10s)"},
        {.name = "on-loss",
         .value = "WHAT",
         .help = "when a process is lost: continue without its peers (the default), or end",
         .choices = {"continue", "end"}},
        {.name = "placement",
         .value = "HOW",
         .help = "which process runs which peers: blocks of addresses, round-robin, or neighbours "
                 "of the graph together (graph)",
         .choices = {scenarios::placing_names.begin(), scenarios::placing_names.end()}}}});
}

Option share_option() {
  return {.name = "share",
          .value = "I/N",
          .help = "do only share I of N of the runs, from 0, for rhizome merge to put together"};
}

std::optional<scenarios::RunShare> share_in(const Arguments& arguments) {
  const auto given = arguments.text("share");
  if (!given) return {};
  if (const auto share = scenarios::run_share_of(*given)) return share;
  throw UsageError("--share is I/N, such as 0/4 to 3/4, and not \"" + *given + "\"");
}

std::uint32_t processes_of(const Arguments& arguments) {
  if (const auto launcher = launched()) return launcher->place.size;
  if (const auto places = places_asked_for(arguments); !places.empty())
    return static_cast<std::uint32_t>(places.size());
  if (!arguments.has("processes")) return launched_by_others(arguments);
  const std::uint64_t given = arguments.number("processes", 1).value_or(1);
  if (given > most_processes)
    throw UsageError("--processes can be " + std::to_string(most_processes) + " at most");
  return static_cast<std::uint32_t>(given);
}

void check_together_options(std::span<const Cell> cells, const Arguments& arguments) {
  static_cast<void>(dead_after(arguments));
  static_cast<void>(join_within(arguments));
  if (arguments.text("placement") == "graph" && !overlay::has_partitioner())
    throw UsageError(
        "--placement graph: METIS is not installed, or this program was built without it "
        "(libmetis-dev)");
  if (const auto ports = arguments.text("ports"))
    check_enough(ports_in(*ports), processes_of(arguments));
  if (processes_of(arguments) == 1) {
    arguments.refuse({"dead-after", "join-within", "on-loss", "ports", "placement"},
                     "has no effect here: it is for several --processes");
    for (const Cell& cell : cells)
      if (scenarios::needs_several_processes(cell.scenario))
        throw UsageError(
            "network.latency = \"real\" is that of the network between processes, and "
            "this is one: add --processes or --hosts, or say network.machines and network.delay");
    return;
  }
  if (cells.empty()) return;
  if (arguments.has("placement") && !scenarios::any_in_real_time(cells))
    throw UsageError("--placement has no effect here: a run in virtual time is one process");
  if (arguments.has("processes") && !scenarios::any_in_real_time(cells))
    throw UsageError(
        "--processes has no effect here: a run in virtual time is one process, and --jobs says how "
        "many go on at a time");
  if (scenarios::comes_live(cells.front().scenario.workload))
    throw UsageError("jobs that come through a pipe come to one process, and these are several");
}

Together::Together(const Arguments& arguments, std::span<const Cell> cells, bool meet_anyway)
    : cells_(cells), share_(share_in(arguments).value_or(scenarios::RunShare{})) {
  if (cells.empty() && !meet_anyway) return;
  meet(arguments);
  if (mesh_ == nullptr) return;
  if (meet_anyway || scenarios::any_in_real_time(cells))
    distributed_run_ = std::make_unique<scenarios::DistributedRun>(
        *mesh_, scenarios::DistributedRun::Options{
                    .end_on_loss = arguments.text("on-loss").value_or("continue") == "end",
                    .placing = scenarios::placing_named(
                        arguments.text("placement").value_or(default_placing)),
                    .tell = [this](const std::string& text) {
                      warn(text);
                      if (const auto hidden = hidden_status()) warn(*hidden);
                    }});
  else if (!follows())
    helpers_ = std::make_unique<scenarios::Helpers>(*mesh_, packing);
  if (!follows() && !arguments.has("quiet"))
    for (const std::string& news : news_of(*mesh_)) tell(news);
}

// No run has begun: an interrupt need not wait for processes that may never come.
void Together::meet(const Arguments& arguments) {
  const EndsAtOnce nothing_begun;
  const auto rendezvous = find_the_others(arguments);
  if (rendezvous == nullptr || rendezvous->size() == 1) return;
  core::MeshOptions options = mesh_options(arguments);
  if (!cells_.empty()) options.process.subjects = scenarios::subjects_of(cells_);
  options.dead_after = dead_after(arguments);
  options.join_within = join_within(arguments);
  mesh_ = std::make_unique<core::Mesh>(*rendezvous, options);
}

// The rendezvous by the launcher of this process, or with the processes that it launches itself, or
// none.
std::unique_ptr<core::Rendezvous> Together::find_the_others(const Arguments& arguments) {
  if (const auto launcher = launched())
    return std::make_unique<Leashed>(*launcher, join_within(arguments), leash_);
  const std::vector<std::string> places = places_asked_for(arguments);
  if (places.empty() && !arguments.has("processes")) {
    launch_ = launch_by_others(arguments);
    return rendezvous_of(arguments);
  }
  const std::uint32_t size = processes_of(arguments);
  if (size == 1) return nullptr;
  launch_ = {.launcher = places.empty() ? "rhizome" : "ssh", .met_by = "pipes"};
  if (places.empty())
    processes_.emplace(size);
  else
    processes_.emplace(places, arguments.text("ssh").value_or("ssh"));
  return std::make_unique<core::LauncherRendezvous>(processes_->pipes(), join_within(arguments),
                                                    places);
}

Together::~Together() {
  if (mesh_ == nullptr || follows()) return;
  if (distributed_run_ != nullptr) distributed_run_->dismiss();
  if (const std::uint64_t refused = mesh_->strangers(); refused > 0)
    warn(std::to_string(refused) +
         " connections of others than the processes of this run were refused");
  if (const auto hidden = hidden_status()) warn(*hidden);
}

std::optional<std::string> Together::hidden_status() {
  if (mesh_ == nullptr || follows() || mesh_->losses().empty() || !launch_) return {};
  if (std::exchange(told_status_, true)) return {};
  return core::hidden_status(launch_->launcher);
}

std::vector<scenarios::Member> Together::members() const {
  if (distributed_run_ != nullptr) return distributed_run_->members();
  return helpers_ != nullptr ? helpers_->members() : std::vector<scenarios::Member>{};
}

Exit Together::follow() {
  const bool whole = distributed_run_ != nullptr
                         ? distributed_run_->follow(cells_, &interrupt_flag())
                         : help_with_experiment(cells_, *mesh_, packing,
                                                {.stop = &interrupt_flag(), .share = share_});
  if (whole) return Exit::holds;
  const auto loss = mesh_->loss_of(0);
  complain(mesh_->name_of(mesh_->rank()) +
           " ends: " + (loss ? loss->why : "it was interrupted, or told what it cannot do"));
  return Exit::given_up;
}

}  // namespace rhizome::tools
