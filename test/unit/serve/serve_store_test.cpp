// Jobs of a server, in a file.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/child/own_folder.hpp"
#include "scenarios/store/database.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/whole_file.hpp"
#include "test/support/strange_journal.hpp"
#include "test/support/temporary_directory.hpp"
#include "tools/serve/job_file.hpp"
#include "tools/serve/job_store.hpp"

namespace rhizome::serve_store_test {

using tools::JobOrder;
using tools::JobState;
using tools::JobStore;

namespace {

struct Place {
  test::TemporaryDirectory directory;
  [[nodiscard]] JobStore::Options options(std::uint64_t most = 0) const {
    return {directory.path() / "jobs.sqlite", most};
  }
};

JobStore::Done done(std::uint64_t job, std::uint32_t task, bool right = true) {
  return {job, {.task = task, .peer = 3, .result = "ok", .right = right, .finished = 99}};
}

}  // namespace

TEST_CASE("a store where other users may exchange files is not used") {
  const Place place;
  CHECK_NOTHROW(tools::check_place(place.options().file));
  std::filesystem::permissions(place.directory.path(), std::filesystem::perms::all);
  CHECK_THROWS_AS(tools::check_place(place.options().file), core::NoFolder);
}

TEST_CASE("a store where other users may put files is not used, also where a link leads there") {
  const Place place;
  const auto shared = place.directory.path() / "shared";
  std::filesystem::create_directory(shared);
  REQUIRE(chmod(shared.c_str(), 01777) == 0);
  CHECK_THROWS_AS(tools::check_place(shared / "jobs.sqlite"), core::NoFolder);
  const auto link = place.directory.path() / "mine.sqlite";
  std::filesystem::create_symlink(shared / "jobs.sqlite", link);
  CHECK_THROWS_AS(tools::check_place(link), core::NoFolder);
  REQUIRE(chmod(shared.c_str(), 0755) == 0);
  CHECK_NOTHROW(tools::check_place(link));
  std::filesystem::rename(link, shared / "mine.sqlite");
  REQUIRE(chmod(shared.c_str(), 01777) == 0);
  CHECK_THROWS_AS(tools::check_place(shared / "mine.sqlite"), core::NoFolder);
}

TEST_CASE("accepted jobs are there when the store is opened again, and so are completed tasks") {
  const Place place;
  {
    JobStore store(place.options());
    CHECK(store.accept({.work = "count file=a", .tasks = 3, .seconds = 0.25}).job.id == 1);
    CHECK(store.accept({.tasks = 1}).job.id == 2);
    store.complete({done(1, 2), done(2, 0, false)});
  }
  const JobStore store(place.options());
  const auto job = store.job(1);
  REQUIRE(job);
  CHECK(job->order == JobOrder{.work = "count file=a", .tasks = 3, .seconds = 0.25});
  CHECK(job->state == JobState::open);
  CHECK(job->done == 1);
  CHECK(store.tasks(1, 0, 10).at(0).task == 2);
  CHECK(store.job(2)->state == JobState::done);
  CHECK(store.job(2)->wrong == 1);
  CHECK_FALSE(store.job(3));
  CHECK(store.counts().jobs[0] == 1);
  CHECK(store.counts().jobs[1] == 1);
  CHECK(store.counts().tasks == 2);
}

TEST_CASE("a store is for its user alone, and another user's is not taken for it") {
  const Place place;
  const auto file = place.options().file;
  {
    JobStore store(place.options());
    CHECK(store.accept({.tasks = 1}).job.id == 1);
    CHECK_THROWS_AS(JobStore(place.options()), scenarios::CannotWrite);
    for (const char* part : {"", "-wal", "-shm", ".lock"}) {
      struct stat status {};
      REQUIRE(stat((file.string() + part).c_str(), &status) == 0);
      CHECK((status.st_mode & 0777U) == 0600);
    }
  }
  const auto pipe = place.directory.path() / "pipe.sqlite";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_AS(JobStore({pipe, 0}), scenarios::CannotWrite);
  if (geteuid() != 0) return;
  const auto other = place.directory.path() / "other.sqlite";
  std::ofstream(other) << "";
  REQUIRE(chown(other.c_str(), 65534, 65534) == 0);
  CHECK_THROWS_AS(JobStore({other, 0}), scenarios::CannotWrite);
  std::filesystem::create_symlink(file, place.directory.path() / "link.sqlite");
  REQUIRE(lchown((place.directory.path() / "link.sqlite").c_str(), 65534, 65534) == 0);
  CHECK_THROWS_AS(JobStore({place.directory.path() / "link.sqlite", 0}), scenarios::CannotWrite);
}

TEST_CASE("a store that others could read is kept to its user, and has one server by any name") {
  const Place place;
  const auto file = place.options().file;
  { const JobStore store(place.options()); }
  std::filesystem::permissions(file, std::filesystem::perms(0644));
  std::filesystem::permissions(file.string() + ".lock", std::filesystem::perms(0644));
  const JobStore store(place.options());
  for (const char* part : {"", "-wal", "-shm", ".lock"}) {
    const auto mode = std::filesystem::status(file.string() + part).permissions();
    CHECK((mode & std::filesystem::perms(0777)) == std::filesystem::perms(0600));
  }
  const test::TemporaryDirectory elsewhere;
  const auto page = elsewhere.path() / "index.html";
  std::ofstream(page) << "a page";
  std::filesystem::permissions(page, std::filesystem::perms(0644));
  CHECK_THROWS_AS(JobStore({page, 0}), scenarios::CannotWrite);
  CHECK((std::filesystem::status(page).permissions() & std::filesystem::perms(0777)) ==
        std::filesystem::perms(0644));
  const auto fresh = elsewhere.path() / "fresh.sqlite";
  std::filesystem::create_symlink(elsewhere.path() / "large-disk.sqlite", fresh);
  const JobStore made({fresh, 0});
  CHECK_THROWS_WITH_AS(JobStore({fresh, 0}), doctest::Contains("another server has these jobs"),
                       scenarios::CannotWrite);
  std::filesystem::create_symlink(file, elsewhere.path() / "link.sqlite");
  CHECK_THROWS_WITH_AS(JobStore({elsewhere.path() / "link.sqlite", 0}),
                       doctest::Contains("another server has these jobs"), scenarios::CannotWrite);
}

TEST_CASE("a store that a stranger has changed is neither served nor read") {
  const auto is_refused = [](const std::filesystem::path& file) {
    CHECK_THROWS_AS(JobStore({file, 0}), scenarios::CannotWrite);
    CHECK_THROWS_AS(tools::open_jobs_to_read(file), scenarios::UnreadableFile);
  };
  const std::string endless =
      " AS WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT i AS id FROM n";
  for (const std::string& change :
       {"DROP TABLE job; CREATE VIEW job" + endless, "CREATE VIEW other" + endless,
        std::string("CREATE TRIGGER t AFTER INSERT ON job BEGIN DELETE FROM job; END"),
        std::string("DROP INDEX job_state; CREATE INDEX job_state ON job (hex(state), id)")}) {
    const Place place;
    const auto file = place.options().file;
    { const JobStore store(place.options()); }
    CHECK_NOTHROW(tools::open_jobs_to_read(file));
    scenarios::Database(file, scenarios::Database::Mode::create).execute(change);
    is_refused(file);
  }
  const Place place;
  const auto file = place.options().file;
  { const JobStore store(place.options()); }
  const auto journal = test::leave_strange_journal(file);
  is_refused(file);
  CHECK(std::filesystem::exists(journal));
}

TEST_CASE("a task is done once, however often it is told, and a job when all of its tasks are") {
  const Place place;
  JobStore store(place.options());
  static_cast<void>(store.accept({.tasks = 2}));
  store.complete({done(1, 0), done(1, 0)});
  store.complete({done(1, 0)});
  CHECK(store.job(1)->done == 1);
  CHECK(store.job(1)->state == JobState::open);
  store.complete({done(1, 1)});
  CHECK(store.job(1)->state == JobState::done);
  CHECK(store.job(1)->finished == 99);
  store.complete({done(1, 1), done(7, 0)});
  CHECK(store.job(1)->done == 2);
  CHECK(store.counts().tasks == 2);
}

TEST_CASE("a key makes two orders one job, also when they come at once") {
  const Place place;
  JobStore store(place.options());
  std::vector<JobStore::Accepted> accepted(8);
  std::vector<std::thread> threads;
  for (JobStore::Accepted& each : accepted)
    threads.emplace_back([&] { each = store.accept({.tasks = 2, .key = "once"}); });
  for (std::thread& thread : threads) thread.join();
  std::size_t fresh = 0;
  for (const JobStore::Accepted& each : accepted) {
    CHECK(each.job.id == 1);
    fresh += each.known ? 0 : 1;
  }
  CHECK(fresh == 1);
  CHECK(store.find("once")->id == 1);
  CHECK_FALSE(store.find("twice"));
  CHECK(store.accept({}).job.id == 2);
  CHECK(store.accept({}).job.id == 3);
}

TEST_CASE("a cancelled job is over, and its late results change nothing") {
  const Place place;
  JobStore store(place.options());
  static_cast<void>(store.accept({.tasks = 1}));
  CHECK(store.cancel(1));
  CHECK_FALSE(store.cancel(1));
  CHECK_FALSE(store.cancel(2));
  store.complete({done(1, 0)});
  CHECK(store.job(1)->state == JobState::cancelled);
  CHECK(store.job(1)->done == 0);
  CHECK(store.counts().jobs[2] == 1);
  CHECK(store.counts().tasks == 0);
}

TEST_CASE("jobs come in pages, all of them once, or only jobs in one state") {
  const Place place;
  JobStore store(place.options());
  for (int i = 0; i < 25; ++i) static_cast<void>(store.accept({.tasks = 1}));
  for (std::uint64_t job = 1; job <= 25; job += 2) store.complete({done(job, 0)});
  std::set<std::uint64_t> seen;
  for (std::uint64_t after = 0;;) {
    const auto page = store.jobs(after, 10);
    for (const auto& job : page) CHECK(seen.insert(job.id).second);
    if (page.size() < 10) break;
    after = page.back().id;
  }
  CHECK(seen.size() == 25);
  CHECK(store.jobs(0, 100, JobState::open).size() == 12);
  CHECK(store.jobs(0, 100).size() == 25);
  CHECK(store.jobs(20, 100, JobState::done).size() == 3);
}

TEST_CASE("a page of jobs ends where their texts are long, and all jobs come") {
  const Place place;
  JobStore store(place.options());
  const std::string work(60000, 'w');
  for (int i = 0; i < 40; ++i) static_cast<void>(store.accept({.work = work, .tasks = 1}));
  const auto first = store.jobs(0, 100);
  CHECK(first.size() == 18);  // the first with which they have a mebibyte
  CHECK(store.jobs(first.back().id, 100).size() == 18);
  CHECK(store.jobs(36, 100).size() == 4);
  CHECK(store.jobs(40, 100).empty());
}

TEST_CASE("what stands in the log of a store under way is read, too, however small its file is") {
  const Place place;
  JobStore store(place.options());
  const std::string work(60000, 'w');
  for (int i = 0; i < 40; ++i) static_cast<void>(store.accept({.work = work, .tasks = 1}));
  CHECK(std::filesystem::file_size(place.options().file) < 40 * work.size());
  const auto reader = tools::open_jobs_to_read(place.options().file);
  auto query = reader.prepare("SELECT work FROM job");
  query.start();
  std::size_t bytes = 0;
  while (query.next()) bytes += query.text(0).size();
  CHECK(bytes == 40 * work.size());
}

TEST_CASE("a store without room refuses, loses nothing, and goes on once there is room") {
  const Place place;
  std::uint64_t accepted = 0;
  {
    JobStore store(place.options(96U << 10U));
    const std::string long_work(2000, 'x');
    CHECK_THROWS_AS(
        [&] {
          for (int i = 0; i < 1000; ++i) {
            static_cast<void>(store.accept({.work = long_work}));
            ++accepted;
          }
        }(),
        tools::StoreFull);
    CHECK(accepted > 3);
    CHECK(store.jobs(0, 1000).size() == accepted);
    CHECK(store.counts().jobs[0] == accepted);
  }
  JobStore store(place.options());
  CHECK(store.counts().jobs[0] == accepted);
  CHECK(store.accept({}).job.id == accepted + 1);
}

TEST_CASE("one server at a time has the jobs, and a file of another program is left as it is") {
  const Place place;
  const JobStore store(place.options());
  CHECK_THROWS_AS(JobStore(place.options()), scenarios::CannotWrite);
  const auto other = place.directory.path() / "other.sqlite";
  {
    scenarios::Database database(other, scenarios::Database::Mode::create);
    database.execute("CREATE TABLE mine (x)");
  }
  CHECK_THROWS_AS(JobStore({other}), scenarios::CannotWrite);
  const auto text = place.directory.path() / "text";
  std::ofstream(text) << "this is no database at all, but it is long enough to be taken for one\n";
  CHECK_THROWS_AS(JobStore({text}), scenarios::CannotWrite);
  CHECK_THROWS_AS(JobStore({place.directory.path() / "absent" / "x"}), scenarios::CannotWrite);
}

// Only root can give a file to another user; a link is refused by the same check.
TEST_CASE("a store takes no jobs from a journal beside it that is not its user's own file") {
  for (const std::string ending : {"-wal", "-shm", "-journal"}) {
    const Place place;
    CHECK(JobStore(place.options()).accept({.tasks = 1}).job.id == 1);
    const std::filesystem::path other = place.directory.path() / "other";
    std::ofstream(other) << "precious";
    const std::filesystem::path beside = place.options().file.string() + ending;
    std::filesystem::remove(beside);
    std::filesystem::create_symlink(other, beside);
    CHECK_THROWS_AS(JobStore(place.options()), scenarios::CannotWrite);
    CHECK(std::filesystem::is_symlink(beside));
    CHECK(std::filesystem::file_size(other) == 8);
    if (geteuid() != 0) continue;
    std::filesystem::remove(beside);
    std::ofstream(beside).close();
    REQUIRE(chown(beside.c_str(), 65534, 65534) == 0);
    CHECK_THROWS_AS(JobStore(place.options()), scenarios::CannotWrite);
  }
}

}  // namespace rhizome::serve_store_test
