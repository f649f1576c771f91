#include "tools/commands/running/commentary.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "scenarios/outcome/failure.hpp"
#include "scenarios/outcome/validity.hpp"
#include "scenarios/text/plain_text.hpp"
#include "tools/cli/interrupt.hpp"

namespace rhizome::tools {

using scenarios::Outcome;
using scenarios::RunUnderWay;

namespace {

std::string faults_text(std::uint32_t count) {
  return std::to_string(count) + (count == 1 ? " fault" : " faults");
}

std::string summary(const Outcome& outcome) {
  std::string text = fmt::format("{} after {} s emulated, {}", name_of(outcome.ending),
                                 in_seconds(outcome.ended), name_of(outcome.validity.level));
  if (const std::uint32_t operator_commands = outcome.steered.operator_commands;
      operator_commands > 0)
    text += ", " + faults_text(operator_commands) + " by hand";
  if (!outcome.failure.empty()) text += ", failed: " + scenarios::first_line(outcome.failure);
  if (!outcome.violations.empty())
    text += outcome.violations.size() == 1
                ? ", an invariant broken"
                : fmt::format(", {} invariants broken", outcome.violations.size());
  return text;
}

constexpr std::size_t told_in_full = 3;  // so many runs with broken invariants are told in full

std::string count_of(const Outcome& outcome) {
  const std::size_t broken = outcome.violations.size();
  return fmt::format("{} broken; the store of a run lists them in its table violations{}",
                     broken == 1 ? "an invariant is" : std::to_string(broken) + " invariants are",
                     outcome.failure.empty() ? "" : "; " + scenarios::first_line(outcome.failure));
}

// Whether a program ended the run, and what it wrote last is known.
bool has_last_words(const Outcome& outcome) {
  return outcome.failure.find('\n') != std::string::npos;
}

// Texts about the broken invariants. Only the first ones are listed, because one lost task may
// cause a hundred. Of runs, too, only the first ones are told in full.
std::vector<std::string> complaints(const Outcome& outcome, bool in_full) {
  constexpr std::size_t most = 3;
  if (!in_full && !outcome.violations.empty()) return {count_of(outcome)};
  std::vector<std::string> texts;
  std::vector<scenarios::Violation> violations = outcome.violations;
  // That the run failed is told with the last words.
  if (has_last_words(outcome))
    std::erase_if(violations, [](const auto& each) { return each.invariant == "run-failed"; });
  if (scenarios::ran_out_of_time(outcome)) texts.push_back(outcome.failure);
  for (std::size_t i = 0; i < std::min(most, violations.size()); ++i)
    texts.push_back(
        fmt::format("invariant {} is broken: {}", violations[i].invariant, violations[i].text));
  if (violations.size() > most)
    texts.push_back(
        fmt::format("and {} more; the store of a run lists them in its table violations",
                    violations.size() - most));
  if (!violations.empty() && outcome.ending == core::Ending::limit && outcome.failure.empty())
    texts.emplace_back("its time was up: if nothing else is wrong, raise engine.grace");
  return texts;
}

}  // namespace

std::string in_seconds(core::Time time) {
  const double seconds = core::seconds(time);
  return seconds < 1e4 ? fmt::format("{:.5g}", seconds) : fmt::format("{:.0f}", seconds);
}

std::string describe(const scenarios::Identity& identity) {
  std::string text = identity.label + ", repetition " + std::to_string(identity.repetition + 1);
  const std::string cell = cell_text(identity);
  return cell.empty() ? text : text + ", " + cell;
}

Commentary::Commentary(Options options)
    : options_(std::move(options)), progress_(options_.screen) {}

void Commentary::expect(std::size_t runs) { progress_.expect(runs); }

bool Commentary::run(std::span<const scenarios::Cell> cells, const Take& take,
                     const Skipped& skipped) {
  const scenarios::ExperimentHooks hooks{
      .outcome =
          [&](Outcome&& outcome) {
            tell(outcome);
            take(std::move(outcome));
          },
      .put_aside = [&](const Outcome& invalid) { tell_put_aside(invalid); },
      .broken_off = options_.broken_off,
      .remark = [&](const std::string& text) { tell(text); },
      .news = [&](const std::string& text) { tell_news(text); },
      .runs = run_hooks()};
  const InterruptAnswer heard(progress_.answer_to_interrupt());
  const bool whole = scenarios::run_experiment(
      cells, hooks,
      {.stop = options_.stop != nullptr ? options_.stop : &interrupt_flag(),
       .first = skipped.repetitions,
       .retries = options_.retries,
       .share = options_.share,
       .done = skipped.runs,
       .helpers = options_.helpers,
       .distributed_run = options_.distributed_run,
       .recording = options_.recording});
  progress_.clear();
  if (!whole) progress_.interrupted();
  return whole;
}

scenarios::RunHooks Commentary::run_hooks() {
  scenarios::RunHooks hooks{.begin =
                                [this](const RunUnderWay& run) {
                                  const std::scoped_lock lock(mutex_);
                                  under_way_[run.number] = {.label = options_.name(run.identity),
                                                            .whole = run.open_for};
                                  show();
                                },
                            .tick =
                                [this](const RunUnderWay& run, core::Time now) {
                                  const std::scoped_lock lock(mutex_);
                                  Advance& advance = under_way_[run.number];
                                  advance.now = now;
                                  advance.limit = run.foreseen.limit;
                                  advance.completed = run.completed;
                                  advance.tasks = run.tasks;
                                  show();
                                },
                            .over =
                                [this](const RunUnderWay& run) {
                                  const std::scoped_lock lock(mutex_);
                                  // A run that two processes did ends twice.
                                  if (under_way_.erase(run.number) > 0) progress_.done();
                                  show();
                                }};
  if (options_.also) options_.also(hooks);
  return hooks;
}

// Shows the run that has been under way for the longest time.
void Commentary::show() {
  if (under_way_.empty()) return;
  progress_.show(under_way_.begin()->second, under_way_.size() - 1);
}

void Commentary::tell(const Outcome& outcome) {
  const std::scoped_lock lock(mutex_);
  progress_.tell(options_.name(outcome.identity), summary(outcome));
  warn(outcome);
}

// The run is repeated, so one more run is expected. A reader of the result must know that runs were
// selected.
void Commentary::tell_put_aside(const Outcome& invalid) {
  {
    const std::scoped_lock lock(mutex_);
    progress_.expect(1);
    progress_.tell(options_.name(invalid.identity), summary(invalid));
  }
  const std::uint32_t operator_commands = invalid.steered.operator_commands;
  const std::string undone =
      operator_commands == 0
          ? ""
          : "; what was done by hand, " + faults_text(operator_commands) + ", is not done again";
  tell(fmt::format("{}: the run is invalid: {}; it is done again, {} of up to {} times{}",
                   options_.name(invalid.identity), invalid.validity.reason, invalid.repeated + 1,
                   options_.retries, undone));
}

void Commentary::tell(const std::string& remark) {
  const std::scoped_lock lock(mutex_);
  if (!told_.insert(remark).second) return;
  progress_.clear();
  options_.screen.warn(remark);
  if (options_.remark) options_.remark(remark);
}

void Commentary::tell_news(const std::string& text) {
  const std::scoped_lock lock(mutex_);
  progress_.clear();
  options_.screen.warn(text);
  if (const auto more = options_.aside ? options_.aside() : std::nullopt)
    options_.screen.warn(*more);
  show();
}

void Commentary::warn(const Outcome& outcome) {
  const scenarios::Validity& validity = outcome.validity;
  const bool valid = validity.level == scenarios::Validity::Level::valid;
  const bool sound = outcome.violations.empty() && outcome.failure.empty();
  if (valid && sound) return;
  progress_.clear();
  const std::string who = options_.name(outcome.identity);
  if (!sound) ++broken_;
  // The programs of several peers often end in the same way: their last words are told once.
  if (has_last_words(outcome) && broken_ <= told_in_full &&
      told_.insert(outcome.failure.substr(outcome.failure.find('\n'))).second)
    options_.screen.warn(who + ": " + outcome.failure);
  for (const std::string& complaint : complaints(outcome, broken_ <= told_in_full))
    options_.screen.warn(who + ": " + complaint);
  if (!valid)
    options_.screen.warn(fmt::format("{}: the run is {}: {}; {}", who, name_of(validity.level),
                                     validity.reason, validity.remedy));
}

}  // namespace rhizome::tools
