#include "tools/serve/served_span.hpp"

#include <algorithm>
#include <string>

#include "scenarios/store/database.hpp"
#include "scenarios/text/input_error.hpp"
#include "tools/serve/job_file.hpp"

namespace rhizome::tools {

namespace {

using scenarios::Database;
using scenarios::Statement;

constexpr const char* within = " job.submitted >= ?1 AND job.submitted < ?2 ";

Statement asked(const Database& database, const std::string& before, const TimeSpan& span,
                const std::string& behind) {
  Statement query = database.prepare(before + within + behind);
  query.start(span.from.time_since_epoch().count(), span.until.time_since_epoch().count());
  return query;
}

void count(const Database& database, const TimeSpan& span, ServedSpan& served) {
  Statement query = asked(database,
                          "SELECT state, count(*), sum(tasks), sum(done), sum(wrong) FROM job "
                          "WHERE",
                          span, "GROUP BY state");
  while (query.next()) {
    std::uint8_t state = 0;
    std::uint64_t jobs = 0;
    std::uint64_t tasks = 0;
    std::uint64_t done = 0;
    std::uint64_t wrong = 0;
    query.take(state, jobs, tasks, done, wrong);
    served.jobs[std::min<std::size_t>(state, served.jobs.size() - 1)] += jobs;
    served.tasks += tasks;
    served.done += done;
    served.wrong += wrong;
  }
}

// A clock that was set back makes no time negative.
std::vector<double> seconds_in(Statement query) {
  std::vector<double> times;
  while (query.next()) {
    std::int64_t milliseconds = 0;
    query.take(milliseconds);
    times.push_back(static_cast<double>(std::max<std::int64_t>(0, milliseconds)) / 1000);
  }
  return times;
}

}  // namespace

ServedSpan served_in(const std::filesystem::path& store, const TimeSpan& span) {
  Database database = open_jobs_to_read(store);
  try {
    const scenarios::Transaction one_state(database);
    ServedSpan served;
    count(database, span, served);
    served.responses = seconds_in(asked(database, "SELECT finished - submitted FROM job WHERE",
                                        span, "AND state = 1 ORDER BY submitted, id"));
    served.completions = seconds_in(asked(
        database, "SELECT task.finished - ?1 AS at FROM task JOIN job ON job.id = task.job WHERE",
        span, "ORDER BY at"));
    return served;
  } catch (const scenarios::DatabaseError& error) {
    throw scenarios::UnreadableFile(store.string() + ": " + error.what());
  }
}

}  // namespace rhizome::tools
