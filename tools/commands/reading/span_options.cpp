#include "tools/commands/reading/span_options.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "scenarios/text/duration_text.hpp"
#include "scenarios/text/files.hpp"
#include "scenarios/text/formula.hpp"
#include "scenarios/text/input_error.hpp"
#include "tools/commands/stored.hpp"

namespace rhizome::tools {

namespace {

using std::chrono::milliseconds;

std::optional<Moment> date_in(const std::string& text) {
  const auto seconds = scenarios::parse_date(text);
  if (!seconds) return {};
  return Moment(milliseconds(std::llround(*seconds * 1000)));
}

// A date with a time of day, a time of day of the day in which `day` is, or a duration since the
// start.
Moment moment_of(const Arguments& arguments, const std::string& option, Moment start, Moment day) {
  const std::string text = arguments.text(option).value();
  const std::string date =
      scenarios::utc_text(std::chrono::floor<std::chrono::days>(day)).substr(0, 11);
  if (const auto moment = date_in(text)) return *moment;
  if (const auto moment = date_in(date + text)) return *moment;
  const auto since = scenarios::parse_duration(text);
  if (since && *since >= core::Duration::zero())
    return start + std::chrono::duration_cast<milliseconds>(*since);
  throw UsageError("--" + option +
                   " takes a time in UTC such as 2026-01-31T12:00 or 12:00, or a duration since "
                   "the start such as 90min, not \"" +
                   text + "\"");
}

// From its start to its end. A run that has no verdict serves still, or was killed, and has all
// that its successors did with its jobs. The record has whole seconds.
TimeSpan lifetime_of(const RunRecord& record, Moment now) {
  const auto start = date_in(record.started);
  const auto end = date_in(record.ended);
  if (!start) throw scenarios::UnreadableFile("run.json does not tell when the run began");
  const bool ended = !record.verdict.empty() && end;
  return {*start, ended ? *end + std::chrono::seconds(1) : now};
}

TimeSpan span_in(const Arguments& arguments, const TimeSpan& life) {
  TimeSpan span = life;
  if (arguments.has("from")) span.from = moment_of(arguments, "from", life.from, life.from);
  if (arguments.has("until")) span.until = moment_of(arguments, "until", life.from, span.from);
  const auto from_to = [](const TimeSpan& one) {
    return moment_text(one.from) + " until " + moment_text(one.until);
  };
  const bool bounded = arguments.has("from") && arguments.has("until");
  if (bounded && span.from >= span.until)
    throw UsageError("the span is empty: from " + from_to(span));
  if (span.from >= life.until || span.until <= life.from)
    throw UsageError("the run served from " + from_to(life) + ", and not from " + from_to(span));
  return {std::max(span.from, life.from), std::min(span.until, life.until)};
}

}  // namespace

std::vector<Option> span_options() {
  return {
      {.name = "from",
       .value = "TIME",
       .help = "of a served run, only jobs submitted from then on: 2026-01-31T12:00 or 12:00 in "
               "UTC, or 90min since the start"},
      {.name = "until", .value = "TIME", .help = "and only those submitted before"}};
}

bool has_span(const Arguments& arguments) {
  return arguments.has("from") || arguments.has("until");
}

ServedReport served_report(const scenarios::StoredRun& run, const Arguments& arguments) {
  // It names a store, which SQLite opens by its name.
  if (!scenarios::is_own_directory(run.path))
    throw scenarios::UnreadableFile(run.name() +
                                    " is another user's: --from and --until would read "
                                    "the store that it names");
  const auto by = served_run_in(run.path);
  if (!by)
    throw UsageError("--from and --until need a run of rhizome serve, which " + run.name() +
                     " is not");
  const Moment now = std::chrono::floor<milliseconds>(std::chrono::system_clock::now());
  const TimeSpan span = span_in(arguments, lifetime_of(run.record, now));
  return {.directory = run.name(),
          .scenario = run.record.name,
          .by = *by,
          .span = span,
          .now = now,
          .served = served_in(by->store, span)};
}

}  // namespace rhizome::tools
