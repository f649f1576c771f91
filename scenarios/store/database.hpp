// The only wrapper of SQLite: a database file and prepared statements.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"
#include "scenarios/store/allowance.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace rhizome::scenarios {

class DatabaseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
// Another program has locked the database for longer than the patience.
class DatabaseLocked : public DatabaseError {
 public:
  using DatabaseError::DatabaseError;
};
// There is no space for the data; nothing was written.
class DatabaseFull : public DatabaseError {
 public:
  using DatabaseError::DatabaseError;
};

// A prepared statement: run() for a statement that changes data; start() and next() for a query,
// whose columns are then taken from left to right.
class Statement {
 public:
  // `allowance`: the limits of the statement, or nullptr; it must outlive the statement.
  Statement(sqlite3* database, std::string_view sql, Allowance* allowance = nullptr);

  template <class... T>
  void run(const T&... values) {
    start(values...);
    run_as_set();
  }
  template <class... T>
  void start(const T&... values) {
    reset();
    set(0, values...);
  }
  // Binds values after the first `position` ones, for values that come in parts.
  template <class... T>
  void set(int position, const T&... values) {
    (bind(++position, values), ...);
  }
  void run_as_set() {
    static_cast<void>(next());
    reset();
  }
  // Goes to the next row. Returns false when there are no more rows.
  [[nodiscard]] bool next();

  // Gives up the remaining rows, so that other statements may write. The next start() does so, too.
  void end() { reset(); }

  // Reads the next columns of the present row into these variables.
  template <class... T>
  void take(T&... values) {
    (load(values), ...);
  }

  // For rows of unknown shape.
  [[nodiscard]] std::vector<std::string> column_names() const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] bool is_null(int column) const;
  // Text, or bytes, which a damaged store may have in its place.
  [[nodiscard]] bool is_text(int column) const;
  // Nothing unless the column holds a real number.
  [[nodiscard]] std::optional<double> real(int column) const;

 private:
  template <std::integral T>
  void bind(int position, T value) {
    bind_integer(position, static_cast<std::int64_t>(value));
  }
  void bind(int position, double value);
  void bind(int position, std::string_view value);
  void bind(int position, core::Duration value) { bind_integer(position, value.count()); }
  void bind(int position, core::Time value) { bind(position, value.time_since_epoch()); }
  // core::no_peer is stored as NULL, and so is an empty optional.
  void bind(int position, core::PeerId value) {
    if (value != core::no_peer) bind_integer(position, value.value);
  }
  template <class T>
  void bind(int position, const std::optional<T>& value) {
    if (value) bind(position, *value);
  }
  void bind_integer(int position, std::int64_t value);

  // Throws DatabaseError for a value that the column should not hold, because callers use the
  // numbers as indices and in sums.
  template <std::integral T>
  void load(T& value) {
    value = static_cast<T>(integer(column_, lowest_of<T>(), highest_of<T>()));
    ++column_;
  }
  void load(double& value);       // NULL stands for NaN
  void load(std::string& value);  // without control characters, because it is shown unchanged
  void load(core::Duration& value) {
    value = core::Duration(integer(column_++, -longest_time, longest_time));
  }
  void load(core::Time& value) {
    value = core::Time(core::Duration(integer(column_++, 0, longest_time)));
  }
  void load(core::PeerId& value) {
    constexpr std::int64_t last = std::int64_t{core::no_peer.value} - 1;
    value = is_null(column_) ? core::no_peer
                             : core::PeerId{static_cast<std::uint32_t>(integer(column_, 0, last))};
    ++column_;
  }
  template <class T>
  void load(std::optional<T>& value) {
    if (is_null(column_)) {
      ++column_;
      value.reset();
    } else {
      load(value.emplace());
    }
  }
  // In nanoseconds; the sum of two such times does not overflow.
  static constexpr std::int64_t longest_time = (std::int64_t{1} << 62) - 1;
  template <std::integral T>
  static constexpr std::int64_t lowest_of() {
    return static_cast<std::int64_t>(std::numeric_limits<T>::min());
  }
  // SQLite stores integers of 63 bits and a sign.
  template <std::integral T>
  static constexpr std::int64_t highest_of() {
    if constexpr (std::is_unsigned_v<T> && sizeof(T) == sizeof(std::int64_t))
      return std::numeric_limits<std::int64_t>::max();
    else
      return static_cast<std::int64_t>(std::numeric_limits<T>::max());
  }
  [[nodiscard]] std::int64_t integer(int column, std::int64_t lowest, std::int64_t highest) const;
  void reset();
  void charge(std::uint64_t bytes) const;

  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  Allowance* allowance_;
  int column_ = 0;
};

// A statement that its database keeps for the next time. The destructor gives up the remaining
// rows.
class KeptStatement {
 public:
  explicit KeptStatement(Statement& statement) : statement_(statement) {}
  ~KeptStatement() { statement_.end(); }
  KeptStatement(const KeptStatement&) = delete;
  KeptStatement& operator=(const KeptStatement&) = delete;
  Statement* operator->() const { return &statement_; }
  Statement& operator*() const { return statement_; }

 private:
  Statement& statement_;
};

class Database {
 public:
  // A file that is not created here is not trusted: its views and triggers do not work, texts are
  // limited in length, and statements have an allowance. `follow`: to read a file that was created
  // here while another program writes to it, which the caller has looked at.
  enum class Mode : std::uint8_t { create, append, read, follow };
  // `patience`: how long to wait for another process that is writing or reading. Throws
  // DatabaseError, as all functions here do.
  Database(const std::filesystem::path& file, Mode mode,
           std::chrono::milliseconds patience = std::chrono::seconds(5));

  // A database in memory, for reading. `image` is the content of a database file, which is not
  // trusted.
  explicit Database(std::span<const std::byte> image);

  void execute(const std::string& sql) const;
  // The content of a file with this database.
  [[nodiscard]] std::vector<std::byte> image() const;
  [[nodiscard]] Statement prepare(std::string_view sql) const {
    return {database_.get(), sql, allowance_.get()};
  }
  // The statement of this text is prepared once, since a store may have very many small runs.
  [[nodiscard]] KeptStatement kept(const std::string& sql) const;
  // Null for a file that was created here.
  [[nodiscard]] const Allowance* allowance() const { return allowance_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  void distrust(std::uint64_t file);

  std::unique_ptr<Allowance> allowance_;  // on the heap, because SQLite holds a pointer to it
  std::unique_ptr<sqlite3, Close> database_;
  mutable std::map<std::string, Statement> kept_;  // by text; ends before the database
};

// A transaction, which is rolled back unless it is committed. What is read in it is as it was at
// its first query, whatever others write.
class Transaction {
 public:
  // One that writes holds the lock from its beginning, so that what it reads stays true.
  enum class Kind : std::uint8_t { reading, writing };
  explicit Transaction(const Database& database, Kind kind = Kind::reading) : database_(database) {
    database_.execute(kind == Kind::writing ? "BEGIN IMMEDIATE" : "BEGIN");
  }
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  const Database& database_;
  bool open_ = true;
};

// The version of the SQLite library.
[[nodiscard]] std::string database_version();

}  // namespace rhizome::scenarios
