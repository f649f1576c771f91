// Masters whose snapshots are in a real store: a file of SQLite, and a server of Redis that is
// killed and restarted in the middle of a run.
#include <doctest/doctest.h>
#include <fmt/core.h>
#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "agents/central/facts.hpp"
#include "agents/store/operation.hpp"
#include "agents/store/store.hpp"
#include "test/support/central_worlds.hpp"
#include "test/support/hostile_server.hpp"
#include "test/support/redis_server.hpp"
#include "test/support/strange_journal.hpp"
#include "test/support/temporary_directory.hpp"

namespace rhizome::store_test {

using namespace agents::store;  // NOLINT(google-build-using-namespace)
using agents::central::HeadElected;
using test::check_all_once;
using namespace std::chrono_literals;

namespace {

// About a second of work for every 40 tasks; the deaths of masters are noticed within a second.
std::string scenario(const std::string& store, double crash_at = 0, std::uint32_t portions = 60) {
  return test::equal_peers(6, "1ms", "threads") + fmt::format("workload.portions = {}", portions) +
         R"(
workload.jobs = 4
workload.portion_time = "100ms"
engine.time_limit = "60s"
engine.grace = "60s"
[[scheduler]]
use = "master-worker"
ping_period = "150ms"
cleanup = "200ms"
repeat = "100ms"
longest_cut = "10s"
snapshot = "100ms"
)" + store +
         "\n" + (crash_at > 0 ? test::crash(1, crash_at) : "");
}

std::string redis_at(const test::RedisServer& server, const std::string& more = "") {
  return "store = \"redis\"\nstore_address = \"" + server.address() + "\"\n" + more;
}

core::Result perform(const Operation& operation) {
  return core::result_of(agents::store::kinds_of_runs(), {.recipe = recipe_of(operation)});
}

void check_keeps(RecordStore& store) {
  store.put(0, "first");
  store.put(1, std::string("a\0b", 3));
  store.put(0, "again");
  CHECK(store.get(0) == "again");
  CHECK(store.get(1) == std::string("a\0b", 3));
  CHECK_THROWS_AS(static_cast<void>(store.get(2)), Failed);
  store.clear();
  CHECK_THROWS_AS(static_cast<void>(store.get(0)), Failed);
}

}  // namespace

TEST_CASE("a file keeps records, and the last under each number") {
  const test::TemporaryDirectory folder;
  const std::string file = (folder.path() / "records.sqlite").string();
  check_keeps(*open_sqlite(file));
  open_sqlite(file)->put(7, "kept");
  CHECK(open_sqlite(file)->get(7) == "kept");
  CHECK_THROWS_AS(static_cast<void>(open_sqlite((folder.path() / "no" / "file.sqlite").string())),
                  Failed);
}

TEST_CASE("snapshots go into no file that another program may read as its own") {
  const test::TemporaryDirectory folder;
  const auto other = folder.path() / ".inputrc";
  CHECK_THROWS_WITH_AS(static_cast<void>(open_sqlite(other.string())),
                       doctest::Contains("must end with \".sqlite\""), Failed);
  std::filesystem::create_symlink(other, folder.path() / "link.sqlite");
  CHECK_THROWS_WITH_AS(static_cast<void>(open_sqlite((folder.path() / "link.sqlite").string())),
                       doctest::Contains("must end with \".sqlite\""), Failed);
  CHECK_FALSE(std::filesystem::exists(other));
  CHECK_THROWS_WITH_AS(static_cast<void>(open_sqlite((folder.path() / "waiting.sqlite").string())),
                       doctest::Contains("name of another store"), Failed);
}

TEST_CASE("snapshots are for their user alone") {
  const test::TemporaryDirectory folder;
  const auto file = folder.path() / "records.sqlite";
  open_sqlite(file.string())->put(1, "kept");
  CHECK((std::filesystem::status(file).permissions() & std::filesystem::perms(0777)) ==
        std::filesystem::perms(0600));
}

