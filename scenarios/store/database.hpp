// The one door to SQLite: a file, prepared statements and nothing else.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
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
// Another program has held it for longer than it is waited for.
class DatabaseLocked : public DatabaseError {
 public:
  using DatabaseError::DatabaseError;
};
// There is no room for what was to be written: nothing of it was.
class DatabaseFull : public DatabaseError {
 public:
  using DatabaseError::DatabaseError;
};

// A prepared statement: run() for one that changes something; start() and next() for a query, whose
// columns are then taken from left to right.
class Statement {
 public:
  // `allowance`: what it is held to, if anything; it outlives the statement.
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
  // For values that come in parts: these stand after so many others.
  template <class... T>
  void set(int position, const T&... values) {
    (bind(++position, values), ...);
  }
  void run_as_set() {
    static_cast<void>(next());
    reset();
  }
  // False when there are no more rows.
  [[nodiscard]] bool next();

  // Gives up the rows that were not had, so that others may write; the next start() does so, too.
  void end() { reset(); }

  // The next columns of the present row into these variables.
  template <class... T>
  void take(T&... values) {
    (load(values), ...);
  }

  // For rows of unknown shape.
  [[nodiscard]] std::vector<std::string> column_names() const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] bool is_text(int column) const;
  [[nodiscard]] std::optional<double> real(int column) const;  // nothing unless it holds one

 private:
  template <std::integral T>
  void bind(int position, T value) {
    bind_integer(position, static_cast<std::int64_t>(value));
  }
  void bind(int position, double value);
  void bind(int position, std::string_view value);
  void bind(int position, core::Duration value) { bind_integer(position, value.count()); }
  void bind(int position, core::Time value) { bind(position, value.time_since_epoch()); }
  // Nobody is NULL, so is no value.
  void bind(int position, core::PeerId value) {
    if (value != core::nobody) bind_integer(position, value.value);
  }
  template <class T>
  void bind(int position, const std::optional<T>& value) {
    if (value) bind(position, *value);
  }
  void bind_integer(int position, std::int64_t value);

  // A value that the column should not hold is a DatabaseError: whoever takes numbers may index and
  // reckon with them.
  template <std::integral T>
  void load(T& value) {
    value = static_cast<T>(integer(column_, lowest_of<T>(), highest_of<T>()));
    ++column_;
  }
  void load(double& value);       // NULL is what became of a NaN
  void load(std::string& value);  // without controls: it is shown as it is
  void load(core::Duration& value) {
    value = core::Duration(integer(column_++, -longest_time, longest_time));
  }
  void load(core::Time& value) {
    value = core::Time(core::Duration(integer(column_++, 0, longest_time)));
  }
  void load(core::PeerId& value) {
    constexpr std::int64_t last = std::int64_t{core::nobody.value} - 1;
    value = is_null(column_) ? core::nobody
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
  // In nanoseconds: two may be added.
  static constexpr std::int64_t longest_time = (std::int64_t{1} << 62) - 1;
  template <std::integral T>
  static constexpr std::int64_t lowest_of() {
    return static_cast<std::int64_t>(std::numeric_limits<T>::min());
  }
  // SQLite knows no more than 63 bits.
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

class Database {
 public:
  // What is not made here may be anybody's: then no view and no trigger works, texts are short, and
  // statements are held to an allowance.
  enum class Mode : std::uint8_t { create, append, read };
  // `patience`: for another process that is just writing or reading. Throws DatabaseError, as
  // everything here does.
  Database(const std::filesystem::path& file, Mode mode,
           std::chrono::milliseconds patience = std::chrono::seconds(5));

  // One in memory: `image` is one as a file would hold it, for reading, and not to be trusted.
  explicit Database(std::span<const std::byte> image);

  void execute(const std::string& sql);
  // As a file would hold it.
  [[nodiscard]] std::vector<std::byte> image() const;
  [[nodiscard]] Statement prepare(std::string_view sql) const {
    return {database_.get(), sql, allowance_.get()};
  }

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  void distrust(std::uint64_t file);

  std::unique_ptr<Allowance> allowance_;  // SQLite asks it, so that it stays where it is
  std::unique_ptr<sqlite3, Close> database_;
};

// Takes back what was written unless committed.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database) { database_.execute("BEGIN"); }
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

// The version of the SQLite library.
[[nodiscard]] std::string database_version();

}  // namespace rhizome::scenarios
