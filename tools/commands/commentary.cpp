#include "tools/commands/commentary.hpp"

#include <fmt/core.h>

#include <utility>

#include "scenarios/outcome/validity.hpp"
#include "tools/cli/interrupt.hpp"

namespace rhizome::tools {

using scenarios::Outcome;
using scenarios::RunUnderWay;

namespace {

std::string summary(const Outcome& outcome) {
  std::string text = fmt::format("{} after {} s emulated, {}", name_of(outcome.ending),
                                 std::to_string(core::seconds(outcome.ended)).substr(0, 6),
                                 name_of(outcome.validity.level));
  if (!outcome.failure.empty()) text += ", failed: " + outcome.failure;
  if (!outcome.violations.empty())
    text += fmt::format(", {} invariants broken", outcome.violations.size());
  return text;
}

}  // namespace

std::string describe(const scenarios::Identity& identity) {
  std::string text = identity.label + ", repetition " + std::to_string(identity.repetition + 1);
  const std::string cell = cell_text(identity);
  return cell.empty() ? text : text + ", " + cell;
}

Commentary::Commentary(Options options)
    : options_(std::move(options)), progress_(options_.screen) {}

void Commentary::expect(std::size_t runs) { progress_.expect(runs); }

bool Commentary::run(std::span<const scenarios::Cell> cells, const Take& take,
                     std::uint32_t first) {
  const scenarios::ExperimentHooks hooks{.outcome =
                                             [&](Outcome&& outcome) {
                                               tell(outcome);
                                               take(std::move(outcome));
                                             },
                                         .remark = [&](const std::string& text) { tell(text); },
                                         .runs = run_hooks()};
  const bool whole = scenarios::run_experiment(cells, hooks, &interrupt_flag(), 0, first);
  progress_.clear();
  if (!whole) progress_.interrupted();
  return whole;
}

scenarios::RunHooks Commentary::run_hooks() {
  return {.begin =
              [this](const RunUnderWay& run) {
                const std::scoped_lock lock(mutex_);
                under_way_[run.number] = {.name = options_.name(run.identity)};
                show();
              },
          .tick =
              [this](const RunUnderWay& run, core::Time now) {
                const std::scoped_lock lock(mutex_);
                under_way_[run.number].now = now;
                show();
              },
          .over =
              [this](const RunUnderWay& run) {
                const std::scoped_lock lock(mutex_);
                under_way_.erase(run.number);
                progress_.done();
                show();
              }};
}

// The run that has been under way for longest.
void Commentary::show() {
  if (under_way_.empty()) return;
  const Shown& first = under_way_.begin()->second;
  progress_.show(first.name, first.now, under_way_.size() - 1);
}

void Commentary::tell(const Outcome& outcome) {
  const std::scoped_lock lock(mutex_);
  progress_.tell(options_.name(outcome.identity), summary(outcome));
  warn(outcome);
}

void Commentary::tell(const std::string& remark) {
  const std::scoped_lock lock(mutex_);
  if (!told_.insert(remark).second) return;
  progress_.clear();
  options_.screen.warn(remark);
  if (options_.remark) options_.remark(remark);
}

void Commentary::warn(const Outcome& outcome) {
  const scenarios::Validity& validity = outcome.validity;
  const bool valid = validity.level == scenarios::Validity::Level::valid;
  if (valid && outcome.violations.empty()) return;
  progress_.clear();
  const std::string who = options_.name(outcome.identity);
  for (const scenarios::Violation& violation : outcome.violations)
    options_.screen.warn(
        fmt::format("{}: invariant {} is broken: {}", who, violation.invariant, violation.text));
  if (!valid)
    options_.screen.warn(fmt::format("{}: the run is {}: {}; {}", who, name_of(validity.level),
                                     validity.reason, validity.remedy));
}

}  // namespace rhizome::tools
