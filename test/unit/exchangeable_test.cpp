// Stores in folders where other users may put files, and what stands beside a store.
#include "scenarios/store/exchangeable.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/child/links.hpp"
#include "core/history/file_content.hpp"
#include "scenarios/store/database.hpp"
#include "scenarios/store/store.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/outcomes.hpp"
#include "test/support/temporary_directory.hpp"

namespace rhizome::scenarios::exchangeable_test {

namespace fs = std::filesystem;
using test::TemporaryDirectory;

namespace {

class Stored {
 public:
  Stored() { Store::create(file()).add(test::busy_outcome()); }
  [[nodiscard]] fs::path file() const { return folder_.path() / "results.sqlite"; }
  void share(fs::perms perms = fs::perms::all) const { fs::permissions(folder_.path(), perms); }
  void put(const std::string& ending, const std::string& text) const {
    std::ofstream(file().string() + ending) << text;
  }
  [[nodiscard]] std::string complaint() const {
    try {
      static_cast<void>(Store::open(file()));
    } catch (const UnreadableFile& error) {
      return error.what();
    }
    return {};
  }

 private:
  const TemporaryDirectory folder_;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a store that others may exchange is read, and not written") {
  const Stored stored;
  CHECK_FALSE(is_exchangeable(stored.file()));
  stored.share();
  CHECK(is_exchangeable(stored.file()));
  const Store read = Store::open(stored.file());
  REQUIRE(read.size() == 1);
  CHECK(read.read(0).identity == test::busy_outcome().identity);
  CHECK_THROWS_AS(static_cast<void>(Store::append(stored.file())), UnreadableFile);
}

TEST_CASE("others may put files beside a store in a folder whose files they may not exchange") {
  const Stored stored;
  stored.share(fs::perms::all | fs::perms::sticky_bit);
  CHECK(is_exchangeable(stored.file()));
}

TEST_CASE("a store that is not there may be anyone's a moment later") {
  const test::TemporaryDirectory directory;
  CHECK(is_exchangeable(directory.path() / "none.sqlite"));
  CHECK(is_exchangeable(directory.path() / "none" / "none.sqlite"));
}

TEST_CASE("another user's store is exchangeable, wherever it is") {
  if (geteuid() != 0) return;
  const Stored stored;
  REQUIRE(chown(stored.file().c_str(), 65534, 65534) == 0);
  CHECK(is_exchangeable(stored.file()));
  CHECK(Store::open(stored.file()).size() == 1);
}

TEST_CASE("where others may put a journal, none is rolled back") {
  const Stored stored;
  stored.put("-journal", "anything");
  stored.share();
  CHECK(has(stored.complaint(), "was interrupted"));
  CHECK(fs::exists(stored.file().string() + "-journal"));
}

TEST_CASE("a store is read while a program has begun to write, and not once it does") {
  const Stored stored;
  stored.put("-journal", "anything");
  stored.share();
  const core::Opened writer(stored.file(), O_RDWR);
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = 0x40000001;  // SQLite's reserved byte
  lock.l_len = 1;
  REQUIRE(fcntl(writer.number(), F_OFD_SETLK, &lock) == 0);
  CHECK(stored.complaint().empty());
  lock.l_start = 0x40000002;  // and its shared ones
  lock.l_len = 510;
  REQUIRE(fcntl(writer.number(), F_OFD_SETLK, &lock) == 0);
  CHECK_THROWS_AS(static_cast<void>(bytes_at_once(stored.file(), std::chrono::milliseconds(20))),
                  DatabaseLocked);
}

TEST_CASE("a store is refused beside a log that no store of ours has, be it a pipe") {
  const Stored stored;
  for (const std::string ending : {"-wal", "-shm"}) {
    REQUIRE(mkfifo((stored.file().string() + ending).c_str(), 0444) == 0);
    CHECK(has(stored.complaint(), ending));
    fs::remove(stored.file().string() + ending);
  }
  CHECK(stored.complaint().empty());
}

TEST_CASE("a store of holes is refused before it is read into memory") {
  const Stored stored;
  stored.share();
  fs::resize_file(stored.file(), std::uintmax_t{1} << 40U);
  CHECK(has(stored.complaint(), "larger than what it holds"));
}

TEST_CASE("a name that could be a URI is that of a file") {
  const TemporaryDirectory place;
  const fs::path before = fs::current_path();
  fs::current_path(place.path());
  const std::string name = "file:store?mode=memory";
  Database(name, Database::Mode::create).execute("CREATE TABLE t (x)");
  CHECK(fs::exists(place.path() / name));
  CHECK_NOTHROW(Database(name, Database::Mode::read));
  fs::current_path(before);
}

TEST_CASE("a file that is one hole holds nothing") {
  const TemporaryDirectory place;
  std::ofstream(place.path() / "hole").close();
  fs::resize_file(place.path() / "hole", std::uintmax_t{1} << 40U);
  CHECK(core::content_of(place.path() / "hole") == 0);
}

TEST_CASE("a store stays in the folder that it was made in, whatever takes the folder's name") {
  const TemporaryDirectory place;
  const fs::path folder = place.path() / "run";
  const fs::path other = place.path() / "other";
  fs::create_directory(folder);
  fs::create_directory(other);
  Store store = Store::create(folder / "results.sqlite");
  store.add(test::busy_outcome());
  fs::rename(folder, place.path() / "moved");
  fs::create_directory_symlink(other, folder);
  { Store::create(other / "results.sqlite").add(test::busy_outcome()); }
  Outcome second = test::busy_outcome();
  second.identity.repetition = 1;
  store.add(second);
  CHECK(Store::open(place.path() / "moved" / "results.sqlite").size() == 2);
  CHECK(Store::open(other / "results.sqlite").size() == 1);
}

}  // namespace rhizome::scenarios::exchangeable_test