TEST_CASE("a database of another program is refused before SQLite rolls a journal back into it") {
  const test::TemporaryDirectory folder;
  const std::string file = (folder.path() / "mine.sqlite").string();
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
  REQUIRE(sqlite3_exec(database, "CREATE TABLE mine (a)", nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  std::ofstream(file + "-journal") << "laid there";
  CHECK_THROWS_WITH_AS(static_cast<void>(open_sqlite(file)), doctest::Contains("no store of"),
                       Failed);
  CHECK(std::filesystem::file_size(file + "-journal") == 10);
}

TEST_CASE("a server keeps records, also those of one that was killed") {
  test::RedisServer server;
  check_keeps(*open_redis(server.address(), "a run"));
  open_redis(server.address(), "a run")->put(7, "kept");
  open_redis(server.address(), "another")->clear();
  server.kill();
  CHECK_THROWS_AS(static_cast<void>(open_redis(server.address(), "a run")), Failed);
  server.start();
  CHECK(open_redis(server.address(), "a run")->get(7) == "kept");
  CHECK_THROWS_AS(static_cast<void>(open_redis("nowhere", "a run")), Failed);
  CHECK_THROWS_AS(static_cast<void>(open_redis("127.0.0.1:0", "a run")), Failed);
}

TEST_CASE("a file whose journal names a further file is refused, and that file left alone") {
  const test::TemporaryDirectory folder;
  const std::string file = (folder.path() / "records.sqlite").string();
  open_sqlite(file)->put(1, "kept");
  const auto journal = test::leave_strange_journal(file);
  CHECK_THROWS_AS(static_cast<void>(open_sqlite(file)), Failed);
  CHECK(std::filesystem::exists(journal));
  std::filesystem::remove(journal);
  CHECK(open_sqlite(file)->get(1) == "kept");
}

TEST_CASE("a file with a log beside it is refused: it may be a further name of another file") {
  const test::TemporaryDirectory folder;
  const std::string file = (folder.path() / "records.sqlite").string();
  const auto other = folder.path() / "thesis.txt";
  open_sqlite(file)->put(1, "kept");
  std::ofstream(other) << "mine";
  for (const std::string ending : {"-wal", "-shm"}) {
    std::filesystem::create_hard_link(other, file + ending);
    CHECK_THROWS_WITH_AS(static_cast<void>(open_sqlite(file)), doctest::Contains("has a log"),
                         Failed);
    std::filesystem::remove(file + ending);
  }
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
  REQUIRE(sqlite3_exec(database, "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr) ==
          SQLITE_OK);
  sqlite3_close(database);
  CHECK_THROWS_WITH_AS(static_cast<void>(open_sqlite(file)), doctest::Contains("has a log"),
                       Failed);
  CHECK(std::filesystem::file_size(other) == 4);
}

TEST_CASE("a file in a folder where others may put a journal beside it is refused") {
  const test::TemporaryDirectory folder;
  const std::string file = (folder.path() / "records.sqlite").string();
  std::filesystem::permissions(folder.path(), std::filesystem::perms(01777));
  CHECK_THROWS_WITH_AS(static_cast<void>(open_sqlite(file)), doctest::Contains("chmod go-w"),
                       Failed);
  CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("a file with a trigger, or with another table than ours, is refused") {
  const test::TemporaryDirectory folder;
  const std::string file = (folder.path() / "records.sqlite").string();
  open_sqlite(file)->put(1, "kept");
  CHECK(open_sqlite(file)->get(1) == "kept");
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
  REQUIRE(sqlite3_exec(database,
                       "CREATE TRIGGER endless BEFORE INSERT ON records BEGIN SELECT count(*) FROM "
                       "(WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x "
                       "FROM c); END",
                       nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  CHECK_THROWS_AS(static_cast<void>(open_sqlite(file)), Failed);
  const std::string checked = (folder.path() / "checked").string();
  REQUIRE(sqlite3_open(checked.c_str(), &database) == SQLITE_OK);
  REQUIRE(sqlite3_exec(database,
                       "CREATE TABLE records (number INTEGER PRIMARY KEY, record BLOB CHECK "
                       "(instr(zeroblob(60000000), zeroblob(30000000) || x'01') = 0)) STRICT",
                       nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  CHECK_THROWS_AS(static_cast<void>(open_sqlite(checked)), Failed);
}

TEST_CASE("a server that drips, announces much or sends much makes an operation fail") {
  const auto why = [](const std::string& first, const std::string& again = {}) {
    const test::HostileServer server(first, again, 100ms);
    std::string reason;
    try {
      static_cast<void>(open_redis(server.address(), "a run")->get(1));
    } catch (const Failed& failure) {
      reason = failure.what();
    }
    return reason;
  };
  CHECK(why("$3\r\none\r\n").empty());
  CHECK(why("+", "O") == "Redis: no whole answer within a second");
  CHECK(why("*1000000000\r\n") == "Redis: the answer is a list");
  CHECK(why("*1\r\n$1\r\nx\r\n") == "Redis: the answer is a list");
  // Too long, or not whole in time, as fast as this machine reads.
  CHECK_FALSE(why("$4000000000\r\n" + std::string(80U << 20U, 'x')).empty());
  CHECK_FALSE(why(std::string(80U << 20U, '+')).empty());
  CHECK(why("") == "Redis: no whole answer within a second");
}

TEST_CASE("an operation is work whose result is the record, or the reason why there is none") {
  const test::TemporaryDirectory folder;
  Operation operation{
      .location = {Medium::sqlite, (folder.path() / "records.sqlite").string(), "x"},
      .what = What::put,
      .number = 3,
      .record = std::string(1000, 'r')};
  CHECK(perform(operation).verdict == core::Result::Verdict::right);
  operation.what = What::get;
  CHECK(perform(operation).value == std::string(1000, 'r'));
  operation.number = 4;
  CHECK(perform(operation) == core::judged("the store has no record 4", false));
}

TEST_CASE("a master dies on threads, and the elected reads its snapshot from a file") {
  const test::TemporaryDirectory folder;
  const std::string file = (folder.path() / "snapshots.sqlite").string();
  const auto outcome = test::run_scenario(scenario("store_file = \"" + file + "\"", 2));
  check_all_once(outcome);
  CHECK(outcome.facts.of<HeadElected>().size() == 2);
  CHECK_FALSE(open_sqlite(file)->get(0).empty());
}

TEST_CASE("a master dies early or late, under both elections and beside both stores") {
  test::RedisServer server;
  for (const std::string& store : {std::string("store = \"sqlite\"\n"), redis_at(server)})
    for (const std::string election : {"bully", "lease"})
      for (const double at : {0.2, 0.9}) {
        CAPTURE(store);
        CAPTURE(election);
        CAPTURE(at);
        const auto outcome =
            test::run_scenario(scenario(store + "election = \"" + election + "\"\n", at, 16));
        check_all_once(outcome);
        CHECK(outcome.facts.of<HeadElected>().size() == 2);
      }
}

TEST_CASE("Redis is killed and restarted under a run, the master dies, and the run goes on") {
  test::RedisServer server;
  std::thread trouble([&server] {
    std::this_thread::sleep_for(1s);
    server.kill();
    std::this_thread::sleep_for(1s);
    server.start();
  });
  const auto outcome = test::run_scenario(scenario(redis_at(server), 3));
  trouble.join();
  check_all_once(outcome);
  CHECK(outcome.facts.of<HeadElected>().size() == 2);
}

TEST_CASE("without a store for longer than is borne, a run stops with a sentence") {
  test::RedisServer server;
  std::thread trouble([&server] {
    std::this_thread::sleep_for(500ms);
    server.kill();
  });
  const auto outcome = test::run_scenario(scenario(redis_at(server, "store_patience = \"1s\"\n")));
  trouble.join();
  CAPTURE(outcome.failure);
  CHECK(outcome.failure.find("the store of snapshots has not answered for 1 s: Redis: ") !=
        std::string::npos);
  for (const auto& task : outcome.tasks) CHECK(task.completions <= 1);
}

}  // namespace rhizome::store_test
