// Stores that strangers changed: what is in the place of tables, and in texts.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/store/database.hpp"
#include "scenarios/store/store.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/outcomes.hpp"
#include "test/support/temporary_directory.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::scenarios::strange_store_test {

using test::TemporaryDirectory;

namespace {

template <class Error, class Call>
std::string complaint(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

// What the complaint is about a store that a stranger changed so.
std::string complaint_after(const std::string& change) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  { Store::create(path).add(test::busy_outcome()); }
  Database(path, Database::Mode::create).execute(change);
  const std::string told = complaint<UnreadableFile>([&] { (void)Store::open(path); });
  CHECK(complaint<UnreadableFile>([&] { (void)Store::append(path); }) == told);
  return told.starts_with(path.string()) ? told.substr(path.string().size()) : told;
}

}  // namespace

TEST_CASE("a store with anything but its own tables is refused before it is read or written") {
  const std::string endless =
      "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
  const std::vector<std::pair<std::string, std::string>> changes{
      {"DROP TABLE tasks; CREATE VIEW tasks AS " + endless, "view tasks"},
      {"CREATE VIEW other AS SELECT 1", "view other"},
      {"CREATE TRIGGER t AFTER INSERT ON runs BEGIN INSERT INTO cells " + endless + "; END",
       "trigger t"},
      {"CREATE INDEX i ON runs(label)", "index i"},
      {"CREATE TABLE other (x)", "table other"},
      {"DROP TABLE stalls; CREATE TABLE stalls (run INTEGER, at INTEGER AS (run * 2))",
       "table stalls"},
      {"ALTER TABLE stalls ADD COLUMN more TEXT AS (hex(zeroblob(1000000)))", "table stalls"},
      {"DROP TABLE stalls; CREATE TABLE stalls (x DEFAULT '--'\n)", "table stalls"}};
  for (const auto& [change, what] : changes) {
    CAPTURE(change);
    CHECK(complaint_after(change) ==
          " cannot be opened: it has a " + what + " that no results store of this version has");
  }
}

TEST_CASE("views of a store may say anything: they are not read") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  { Store::create(path).add(test::busy_outcome()); }
  Store::open(path).export_csv(directory.path() / "before", {"summary"});
  Database(path, Database::Mode::create)
      .execute(
          "DROP VIEW summary; CREATE VIEW summary AS WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL "
          "SELECT i + 1 FROM n) SELECT i FROM n");
  Store::open(path).export_csv(directory.path() / "after", {"summary"});
  CHECK(test::content_of((directory.path() / "before" / "summary.csv").string()) ==
        test::content_of((directory.path() / "after" / "summary.csv").string()));
}

TEST_CASE("a text longer than any that is written is refused, not read") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  { Store::create(path).add(test::busy_outcome()); }
  Database(path, Database::Mode::create).execute("UPDATE runs SET label = hex(zeroblob(5000000))");
  CHECK(complaint<UnreadableFile>([&] { (void)Store::open(path).read(0); }).find("too big") !=
        std::string::npos);
}

TEST_CASE("a name that would fill a page a hundred times over is refused") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  { Store::create(path).add(test::busy_outcome()); }
  const auto told_of = [&](const std::string& change) {
    Database(path, Database::Mode::create).execute(change);
    return complaint<UnreadableFile>([&] { (void)Store::open(path).read(0); });
  };
  CHECK(told_of("UPDATE runs SET label = hex(zeroblob(32768))") == "none");
  CHECK(told_of("UPDATE runs SET label = hex(zeroblob(32769))")
            .ends_with("it has a name of 65538 bytes, and 65536 are the most"));
  CHECK(told_of("UPDATE runs SET label = 'a'; UPDATE cells SET value = hex(zeroblob(40000))")
            .ends_with("it has a name of 80000 bytes, and 65536 are the most"));
}

TEST_CASE("a statement that gives or takes more than a file explains is ended") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  { Store::create(path).add(test::busy_outcome()); }
  const Database database(path, Database::Mode::read);
  const std::string endless = "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) ";
  Statement rows = database.prepare(endless + "SELECT i FROM n");
  rows.start();
  CHECK(complaint<DatabaseError>([&] {
          while (rows.next()) continue;
        }) == "it gives more than its file can hold");
  Statement none = database.prepare(endless + "SELECT i FROM n WHERE i < 0");
  none.start();
  CHECK(complaint<DatabaseError>([&] { (void)none.next(); }) ==
        "it takes longer to read than its size explains");
}

TEST_CASE("control characters in names of a store reach no terminal") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  Outcome outcome = test::busy_outcome();
  outcome.identity.label = "a\x1b[31mb\nc";
  outcome.failure = "first\nsecond\x07";
  { Store::create(path).add(outcome); }
  const Outcome read = Store::open(path).read(0);
  CHECK(read.identity.label == "a\\x1b[31mb\\nc");
  CHECK(read.failure == "first\nsecond\\x07");
}

TEST_CASE(
    "a journal that is not the user's own, or names a file to be removed, is not rolled back") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  { Store::create(path).add(test::busy_outcome()); }
  const std::string journal = path.string() + "-journal";
  std::ofstream(journal, std::ios::binary)
      << "precious.db" << std::string("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8);
  CHECK(complaint<UnreadableFile>([&] { (void)Store::open(path); }).find("its journal is not") !=
        std::string::npos);
  std::filesystem::remove(journal);
  std::filesystem::create_symlink("/dev/null", journal);
  CHECK_THROWS_AS((void)Store::open(path), UnreadableFile);
  std::filesystem::remove(journal);
  Database(path, Database::Mode::create).execute("PRAGMA journal_mode = WAL");
  CHECK(complaint<UnreadableFile>([&] { (void)Store::open(path); }).find("mode of SQLite") !=
        std::string::npos);
}

}  // namespace rhizome::scenarios::strange_store_test
