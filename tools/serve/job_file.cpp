#include "tools/serve/job_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "core/child/journal.hpp"
#include "core/child/links.hpp"
#include "core/child/own_folder.hpp"
#include "scenarios/store/exchangeable.hpp"
#include "scenarios/text/files.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/whole_file.hpp"

namespace rhizome::tools {

using scenarios::Database;
using scenarios::Statement;

namespace {

// "RhJb", the application id: distinguishes the store from files of other programs.
constexpr const char* store_pragmas =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;";
constexpr int application = 0x52684a62;
constexpr const char* store_schema = R"(
CREATE TABLE IF NOT EXISTS job (
  id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT UNIQUE, work TEXT NOT NULL,
  tasks INTEGER NOT NULL, seconds REAL NOT NULL, state INTEGER NOT NULL DEFAULT 0,
  done INTEGER NOT NULL DEFAULT 0, wrong INTEGER NOT NULL DEFAULT 0,
  submitted INTEGER NOT NULL, finished INTEGER NOT NULL DEFAULT 0,
  needs TEXT NOT NULL DEFAULT '');
CREATE INDEX IF NOT EXISTS job_state ON job (state, id);
CREATE TABLE IF NOT EXISTS task (
  job INTEGER NOT NULL REFERENCES job (id), task INTEGER NOT NULL, peer INTEGER NOT NULL,
  result TEXT NOT NULL, right INTEGER NOT NULL, finished INTEGER NOT NULL,
  PRIMARY KEY (job, task)) WITHOUT ROWID;
)";

std::int64_t number_of(const Database& database, const char* sql) {
  Statement query = database.prepare(sql);
  std::int64_t number = 0;
  query.start();
  if (query.next()) query.take(number);
  return number;
}

// SQLite would look at files beside it before its first bytes.
void check_title(const std::filesystem::path& file) {
  if (!core::is_database_of(file, application))
    throw scenarios::CannotWrite(file.string() + ": is no store of jobs, and is left as it is");
}

bool holds_something(const std::string& name) {
  struct stat status {};
  return lstat(name.c_str(), &status) == 0 && status.st_size > 0;
}

// SQLite reads jobs and results from these files beside the store. If the store is named by a link,
// they stand beside the file that the link leads to. In a directory that others may write to,
// another user could have put them there. A store that has been made has logs and no journals.
void check_companions(const std::filesystem::path& named) {
  const std::filesystem::path file = std::filesystem::weakly_canonical(named);
  if (holds_something(file) && holds_something(file.string() + "-journal"))
    throw scenarios::CannotWrite(file.string() +
                                 "-journal: is no file of a server's: move it away");
  for (const char* const ending : {"-wal", "-shm", "-journal"}) {
    const std::string name = file.string() + ending;
    struct stat status {};
    if (lstat(name.c_str(), &status) != 0) continue;
    if (!S_ISREG(status.st_mode) || status.st_uid != geteuid() || status.st_nlink > 1)
      throw scenarios::CannotWrite(name + ": is no file of this user's own: remove it");
  }
}

bool is_store(const Database& database) {
  return number_of(database, "PRAGMA application_id") == application;
}

// All that the file declares, in the order of types and names.
std::string declarations_of(const Database& database) {
  Statement query = database.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2");
  query.start();
  std::string all;
  while (query.next())
    for (const int column : {0, 1, 2}) all += query.text(column) + "\n";
  return all;
}

// The tables of a store of jobs and nothing else: a view, a trigger or a computed column of a
// stranger's would compute as it is read or written.
void check_schema(const Database& database) {
  Database ours(":memory:", Database::Mode::create);
  ours.execute(store_schema);
  if (declarations_of(database) != declarations_of(ours))
    throw scenarios::DatabaseError("it declares other tables than a store of jobs of this version");
}

}  // namespace

// SQLite asks for the files beside the store by their names, whenever it likes.
void check_place(const std::filesystem::path& store) {
  const auto refuse = [](const std::string& why) {
    throw core::NoFolder(
        why +
        ": the address of the server, its token and its journals stand beside its store, so name "
        "one in a folder of your own (--store FILE), or take the right of others to "
        "write there away (chmod go-w)");
  };
  if (const auto folder = core::open_to_others(store)) refuse(core::why_open(*folder));
  for (const std::filesystem::path& named : {std::filesystem::absolute(store), core::led_to(store)})
    if (const auto folder = named.parent_path(); core::others_may_write(folder))
      refuse("other users may put files into " + folder.string());
}

void keep_to_the_user(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_regular_file(path, error) && !fs::is_directory(path, error)) return;
  fs::permissions(path, fs::perms::group_all | fs::perms::others_all, fs::perm_options::remove,
                  error);
}

int open_own(const std::filesystem::path& file) {
  struct stat place {};
  struct stat status {};
  const auto refuse = [&](const std::string& why) -> int {
    throw scenarios::CannotWrite(file.string() + ": " + why);
  };
  if (lstat(file.c_str(), &place) == 0 && place.st_uid != geteuid())
    return refuse("is no file of this user's own");
  const int opened = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (opened < 0) return refuse("cannot be written: " + std::generic_category().message(errno));
  if (fstat(opened, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
      status.st_nlink == 1) {
    if (status.st_size == 0) fchmod(opened, 0600);  // an empty file belongs to no other program
    return opened;
  }
  close(opened);
  return refuse("is no file of this user's own");
}

// The companions are checked before SQLite reads them, and again when it has made its own.
Database open_jobs_to_write(const std::filesystem::path& file, std::uint64_t most_bytes) {
  const std::string name = file.string();
  close(open_own(file));
  check_title(file);
  check_companions(file);
  keep_to_the_user(file);
  try {
    Database database(file, Database::Mode::create);
    if (number_of(database, "SELECT count(*) FROM sqlite_schema") > 0 && !is_store(database))
      throw scenarios::CannotWrite(name + ": is no store of jobs, and is left as it is");
    database.execute("PRAGMA application_id = " + std::to_string(application));
    database.execute(store_pragmas);
    database.execute(store_schema);
    check_schema(database);
    constexpr std::uint64_t page = 4096;
    if (most_bytes > 0)
      database.execute("PRAGMA max_page_count = " + std::to_string(most_bytes / page));
    check_companions(file);
    return database;
  } catch (const scenarios::DatabaseError& error) {
    throw scenarios::CannotWrite(name + ": " + error.what());
  }
}

// SQLite would make a file that is not there.
Database open_jobs_to_read(const std::filesystem::path& file) {
  const std::string name = file.string();
  if (!scenarios::is_own_file(file))
    throw scenarios::UnreadableFile(name + ": there is no store of jobs of this user's own");
  if (scenarios::is_exchangeable(file))
    throw scenarios::UnreadableFile(name + ": other users may exchange it, or files beside it");
  try {
    check_title(file);
    check_companions(file);
    Database database(file, Database::Mode::follow);
    if (!is_store(database)) throw scenarios::UnreadableFile(name + ": is no store of jobs");
    check_schema(database);
    return database;
  } catch (const scenarios::DatabaseError& error) {
    throw scenarios::UnreadableFile(name + ": " + error.what());
  } catch (const scenarios::CannotWrite& error) {
    throw scenarios::UnreadableFile(error.what());
  }
}

}  // namespace rhizome::tools
