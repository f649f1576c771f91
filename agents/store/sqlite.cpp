#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

#include "agents/store/store.hpp"
#include "core/child/journal.hpp"
#include "core/child/links.hpp"
#include "core/child/own_folder.hpp"

namespace rhizome::agents::store {

namespace {

constexpr int lock_within = 1000;  // milliseconds, while another process has the file
constexpr const char* only_table =
    "CREATE TABLE records (number INTEGER PRIMARY KEY, record BLOB) STRICT";
constexpr int look_every = 10'000;                 // instructions of SQLite
constexpr std::uint32_t application = 0x5268536e;  // "RhSn"

using Clock = std::chrono::steady_clock;

// The file, where no link of another user leads to it, and it is this user's own or is not there.
std::string own_file(const std::string& name) {
  if (const std::string objection = objection_to(name); !objection.empty())
    throw Failed("SQLite: " + objection);
  return core::led_to(name);
}

}  // namespace

// A scenario of a stranger may name any file, and what is stored there has lines of the stranger's
// choice: no other program shall take the file for one of its own.
std::string objection_to(const std::string& name) try {
  const std::filesystem::path file = core::led_to(name);
  if (file.extension() != ".sqlite")
    return "the name of the file, and of the one that a link leads to, must end with \".sqlite\"";
  for (const char* const taken : {"results.sqlite", "waiting.sqlite", "jobs.sqlite"})
    if (file.filename() == taken) return std::string(taken) + " is the name of another store";
  const core::Opened there(file, O_PATH | O_NOFOLLOW);
  if (there && (!there.is(S_IFREG) || there.owner() != geteuid() || there.links() > 1))
    return "the file is not this user's own, or it has a further name (a hard link)";
  const std::string mend =
      ": name a folder of your own, or take their right to write away (chmod go-w)";
  if (const auto open = core::open_to_others(name)) return core::why_open(*open) + mend;
  if (!core::others_may_write(file.parent_path())) return {};
  return "other users may put files into " + file.parent_path().string() + mend;
} catch (const core::StrangeLink& error) {
  return error.what();
}

namespace {

class SqliteStore final : public RecordStore {
 public:
  explicit SqliteStore(const std::string& name) {
    const std::string file = own_file(name);
    if (!core::is_database_of(file, application))
      throw Failed("SQLite: the file is no store of snapshots");
    if (const auto log = core::strange_log(file))
      throw Failed("SQLite: the file has a log, as none of ours: see " + log->string());
    if (core::strange_journal(file))
      throw Failed("SQLite: its journal is not one that this user's program has left");
    // SQLite would make a file that others may read.
    const int made = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (made >= 0) close(made);
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW;
    check(sqlite3_open_v2(file.c_str(), &database_, flags, nullptr) == SQLITE_OK);
    sqlite3_busy_timeout(database_, lock_within);
    sqlite3_limit(database_, SQLITE_LIMIT_LENGTH, static_cast<int>(largest_record));
    sqlite3_progress_handler(database_, look_every, &SqliteStore::is_late, this);
    for (const int setting : {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW})
      sqlite3_db_config(database_, setting, 0, nullptr);
    sqlite3_db_config(database_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    run("PRAGMA trusted_schema = 0");
    if (schema().empty())
      run(("PRAGMA application_id = " + std::to_string(application) + ";" + only_table).c_str());
    if (schema() != only_table) throw Failed("SQLite: the file has other tables than snapshots");
  }
  ~SqliteStore() override { sqlite3_close(database_); }

  void put(std::uint64_t number, std::string_view record) override {
    Statement statement(*this, "INSERT OR REPLACE INTO records VALUES (?1, ?2)");
    statement.bind(number);
    check(sqlite3_bind_blob64(statement.it, 2, record.data(), record.size(), SQLITE_STATIC) ==
          SQLITE_OK);
    check(sqlite3_step(statement.it) == SQLITE_DONE);
  }
  std::string get(std::uint64_t number) override {
    Statement statement(*this, "SELECT record FROM records WHERE number = ?1");
    statement.bind(number);
    if (sqlite3_step(statement.it) != SQLITE_ROW)
      throw Failed("the store has no record " + std::to_string(number));
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement.it, 0));
    const int size = sqlite3_column_bytes(statement.it, 0);
    return size == 0 ? std::string() : std::string(bytes, static_cast<std::size_t>(size));
  }
  void clear() override { run("DELETE FROM records"); }

 private:
  struct Statement {
    Statement(SqliteStore& of, const char* sql) : store(of) {
      store.begun_ = Clock::now();
      store.check(sqlite3_prepare_v2(store.database_, sql, -1, &it, nullptr) == SQLITE_OK);
    }
    ~Statement() { sqlite3_finalize(it); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;
    void bind(std::uint64_t number) const {
      store.check(sqlite3_bind_int64(it, 1, static_cast<std::int64_t>(number)) == SQLITE_OK);
    }
    SqliteStore& store;
    sqlite3_stmt* it = nullptr;
  };
  static int is_late(void* store) {
    const auto passed = Clock::now() - static_cast<SqliteStore*>(store)->begun_;
    return passed > operation_within ? 1 : 0;
  }
  // What the file declares, one text after the other. An instruction of a stranger's declaration
  // may take for ever, and the handler is called between instructions only.
  [[nodiscard]] std::string schema() {
    Statement statement(*this, "SELECT sql FROM sqlite_schema");
    std::string all;
    while (sqlite3_step(statement.it) == SQLITE_ROW)
      if (const auto* text = sqlite3_column_text(statement.it, 0))
        all += reinterpret_cast<const char*>(text);
      else
        all += "?";
    return all;
  }
  void run(const char* sql) {
    begun_ = Clock::now();
    check(sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  }
  void check(bool fine) const {
    if (!fine) throw Failed(std::string("SQLite: ") + sqlite3_errmsg(database_));
  }

  sqlite3* database_ = nullptr;
  Clock::time_point begun_{};  // of the present operation
};

}  // namespace

std::unique_ptr<RecordStore> open_sqlite(const std::string& file) {
  return std::make_unique<SqliteStore>(file);
}

}  // namespace rhizome::agents::store
