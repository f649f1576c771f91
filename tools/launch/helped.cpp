#include "tools/launch/helped.hpp"

#include <string>

#include "scenarios/experiment/essence.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/experiment/replay.hpp"
#include "scenarios/store/packed.hpp"
#include "scenarios/text/fingerprint.hpp"
#include "scenarios/world/workload/workload.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/messages.hpp"
#include "tools/commands/running/share.hpp"
#include "tools/launch/meeting.hpp"

namespace rhizome::tools {

using scenarios::Cell;

namespace {

const scenarios::Packing packing{.pack = scenarios::packed, .unpack = scenarios::unpacked};

// The whole scenario, and each file that it reads.
std::vector<core::Subject> subjects_of(std::span<const Cell> cells) {
  const std::filesystem::path home =
      std::filesystem::path(cells.front().scenario.file).parent_path();
  std::string all;
  for (const std::string& line : scenarios::essence_of(cells, home)) all += line + "\n";
  std::vector<core::Subject> subjects{{"the scenario", scenarios::fingerprint_of(all)}};
  for (const scenarios::FileRead& file : scenarios::replay_of(cells).read)
    subjects.push_back({file.name, file.fingerprint});
  return subjects;
}

void check(std::span<const Cell> cells, const Arguments& arguments) {
  if (scenarios::any_in_real_time(cells))
    throw UsageError(
        "several processes were begun, which do runs in virtual time only: add --engine virtual");
  if (scenarios::comes_live(cells.front().scenario.workload))
    throw UsageError("jobs that come through a pipe come to one process, and several were begun");
  for (const std::string name : {"watch", "control", "wait"})
    if (arguments.has(name))
      throw UsageError("--" + name + " is for runs of one process, and several were begun");
}

}  // namespace

Helped::Helped(const Arguments& arguments, std::span<const Cell> cells)
    : cells_(cells), share_(share_in(arguments).value_or(scenarios::RunShare{})) {
  const auto rendezvous = rendezvous_of(arguments);
  if (rendezvous == nullptr || rendezvous->size() == 1) return;
  check(cells, arguments);
  core::MeshOptions options = mesh_options(arguments);
  options.process.subjects = subjects_of(cells);
  mesh_ = std::make_unique<core::Mesh>(*rendezvous, options);
  if (follows()) return;
  helpers_ = std::make_unique<scenarios::Helpers>(*mesh_, packing);
  if (!arguments.has("quiet"))
    for (const std::string& news : news_of(*mesh_)) tell(news);
}

Helped::~Helped() = default;

Exit Helped::follow() {
  if (help_with_experiment(cells_, *mesh_, packing, {.stop = &interrupt_flag(), .share = share_}))
    return Exit::holds;
  const auto loss = mesh_->loss_of(0);
  complain(mesh_->name_of(mesh_->rank()) +
           " ends: " + (loss ? loss->why : "it was interrupted, or ordered what it cannot do"));
  return Exit::given_up;
}

}  // namespace rhizome::tools
