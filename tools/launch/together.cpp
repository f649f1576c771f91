#include "tools/launch/together.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "scenarios/experiment/experiment.hpp"
#include "scenarios/text/duration_text.hpp"
#include "scenarios/world/workload/workload.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/messages.hpp"
#include "tools/launch/launched.hpp"

namespace rhizome::tools {

using scenarios::Cell;

namespace {

constexpr std::uint64_t most_processes = 64;        // each has a link to each
constexpr std::chrono::seconds until_gathered{60};  // for all processes to come

std::chrono::milliseconds dead_after(const Arguments& arguments) {
  const auto given = arguments.text("dead-after");
  if (!given) return core::MeshOptions{}.dead_after;
  const auto duration = scenarios::parse_duration(*given);
  if (!duration || *duration < std::chrono::seconds(1))
    throw UsageError("--dead-after " + *given + ": it is a duration of at least one second");
  return std::chrono::duration_cast<std::chrono::milliseconds>(*duration);
}

std::string host_name() {
  std::string name(256, '\0');
  if (gethostname(name.data(), name.size() - 1) != 0) return "this host";
  return name.c_str();
}

// That the launcher has left to this process.
std::uint32_t usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return static_cast<std::uint32_t>(std::max(1, CPU_COUNT(&set)));
}

std::uint32_t all_cores() {
  return static_cast<std::uint32_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

// Holds on to the launcher as soon as its pipe says nothing more but its end.
class Leashed final : public core::Rendezvous {
 public:
  Leashed(const Launched& launched, std::optional<Leash>& leash)
      : pipe_(launched.launcher.in),
        rendezvous_(launched.place, launched.launcher, until_gathered),
        leash_(leash) {}
  [[nodiscard]] std::uint32_t rank() const override { return rendezvous_.rank(); }
  [[nodiscard]] std::uint32_t size() const override { return rendezvous_.size(); }
  [[nodiscard]] std::vector<std::string> gather(const std::string& card) override {
    std::vector<std::string> cards = rendezvous_.gather(card);
    leash_.emplace(pipe_);
    return cards;
  }

 private:
  const int pipe_;
  core::LaunchedRendezvous rendezvous_;
  std::optional<Leash>& leash_;
};

// "3 processes on 2 hosts, links encrypted".
std::string text_of(const core::Mesh& mesh) {
  std::set<std::string> hosts;
  for (std::uint32_t i = 0; i < mesh.size(); ++i) hosts.insert(mesh.process(i).host);
  return std::to_string(mesh.size()) + " processes on " + std::to_string(hosts.size()) +
         (hosts.size() == 1 ? " host" : " hosts") + ", links encrypted";
}

}  // namespace

std::vector<Option> together_options() {
  return {{.name = "processes",
           .value = "N",
           .help = "share the peers of a run on threads among N processes"},
          {.name = "dead-after",
           .value = "TIME",
           .help = "give up a process of which nothing is heard for so long (10s)"},
          {.name = "on-loss",
           .value = "WHAT",
           .help = "when a process is lost: continue without its peers (the default), or end",
           .choices = {"continue", "end"}}};
}

std::uint32_t processes_of(const Arguments& arguments) {
  const std::uint64_t given = arguments.number("processes", 1).value_or(1);
  if (given > most_processes)
    throw UsageError("--processes can be " + std::to_string(most_processes) + " at most");
  return static_cast<std::uint32_t>(given);
}

void check_together_options(std::span<const Cell> cells, const Arguments& arguments) {
  static_cast<void>(dead_after(arguments));
  if (processes_of(arguments) == 1) {
    for (const std::string name : {"dead-after", "on-loss"})
      if (arguments.has(name))
        throw UsageError("--" + name + " has no effect here: it is for several --processes");
    return;
  }
  if (cells.empty()) return;
  if (!scenarios::any_in_real_time(cells))
    throw UsageError(
        "--processes has no effect here: a run in virtual time is one process, and --jobs says how "
        "many go on at a time");
  if (scenarios::comes_live(cells.front().scenario.workload))
    throw UsageError("--processes: jobs that come through a pipe come to one process");
}

Together::Together(const Arguments& arguments, std::span<const Cell> cells) : cells_(cells) {
  const std::uint32_t size = processes_of(arguments);
  if (size == 1 || cells.empty()) return;
  const core::MeshOptions options{.process = {.host = host_name(),
                                              .version = RHIZOME_VERSION,
                                              .subjects = scenarios::subjects_of(cells),
                                              .cores = usable_cores(),
                                              .host_cores = all_cores()},
                                  .dead_after = dead_after(arguments)};
  mesh_ = std::make_unique<core::Mesh>(*find_the_others(size), options);
  company_ = std::make_unique<scenarios::Company>(
      *mesh_, scenarios::Company::Options{
                  .end_on_loss = arguments.text("on-loss").value_or("continue") == "end"});
  if (!follows() && !arguments.has("quiet")) tell(text_of(*mesh_));
}

std::unique_ptr<core::Rendezvous> Together::find_the_others(std::uint32_t size) {
  if (const auto launcher = launched()) return std::make_unique<Leashed>(*launcher, leash_);
  processes_.emplace(size);
  return std::make_unique<core::LauncherRendezvous>(processes_->pipes(), until_gathered);
}

Together::~Together() {
  if (company_ == nullptr || follows()) return;
  company_->dismiss();
  if (const std::uint64_t refused = mesh_->strangers(); refused > 0)
    warn(std::to_string(refused) +
         " connections of others than the processes of this run were refused");
}

Exit Together::follow() {
  if (company_->follow(cells_, &interrupt_flag())) return Exit::holds;
  complain(mesh_->name_of(mesh_->rank()) + " ends: " + mesh_->loss_of(0)->why);
  return Exit::given_up;
}

}  // namespace rhizome::tools
