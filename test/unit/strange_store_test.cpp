// Stores that strangers changed: what is in the place of tables, and in texts; and their scenario.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/store/csv.hpp"
#include "scenarios/store/database.hpp"
#include "scenarios/store/directory.hpp"
#include "scenarios/store/store.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/outcomes.hpp"
#include "test/support/strange_journal.hpp"
#include "test/support/temporary_directory.hpp"
#include "test/support/temporary_file.hpp"
#include "tools/report/material.hpp"

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

TEST_CASE("a report reads a scenario of 4 MiB, and no larger one") {
  const TemporaryDirectory place;
  const auto gathered = [&](std::size_t bytes) {
    const auto made = RunDirectory::create({.root = place.path(),
                                            .name = "r",
                                            .scenario = std::string(bytes, '\n'),
                                            .replay = "",
                                            .now = {}});
    return tools::gather(open_run(made.path()), {}).scenario.size();
  };
  constexpr std::size_t most = std::size_t{4} << 20U;
  CHECK(gathered(most) == most);
  CHECK(complaint<UnreadableFile>([&] {
          (void)gathered(most + 1);
        }).ends_with("is larger than 4 MiB, which is no text to be read"));
}

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
  CHECK(told_of("UPDATE runs SET label = hex(zeroblob(100))") == "none");
  CHECK(told_of("UPDATE runs SET label = hex(zeroblob(101))")
            .ends_with("it has a name of 202 bytes, and 200 are the most"));
  CHECK(told_of("UPDATE runs SET label = 'a'; UPDATE cells SET value = hex(zeroblob(2049))")
            .ends_with("it has a name of 4098 bytes, and 4096 are the most"));
  // A key has a label in it.
  CHECK(told_of("UPDATE cells SET value = 'a', key = hex(zeroblob(150))") == "none");
  CHECK(told_of("UPDATE cells SET value = 'a', key = hex(zeroblob(151))")
            .ends_with("it has a name of 302 bytes, and 300 are the most"));
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

TEST_CASE("a sparse file explains no more than it has on the disk") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  { Store::create(path).add(test::busy_outcome()); }
  std::filesystem::resize_file(path, std::uintmax_t{1} << 38U);
  const Database database(path, Database::Mode::read);
  Statement none = database.prepare(
      "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < "
      "0");
  none.start();
  CHECK(complaint<DatabaseError>([&] { (void)none.next(); }) ==
        "it takes longer to read than its size explains");
}

namespace {

constexpr std::size_t page_size = 4096;
constexpr std::size_t local = 489;  // the least bytes of a large record that are in its leaf

void put_number(char* at, std::size_t number) {
  at[0] = static_cast<char>(number >> 8U);
  at[1] = static_cast<char>(number & 255U);
}

// A table, and what gives its only row such a text.
struct Sharing {
  std::string table;
  std::string before;  // the text, in a statement,
  std::string after;   // and behind it
  bool numbered;       // whether rows have a number besides their columns
};

// A store of one run with such a text. Returns where the table's only page begins.
std::size_t make_store(const std::filesystem::path& path, const Sharing& what, std::size_t text) {
  std::filesystem::remove(path);
  Store::create(path).add(test::quiet_outcome(1));
  Database(path, Database::Mode::create)
      .execute(what.before + "'" + std::string(text, 'x') + "'" + what.after);
  const Database database(path, Database::Mode::read);
  Statement query = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?");
  query.start(what.table);
  REQUIRE(query.next());
  std::size_t root = 0;
  query.take(root);
  return (root - 1) * page_size;
}

std::string leaf_of(const std::filesystem::path& path, std::size_t at) {
  return test::content_of(path.string()).substr(at, page_size);
}

// Its only record, from its length to the number of its first overflow page.
std::string record_in(const std::string& leaf) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(leaf[i]); };
  return leaf.substr(byte(8) * std::size_t{256} + byte(9));
}

std::size_t length_of(const std::string& record) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4; ++i)
    length = length << 7U | (static_cast<unsigned char>(record[i]) & 127U);
  return length;
}

