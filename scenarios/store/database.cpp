#include "scenarios/store/database.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cstdio>
#include <new>

#include "core/history/file_content.hpp"
#include "scenarios/store/checks.hpp"
#include "scenarios/store/exchangeable.hpp"
#include "scenarios/store/reading_limits.hpp"
#include "scenarios/text/plain_text.hpp"

namespace rhizome::scenarios {

namespace {

// Bytes of a text and of a whole row. Rows of this program are far smaller.
constexpr int longest_row = 4 << 20U;

void check(sqlite3* database, int result) {
  if (result == SQLITE_OK || result == SQLITE_ROW || result == SQLITE_DONE) return;
  if (result == SQLITE_NOMEM) throw std::bad_alloc();
  const char* text = database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(result);
  if (result == SQLITE_INTERRUPT)
    throw DatabaseError("it takes longer to read than its size explains");
  if (result == SQLITE_FULL) throw DatabaseFull(text);
  if (result == SQLITE_BUSY) throw DatabaseLocked(text);
  throw DatabaseError(text);
}

// SQLite as usual, but that it takes the name of a file as it is: of a file in a folder that is
// held open (/dev/fd/N) it would look up the folder's name, and go by that.
const char* held_files() {
  static sqlite3_vfs files = [] {
    sqlite3_vfs made = *sqlite3_vfs_find(nullptr);
    made.zName = "held";
    made.xFullPathname = [](sqlite3_vfs*, const char* name, int size, char* full) {
      const int length = std::snprintf(full, static_cast<std::size_t>(size), "%s", name);
      return length < size ? SQLITE_OK : SQLITE_CANTOPEN;
    };
    return made;
  }();
  static const int known = sqlite3_vfs_register(&files, 0);
  return known == SQLITE_OK ? files.zName : nullptr;
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement::Statement(sqlite3* database, std::string_view sql, Allowance* allowance)
    : database_(database), allowance_(allowance) {
  if (allowance_ != nullptr) allowance_->renew();
  sqlite3_stmt* made = nullptr;
  check(database_,
        sqlite3_prepare_v2(database_, sql.data(), static_cast<int>(sql.size()), &made, nullptr));
  statement_.reset(made);
}

bool Statement::next() {
  column_ = 0;
  const int result = sqlite3_step(statement_.get());
  check(database_, result);
  constexpr std::uint64_t least_of_row = 4;
  if (result == SQLITE_ROW) charge(least_of_row);
  return result == SQLITE_ROW;
}

// An error of the last step was thrown at that step. SQLite returns the same result again here,
// which is ignored.
void Statement::reset() {
  if (allowance_ != nullptr) allowance_->renew();
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

void Statement::bind_integer(int position, std::int64_t value) {
  check(database_, sqlite3_bind_int64(statement_.get(), position, value));
}

void Statement::bind(int position, double value) {
  check(database_, sqlite3_bind_double(statement_.get(), position, value));
}

// The text is copied: it need not outlive the step. A null pointer is replaced by "", because
// SQLite would store NULL.
void Statement::bind(int position, std::string_view value) {
  const char* data = value.data() == nullptr ? "" : value.data();
  check(database_, sqlite3_bind_text64(statement_.get(), position, data, value.size(),
                                       SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::charge(std::uint64_t bytes) const {
  if (allowance_ != nullptr && !allowance_->give(bytes))
    throw DatabaseError("it gives more than its file can hold");
}

void Statement::load(std::string& value) { value = plain_lines(text(column_++)); }

void Statement::load(double& value) {
  value = is_null(column_) ? std::numeric_limits<double>::quiet_NaN()
                           : sqlite3_column_double(statement_.get(), column_);
  ++column_;
}

std::int64_t Statement::integer(int column, std::int64_t lowest, std::int64_t highest) const {
  const std::int64_t value = sqlite3_column_int64(statement_.get(), column);
  if (sqlite3_column_type(statement_.get(), column) == SQLITE_INTEGER && value >= lowest &&
      value <= highest)
    return value;
  throw DatabaseError(std::string("a column ") + sqlite3_column_name(statement_.get(), column) +
                      " holds what it cannot mean: \"" + text(column) + "\"");
}

std::string Statement::text(int column) const {
  const unsigned char* bytes = sqlite3_column_text(statement_.get(), column);
  if (bytes == nullptr) return {};
  const int size = sqlite3_column_bytes(statement_.get(), column);
  charge(static_cast<std::uint64_t>(size));
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

bool Statement::is_text(int column) const {
  const int type = sqlite3_column_type(statement_.get(), column);
  return type == SQLITE_TEXT || type == SQLITE_BLOB;
}

std::optional<double> Statement::real(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_FLOAT) return {};
  return sqlite3_column_double(statement_.get(), column);
}

std::vector<std::string> Statement::column_names() const {
  const int columns = sqlite3_column_count(statement_.get());
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(columns));
  for (int i = 0; i < columns; ++i) names.emplace_back(sqlite3_column_name(statement_.get(), i));
  return names;
}

void Database::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

// A file to be read is not written: no journal is rolled back into it. No two threads use a
// database at once, so SQLite need not lock it for each value.
Database::Database(const std::filesystem::path& named, Mode mode,
                   std::chrono::milliseconds patience) {
  // SQLite would take a name that begins with "file:" for a URI.
  const std::filesystem::path file = named == ":memory:" ? named : std::filesystem::absolute(named);
  const bool is_made = mode == Mode::create || mode == Mode::follow;
  if (!is_made && is_exchangeable(file))
    throw DatabaseError(
        "other users may exchange it, or files beside it: copy its directory to a folder of your "
        "own");
  if (is_made && file != ":memory:") check_journal(file);
  if (!is_made) static_cast<void>(has_journal(file));
  if (mode == Mode::append) check_sole(file);
  const bool reads = mode == Mode::read || mode == Mode::follow;
  const int flags = SQLITE_OPEN_NOMUTEX | (reads ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) |
                    (mode == Mode::create ? SQLITE_OPEN_CREATE : 0);
  const bool is_held = is_made && file.native().starts_with("/dev/fd/");
  sqlite3* opened = nullptr;
  const int result =
      sqlite3_open_v2(file.c_str(), &opened, flags, is_held ? held_files() : nullptr);
  database_.reset(opened);
  check(opened, result);
  check(opened, sqlite3_busy_timeout(opened, static_cast<int>(patience.count())));
  if (mode == Mode::create) return;
  // Of a file that another program writes to, the newest rows are in its log.
  const std::uint64_t log = mode == Mode::follow ? core::content_of(file.string() + "-wal") : 0;
  extend_reading_limits(core::content_of(file) + log);
  distrust(core::content_of(file) + log);
}

// "Defense Against The Dark Arts" of the documentation of SQLite.
void Database::distrust(std::uint64_t file) {
  sqlite3* database = database_.get();
  for (const int what : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                         SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION})
    check(database, sqlite3_db_config(database, what, 0, nullptr));
  check(database, sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr));
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, longest_row);
  sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
  allowance_ = std::make_unique<Allowance>(file);
  sqlite3_progress_handler(
      database, Allowance::turn,
      [](void* allowance) { return static_cast<Allowance*>(allowance)->take_turn() ? 0 : 1; },
      allowance_.get());
  execute(
      "PRAGMA trusted_schema = 0; PRAGMA cell_size_check = 1; PRAGMA mmap_size = 0; PRAGMA "
      "temp_store = MEMORY");
}

// SQLite takes over the buffer without copying it, and frees it also on failure.
Database::Database(std::span<const std::byte> image)
    : Database(":memory:", Mode::create, std::chrono::milliseconds(0)) {
  const auto size = static_cast<sqlite3_int64>(image.size());
  auto* copy =
      static_cast<unsigned char*>(sqlite3_malloc64(std::max<sqlite3_uint64>(1, image.size())));
  if (copy == nullptr) throw std::bad_alloc();
  std::copy_n(reinterpret_cast<const unsigned char*>(image.data()), image.size(), copy);
  check(database_.get(),
        sqlite3_deserialize(database_.get(), "main", copy, size, size,
                            SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY));
  distrust(image.size());
}

std::vector<std::byte> Database::image() const {
  sqlite3_int64 size = 0;
  struct Free {
    void operator()(unsigned char* bytes) const { sqlite3_free(bytes); }
  };
  const std::unique_ptr<unsigned char, Free> bytes(
      sqlite3_serialize(database_.get(), "main", &size, 0));
  if (bytes == nullptr) throw std::bad_alloc();
  const auto* begin = reinterpret_cast<const std::byte*>(bytes.get());
  return {begin, begin + size};
}

void Database::execute(const std::string& sql) const {
  check(database_.get(), sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr));
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const DatabaseError&) {
    // SQLite has rolled back by itself.
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

KeptStatement Database::kept(const std::string& sql) const {
  auto found = kept_.find(sql);
  if (found == kept_.end()) found = kept_.emplace(sql, prepare(sql)).first;
  return KeptStatement(found->second);
}

std::string database_version() { return sqlite3_libversion(); }

}  // namespace rhizome::scenarios
