// What a server has done for the jobs of a span of time, read from its store.
#include "tools/serve/served_span.hpp"

#include <doctest/doctest.h>

#include <fstream>

#include "scenarios/text/input_error.hpp"
#include "test/support/temporary_directory.hpp"
#include "tools/serve/job_store.hpp"
#include "tools/serve/served_run.hpp"

namespace rhizome::served_span_test {

using namespace std::chrono_literals;
using tools::JobStore;
using tools::Moment;
using tools::served_in;

namespace {

JobStore::Done done(std::uint64_t job, std::uint32_t task, std::int64_t finished,
                    bool right = true) {
  return {job, {.task = task, .peer = 3, .result = "ok", .right = right, .finished = finished}};
}

}  // namespace

TEST_CASE("the jobs that were submitted within a span count, with what has become of them") {
  const test::TemporaryDirectory directory;
  const auto file = directory.path() / "jobs.sqlite";
  JobStore store({.file = file});
  for (int i = 0; i < 4; ++i) static_cast<void>(store.accept({.tasks = 2}));
  const std::int64_t first = store.job(1)->submitted;
  const std::int64_t last = store.job(4)->submitted;
  store.complete({done(1, 0, first + 1500), done(1, 1, first + 3000), done(2, 0, first + 4000)});
  store.complete({done(3, 0, first + 500, false)});
  CHECK(store.cancel(4));
  const Moment from{std::chrono::milliseconds(first)};
  const Moment until{std::chrono::milliseconds(last)};
  const tools::ServedSpan all = served_in(file, {from, until + 1ms});  // while the store is in use
  CHECK(all.jobs == std::array<std::uint64_t, 3>{2, 1, 1});
  CHECK(all.tasks == 8);
  CHECK(all.done == 4);
  CHECK(all.wrong == 1);
  CHECK(all.responses == std::vector{3.0});
  CHECK(all.completions == std::vector{0.5, 1.5, 3.0, 4.0});
  CHECK(served_in(file, {from - 1h, from}).tasks == 0);
  CHECK(served_in(file, {until + 1ms, until + 1h}).tasks == 0);
  CHECK(served_in(file, {from, from + 1ms}).tasks > 0);
}

TEST_CASE("a file that is no store of jobs has no span, and is left as it is") {
  const test::TemporaryDirectory directory;
  const tools::TimeSpan span{Moment{}, Moment{1h}};
  CHECK_THROWS_AS(static_cast<void>(served_in(directory.path() / "none", span)),
                  scenarios::UnreadableFile);
  CHECK_FALSE(std::filesystem::exists(directory.path() / "none"));
  std::ofstream(directory.path() / "text") << "text";
  CHECK_THROWS_AS(static_cast<void>(served_in(directory.path() / "text", span)),
                  scenarios::UnreadableFile);
  const auto other = directory.path() / "other";
  { const JobStore store({.file = other}); }
  CHECK(served_in(other, span).tasks == 0);
  scenarios::Database(other, scenarios::Database::Mode::create)
      .execute("PRAGMA application_id = 1");
  CHECK_THROWS_AS(static_cast<void>(served_in(other, span)), scenarios::UnreadableFile);
}

TEST_CASE("a run directory says which scheduler served, and from which store") {
  const test::TemporaryDirectory directory;
  CHECK_FALSE(tools::served_run_in(directory.path()));
  tools::note_served_run(directory.path(), {.scheduler = "sparrow", .store = "/a/jobs.sqlite"});
  const auto run = tools::served_run_in(directory.path());
  REQUIRE(run);
  CHECK(run->scheduler == "sparrow");
  CHECK(run->store == "/a/jobs.sqlite");
  for (const char* damaged : {"", "[]", "{}", R"({"scheduler": 1, "store": "/a"})"}) {
    std::ofstream(directory.path() / "served.json") << damaged;
    CHECK_FALSE(tools::served_run_in(directory.path()));
  }
}

}  // namespace rhizome::served_span_test
