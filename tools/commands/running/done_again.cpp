#include "tools/commands/running/done_again.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <span>
#include <string>

#include "agents/schedulers.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/format/swept.hpp"
#include "scenarios/outcome/fact_watch.hpp"
#include "scenarios/store/same_again.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/plain_text.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/messages.hpp"
#include "tools/commands/running/resume.hpp"
#include "tools/commands/stored.hpp"

namespace rhizome::tools {

namespace {

std::string name_of(const scenarios::Identity& identity) {
  const std::string cell = scenarios::cell_text(identity);
  return fmt::format("{}, repetition {}{}", identity.label, identity.repetition + 1,
                     cell.empty() ? "" : ", " + cell);
}

// The cell, and its scheduler, that did the run.
struct Origin {
  const scenarios::Cell& cell;
  std::size_t scheduler;
};

Origin origin_of(std::span<const scenarios::Cell> cells, const scenarios::Identity& identity) {
  if (const scenarios::Cell* cell = scenarios::cell_with(cells, identity.cell)) {
    const auto& choices = cell->scenario.schedulers;
    const auto choice = std::find_if(choices.begin(), choices.end(),
                                     [&](const auto& one) { return one.label == identity.label; });
    if (choice != choices.end() &&
        identity.seed == scenarios::repetition_seed(cell->scenario, identity.repetition))
      return {*cell, static_cast<std::size_t>(choice - choices.begin())};
  }
  throw scenarios::UnreadableFile(
      fmt::format("{}, is no run of {}", name_of(identity), cells.front().scenario.file));
}

Exit do_again(std::span<const scenarios::Cell> cells, const scenarios::StoredRun& stored,
              const scenarios::Outcome& before, bool same_build) {
  const scenarios::Identity& identity = before.identity;
  const std::string name = name_of(identity);
  if (before.steered.operator_commands > 0) {
    std::printf(
        "%s: steered by hand, so that its scenario does another run; steered.toml does it\n",
        scenarios::plain_text(name).c_str());
    return Exit::inconclusive;
  }
  const auto [cell, scheduler] = origin_of(cells, identity);
  const scenarios::Outcome outcome = scenarios::run_once(cell, scheduler, identity.repetition,
                                                         {.stop = &interrupt_flag()}, nullptr);
  if (interrupt_flag().load()) return Exit::interrupted;
  const auto [how, remark] = compared(stored, before, outcome);
  if (how) {
    const bool of_program = identity.scheduler == agents::program_name;
    if (of_program || !same_build)
      return tell_difference(
          {.run = name, .how = *how, .of_program = of_program, .same_build = same_build});
    std::printf("%s: not as stored, because its files were changed or rhizome has a defect: %s\n",
                scenarios::plain_text(name).c_str(), scenarios::plain_text(*how).c_str());
    return Exit::fails;
  }
  std::printf("%s: done again, the same facts and burdens as stored%s\n",
              scenarios::plain_text(name).c_str(), remark.c_str());
  for (const scenarios::Violation& broken : outcome.violations)
    std::printf("  invariant %s is broken: %s\n", scenarios::plain_text(broken.invariant).c_str(),
                scenarios::plain_text(broken.text).c_str());
  return outcome.violations.empty() ? Exit::holds : Exit::fails;
}

}  // namespace

DoneAgain compared(const scenarios::StoredRun& stored, const scenarios::Outcome& before,
                   const scenarios::Outcome& again) {
  auto difference = scenarios::first_difference(before, again);
  if (difference && !stored.record.files.empty() && scenarios::differ_in_bytes_alone(before, again))
    return {{}, " but for bytes, since messages name its files, which are copies now"};
  return {std::move(difference), ""};
}

Exit tell_difference(const Difference& difference) {
  if (difference.of_program) {
    std::printf("%s: not deterministic, or the program has changed since: %s\n",
                scenarios::plain_text(difference.run).c_str(),
                scenarios::plain_text(difference.how).c_str());
    return Exit::fails;
  }
  const std::string text = difference.run + ": " + difference.how;
  if (!difference.same_build)
    throw scenarios::UnreadableFile(text + "; it was recorded by another build of rhizome");
  complain(text);
  return Exit::internal;
}

Exit do_again(const Arguments& arguments) {
  arguments.refuse({"until", "break-on", "peer"},
                   "is for a recorded run on threads; one in virtual time is done again as a "
                   "whole");
  const scenarios::StoredRun stored = open_stored(arguments.positional().front(), arguments);
  const std::string scenario = (stored.path / "scenario.toml").string();
  const std::string remark = scenarios::check_same(scenario);
  if (!remark.empty()) warn(remark);
  const auto cells = cells_as_read(stored);
  Exit worst = Exit::holds;
  for (const std::size_t index : chosen_of(stored, arguments))
    worst = std::max(worst, do_again(cells, stored, stored.read(index), remark.empty()));
  return worst;
}

}  // namespace rhizome::tools