// So many rows that share the overflow pages of one text of about four million bytes.
void make_sharing_store(const std::filesystem::path& path, const Sharing& what, std::size_t rows) {
  std::size_t text = 4'000'000;
  std::size_t at = make_store(path, what, text);
  text -= (length_of(record_in(leaf_of(path, at))) - local) % (page_size - 4);
  at = make_store(path, what, text);
  std::string record = record_in(leaf_of(path, at));
  REQUIRE(record.size() == 4 + (what.numbered ? 1 : 0) + local + 4);
  std::string leaf(page_size, '\0');
  std::size_t end = page_size;
  for (std::size_t row = 1; row <= rows; ++row) {
    if (what.numbered) record[4] = static_cast<char>(row);
    end -= record.size();
    leaf.replace(end, record.size(), record);
    put_number(&leaf[8 + 2 * (row - 1)], end);
  }
  leaf[0] = what.numbered ? 13 : 10;  // a leaf of a table, of one that is its own index
  put_number(&leaf[3], rows);
  put_number(&leaf[5], end);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(at));
  file << leaf;
}

}  // namespace

TEST_CASE("runs that share their texts give no more together than their file can hold") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  make_sharing_store(path, {"runs", "UPDATE runs SET failure = ", "", true}, 7);
  const Store store = Store::open(path);
  REQUIRE(store.size() == 7);
  for (int again = 0; again < 10; ++again) CHECK(store.read(0).failure.size() > 3'900'000);
  CHECK(complaint<UnreadableFile>([&] {
          for (std::size_t i = 1; i < 7; ++i) (void)store.read(i);
        }).ends_with("it gives more than its file can hold"));
}

TEST_CASE("names that rows share are counted as they are read, before they are put in order") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  make_sharing_store(
      path, {"metrics", "DELETE FROM metrics; INSERT INTO metrics VALUES (1, ", ", 1.0)", false},
      7);
  CHECK(complaint<UnreadableFile>([&] {
          (void)Store::open(path).export_csv(directory.path() / "csv", {std::string(wide_table)});
        }).ends_with("it gives more than its file can hold"));
  const auto one = directory.path() / "one.sqlite";  // its tables have one root page
  { Store::create(one).add(test::busy_outcome()); }
  Database(one, Database::Mode::create)
      .execute(
          "DELETE FROM metrics; INSERT INTO metrics VALUES (1, hex(zeroblob(500000)), 1.0);"
          "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM "
          "sqlite_schema WHERE name = 'metrics') WHERE type = 'table' AND name <> 'runs'");
  CHECK(complaint<UnreadableFile>([&] {
          (void)Store::open(one).export_csv(directory.path() / "csv");
        }).ends_with("it gives more than its file can hold"));
}

TEST_CASE("a store compares no more schedulers and cells than a scenario can") {
  Store store = Store::in_memory();
  Outcome outcome = test::quiet_outcome(0);
  for (int label = 0; label < 1000; ++label) {
    outcome.identity.label = std::to_string(label);
    store.add(outcome);
  }
  CHECK(Store::of_image(store.image()).size() == 1000);
  outcome.identity.label = "one more";
  store.add(outcome);
  CHECK(complaint<UnreadableFile>([&] {
          (void)Store::of_image(store.image());
        }).ends_with("it has more than 1000 schedulers, and no scenario has"));
  const std::string numbers =
      "WITH RECURSIVE n(i) AS (VALUES(2) UNION ALL SELECT i + 1 FROM n WHERE i < ";
  const std::string cells = ") INSERT INTO cells SELECT i, 0, 'key', i FROM n";
  CHECK(complaint_after(numbers + "10001" + cells) ==
        " cannot be opened: it has more than 10000 cells of a sweep, and no scenario has");
  CHECK(complaint_after(numbers + "10000" + cells) == "none");
}

TEST_CASE("a store varies no more keys, and no other sets of them, than a scenario can") {
  const std::string numbers =
      "WITH RECURSIVE n(i) AS (VALUES(2) UNION ALL SELECT i + 1 FROM n WHERE i < ";
  CHECK(complaint_after(numbers + "1002) INSERT INTO cells SELECT 2, i, 'key' || i, 1 FROM n") ==
        " cannot be opened: it has more than 1000 swept keys, and no scenario has");
  const std::string both =
      ") INSERT INTO cells SELECT i, 0, 'a', i FROM n UNION ALL SELECT i, 1, 'b', i FROM n";
  CHECK(
      complaint_after(numbers + "102" + both) ==
      " cannot be opened: it has more than 10000 cells that its values span, and no scenario has");
  CHECK(complaint_after(numbers + "90" + both) == "none");
  const std::string subsets =
      "), bit(b) AS (VALUES(0) UNION ALL SELECT b + 1 FROM bit WHERE b < 9) INSERT INTO cells "
      "SELECT i, b, 'key' || b, 1 FROM n JOIN bit WHERE i >> b & 1";
  CHECK(complaint_after(numbers + "1010" + subsets) ==
        " cannot be opened: it has more than 1000 kinds of cells, and no scenario has");
  CHECK(complaint_after(numbers + "900" + subsets) == "none");
}

