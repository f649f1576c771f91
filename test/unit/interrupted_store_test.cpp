// Stores with an interrupted write, and stores that are hard links: who reads them writes nothing.
#include "scenarios/store/interrupted.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "scenarios/store/database.hpp"
#include "scenarios/store/directory.hpp"
#include "scenarios/store/store.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/outcomes.hpp"
#include "test/support/temporary_directory.hpp"
#include "test/support/temporary_file.hpp"
#include "tools/serve/job_file.hpp"

namespace rhizome::scenarios::interrupted_store_test {

namespace fs = std::filesystem;
using test::content_of;

namespace {

// A folder with a store as a program leaves it that is killed while it writes.
class Interrupted {
 public:
  Interrupted() {
    const fs::path whole = at("whole.sqlite");
    { Store::create(whole).add(test::busy_outcome()); }
    const Database writer(whole, Database::Mode::append);
    writer.execute(
        "PRAGMA cache_size = 1; BEGIN IMMEDIATE; "
        "UPDATE runs SET label = 'changed', failure = hex(randomblob(100000))");
    for (const std::string ending : {"", "-journal"})
      fs::copy_file(whole.string() + ending, store().string() + ending);
  }
  [[nodiscard]] fs::path at(const std::string& name) const { return folder_.path() / name; }
  [[nodiscard]] fs::path store() const { return at("results.sqlite"); }
  [[nodiscard]] std::string bytes(const std::string& ending = "") const {
    return content_of(store().string() + ending);
  }
  // Lets the store be a further name of a file of the user's.
  void link_to(const std::string& name, const std::string& text) const {
    std::ofstream(at(name)) << text;
    fs::remove(store());
    fs::create_hard_link(at(name), store());
  }

 private:
  const test::TemporaryDirectory folder_;
};

}  // namespace

TEST_CASE("an interrupted write is rolled back for a reader, who changes no file") {
  const Interrupted left;
  const std::string store = left.bytes();
  const std::string journal = left.bytes("-journal");
  REQUIRE(store != content_of(left.at("whole.sqlite").string()));
  CHECK(is_interrupted(left.store()));
  CHECK(Store::open(left.store()).read(0).identity == test::busy_outcome().identity);
  CHECK(left.bytes() == store);
  CHECK(left.bytes("-journal") == journal);
}

TEST_CASE("an interrupted store that may only be read is read") {
  const Interrupted left;
  for (const std::string ending : {"", "-journal"})
    fs::permissions(left.store().string() + ending, fs::perms::owner_read);
  CHECK(Store::open(left.store()).size() == 1);
}

TEST_CASE("no declaration is parsed while a write is rolled back: signals wait meanwhile") {
  const test::TemporaryDirectory place;
  const fs::path store = place.path() / "results.sqlite";
  { Store::create(store).add(test::busy_outcome()); }
  std::string bytes = content_of(store.string());
  const std::string table = "CREATE TABLE ";
  bytes.replace(bytes.find(table), table.size(), "CREATE TABEL ");
  std::ofstream(store) << bytes;
  std::ofstream(store.string() + "-journal") << std::string(512, '\0');
  CHECK(bytes_before_write(store, {}).size() == bytes.size());
  CHECK_THROWS_AS(static_cast<void>(Store::open(store)), UnreadableFile);
}

TEST_CASE("who adds to a store rolls an interrupted write back") {
  const Interrupted left;
  Store::append(left.store()).add(test::busy_outcome());
  CHECK_FALSE(is_interrupted(left.store()));
  CHECK(Store::open(left.store()).read(1).identity == test::busy_outcome().identity);
}

TEST_CASE("no journal is rolled back into a file of the user's that the store is a link to") {
  const Interrupted left;
  left.link_to("mine", "words of mine\n");
  CHECK_THROWS_AS(static_cast<void>(Store::open(left.store())), UnreadableFile);
  CHECK_THROWS_AS(static_cast<void>(Store::append(left.store())), UnreadableFile);
  fs::remove(left.store());
  fs::create_symlink("mine", left.store());
  fs::rename(left.store().string() + "-journal", left.at("mine-journal"));
  CHECK_THROWS_AS(static_cast<void>(Store::open(left.store())), UnreadableFile);
  CHECK(content_of(left.at("mine").string()) == "words of mine\n");
}

TEST_CASE("a store with a further name is read, and nothing is added to it") {
  const test::TemporaryDirectory place;
  const fs::path mine = place.path() / "mine.sqlite";
  const fs::path received = place.path() / "received";
  const fs::path waiting = received / "waiting.sqlite";
  fs::create_directory(received);
  for (const fs::path& store : {mine, waiting}) Store::create(store).add(test::busy_outcome());
  fs::create_hard_link(mine, received / "results.sqlite");
  const std::string before = content_of(mine.string());
  CHECK(Store::open(mine).size() == 1);
  CHECK_THROWS_AS(static_cast<void>(Store::append(mine)), UnreadableFile);
  CHECK_THROWS_AS(static_cast<void>(open_run(received)), UnreadableFile);
  CHECK(content_of(mine.string()) == before);
  CHECK(fs::exists(waiting));
}

TEST_CASE("a store of jobs, and files beside it, have no further names") {
  const test::TemporaryDirectory place;
  const fs::path jobs = place.path() / "jobs.sqlite";
  const auto is_refused = [&jobs] {
    CHECK_THROWS_AS(static_cast<void>(tools::open_jobs_to_write(jobs, 0)), CannotWrite);
    CHECK_THROWS_AS(static_cast<void>(tools::open_jobs_to_read(jobs)), UnreadableFile);
  };
  static_cast<void>(tools::open_jobs_to_write(jobs, 0));
  static_cast<void>(tools::open_jobs_to_read(jobs));
  std::ofstream(place.path() / "mine") << "words";
  const fs::path shared = jobs.string() + "-shm";
  fs::remove(shared);
  fs::create_hard_link(place.path() / "mine", shared);
  is_refused();
  fs::remove(shared);
  fs::create_hard_link(jobs, place.path() / "further.sqlite");
  is_refused();
}

TEST_CASE("no journal is rolled back into a store of jobs, nor into a file that is none") {
  const Interrupted left;
  const fs::path file = left.at("jobs.sqlite");
  const fs::path journal = file.string() + "-journal";
  const auto is_refused = [&file] {
    const std::string before = content_of(file.string());
    CHECK_THROWS_AS(static_cast<void>(tools::open_jobs_to_write(file, 0)), CannotWrite);
    CHECK_THROWS_AS(static_cast<void>(tools::open_jobs_to_read(file)), UnreadableFile);
    CHECK(content_of(file.string()) == before);
  };
  std::ofstream(file) << "words of mine\n";
  is_refused();
  fs::rename(left.store().string() + "-journal", journal);
  is_refused();
  fs::rename(journal, left.at("kept"));
  fs::remove(file);
  static_cast<void>(tools::open_jobs_to_write(file, 0));
  fs::rename(left.at("kept"), journal);
  is_refused();
}

}  // namespace rhizome::scenarios::interrupted_store_test