// Readers search the list of these names.
TEST_CASE("a store names no invariant that there is not") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  { Store::create(path).add(test::busy_outcome()); }
  Database(path, Database::Mode::create)
      .execute("INSERT INTO judged VALUES (1, 1000, 'none of ours', 1, 1)");
  CHECK(complaint<UnreadableFile>([&] {
          (void)Store::open(path).read(0);
        }).ends_with("there is no invariant \"none of ours\""));
}

// A trace repeats them with each message.
TEST_CASE("a store names types of messages shortly, and each once") {
  const TemporaryDirectory directory;
  const auto complaint_of = [&](const std::string& change) {
    const auto path = directory.path() / "results.sqlite";
    std::filesystem::remove(path);
    { Store::create(path).add(test::busy_outcome()); }
    Database(path, Database::Mode::create).execute(change);
    return complaint<UnreadableFile>([&] { (void)Store::open(path).read(0); });
  };
  const std::string name = "printf('%.*c', 201, 'x')";
  for (const std::string& change :
       {"UPDATE kinds SET name = " + name, "UPDATE kinds SET service = " + name,
        "INSERT INTO histograms VALUES (1, 1000, " + name + ")"})
    CHECK(complaint_of(change).ends_with("it has a name of 201 bytes, and 200 are the most"));
  CHECK(complaint_of("INSERT INTO kinds SELECT run, 1000, service_index, type, service, name, "
                     "class FROM kinds WHERE position = 0")
            .find("are described twice") != std::string::npos);
}

TEST_CASE("names in a store reach no reader with what a terminal obeys") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  Outcome outcome = test::busy_outcome();
  outcome.identity.label = "a\x1b[31mb\nc";
  outcome.failure = "first\nsecond\x07";
  outcome.validity.reason = "late\nwinner: me";
  { Store::create(path).add(outcome); }
  const Outcome read = Store::open(path).read(0);
  CHECK(read.identity.label == "a\\x1b[31mb\\nc");
  CHECK(read.failure == "first\nsecond\\x07");
  CHECK(read.validity.reason == "late\\nwinner: me");
}

TEST_CASE("a link in the place of a run's results leads to no other store") {
  const TemporaryDirectory directory;
  const auto mine = directory.path() / "mine.sqlite";
  const auto received = directory.path() / "received";
  { Store::create(mine).add(test::busy_outcome()); }
  std::filesystem::create_directory(received);
  std::filesystem::create_symlink(mine, received / "results.sqlite");
  CHECK(complaint<UnreadableFile>([&] {
          (void)open_run(received);
        }).find("is a link, which no run") != std::string::npos);
  CHECK(open_run(received / "results.sqlite").store.size() == 1);
}

TEST_CASE(
    "a journal that is not the user's own, or names a file to be removed, is not rolled back") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  { Store::create(path).add(test::busy_outcome()); }
  const auto journal = test::leave_strange_journal(path);
  CHECK(complaint<UnreadableFile>([&] { (void)Store::open(path); }).find("its journal is not") !=
        std::string::npos);
  CHECK_THROWS_AS((void)Database(path, Database::Mode::create), DatabaseError);
  std::filesystem::remove(journal);
  for (const bool told : {true, false}) {
    test::leave_journal_of_large_database(path, told);
    CHECK_THROWS_AS((void)Store::open(path), UnreadableFile);
    CHECK(std::filesystem::file_size(path) < 1'000'000);
  }
  std::filesystem::remove(journal);
  std::ofstream(directory.path() / "keys").close();
  std::filesystem::create_hard_link(directory.path() / "keys", journal);  // SQLite would write it
  CHECK_THROWS_AS((void)Store::append(path), UnreadableFile);
  std::filesystem::remove(journal);
  std::ofstream(journal).close();
  CHECK((void(Store::open(path)), true));
  std::filesystem::remove(journal);
  std::filesystem::create_symlink("/dev/null", journal);
  CHECK_THROWS_AS((void)Store::open(path), UnreadableFile);
  std::filesystem::remove(journal);
  Database(path, Database::Mode::create).execute("PRAGMA journal_mode = WAL");
  CHECK(complaint<UnreadableFile>([&] { (void)Store::open(path); }).find("mode of SQLite") !=
        std::string::npos);
}

}  // namespace rhizome::scenarios::strange_store_test
