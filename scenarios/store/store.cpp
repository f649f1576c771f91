#include "scenarios/store/store.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <set>
#include <system_error>

#include "core/child/links.hpp"
#include "scenarios/store/checks.hpp"
#include "scenarios/store/csv.hpp"
#include "scenarios/store/database.hpp"
#include "scenarios/store/exchangeable.hpp"
#include "scenarios/store/fact_tables.hpp"
#include "scenarios/store/interrupted.hpp"
#include "scenarios/store/reader.hpp"
#include "scenarios/store/schema.hpp"
#include "scenarios/store/writer.hpp"
#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

namespace fs = std::filesystem;

namespace {

int pragma(const Database& database, const std::string& name) {
  Statement query = database.prepare("PRAGMA " + name);
  query.start();
  int value = 0;
  if (query.next()) query.take(value);
  return value;
}

// Freed bytes are overwritten, so that equal contents make equal files. All tables are made in one
// transaction: a process that is killed in it leaves a blank file.
void make_tables(Database& database) {
  database.execute("PRAGMA secure_delete = 1; PRAGMA synchronous = NORMAL");
  Transaction transaction(database);
  database.execute("PRAGMA application_id = " + std::to_string(store_application) +
                   "; PRAGMA user_version = " + std::to_string(store_version));
  database.execute(schema_sql());
  database.execute(fact_tables_sql());
  transaction.commit();
}

void check_version(const Database& database, const std::string& file) {
  if (pragma(database, "application_id") != store_application)
    throw UnreadableFile(file + " is a database, but no results store");
  const int version = pragma(database, "user_version");
  if (version != store_version)
    throw UnreadableFile(file + " has tables of version " + std::to_string(version) +
                         "; this program reads version " + std::to_string(store_version));
}

}  // namespace

class Store::File {
 public:
  // A new one. Whatever takes the name of its folder by now, it stays in that, and so do its
  // journals.
  File(fs::path file, std::unique_ptr<core::Opened> folder, std::chrono::milliseconds patience)
      : path_(std::move(file)),
        folder_(std::move(folder)),
        database_(folder_ ? fs::path(folder_->path()) / path_.filename() : path_,
                  Database::Mode::create, patience),
        mode_(Database::Mode::create) {
    make_tables(database_);
  }

  File(fs::path file, Database::Mode mode, std::chrono::milliseconds patience)
      : path_(std::move(file)), database_(path_, mode, patience), mode_(mode) {
    check();
  }

  File(fs::path name, std::span<const std::byte> image)
      : path_(std::move(name)), database_(image), mode_(Database::Mode::read) {
    check();
  }

  // Adds so many outcomes, the i-th of which is at(i).
  template <class At>
  void add(std::size_t outcomes, At at) {
    if (mode_ == Database::Mode::read)
      throw CannotWrite(path_.string() + " was opened for reading");
    Transaction transaction(database_);
    for (std::size_t i = 0; i < outcomes; ++i) write_outcome(database_, count_ + i + 1, at(i));
    transaction.commit();
    count_ += outcomes;
  }

  // Adds the outcomes of a store whose file is removed afterwards. Who was ended between the two
  // has added them already.
  void take_in(const Store& other) {
    Transaction transaction(database_, Transaction::Kind::writing);
    count_ = count_outcomes(database_);  // by now: another process may have done the same
    if (!ends_with(other)) {
      for (std::size_t i = 0; i < other.size(); ++i)
        write_outcome(database_, count_ + i + 1, other.read(i));
      count_ += other.size();
    }
    transaction.commit();
  }

  // Each row is of one outcome, so that all outcomes together give no more bytes than the file
  // explains. Rows of a damaged file may share their texts.
  [[nodiscard]] Outcome read(std::size_t i) {
    const Allowance* allowance = database_.allowance();
    const std::uint64_t before = allowance != nullptr ? allowance->given() : 0;
    Outcome outcome = read_outcome(database_, i + 1);  // runs count from 1 in the tables
    if (allowance == nullptr || !read_.insert(i).second) return outcome;
    given_ += allowance->given() - before;
    if (!allowance->explains(given_)) throw DatabaseError("it gives more than its file can hold");
    return outcome;
  }

  [[nodiscard]] const Database& database() const { return database_; }
  [[nodiscard]] std::string name() const { return path_.string(); }
  [[nodiscard]] std::size_t size() const { return count_; }

 private:
  [[nodiscard]] bool ends_with(const Store& other) const {
    if (other.size() > count_) return false;
    for (std::size_t i = 0; i < other.size(); ++i)
      if (!(read_identity(database_, count_ - other.size() + i + 1) == other.identity(i)))
        return false;
    return true;
  }
  // The one way into a store that was made elsewhere.
  void check() {
    check_version(database_, name());
    check_schema(database_);
    count_ = count_outcomes(database_);
  }

  fs::path path_;
  std::unique_ptr<core::Opened> folder_;
  Database database_;
  Database::Mode mode_;
  std::size_t count_ = 0;
  std::set<std::size_t> read_;  // outcomes
  std::uint64_t given_ = 0;     // bytes, by each of these once
};

Store::Store(std::unique_ptr<File> file) : file_(std::move(file)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Store Store::create(const fs::path& file, std::chrono::milliseconds patience) {
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(file, ignored)))
    throw CannotWrite(file.string() + " exists already");
  std::unique_ptr<core::Opened> folder;
  if (file != ":memory:") {
    constexpr int how = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    const fs::path parent = file.has_parent_path() ? file.parent_path() : ".";
    folder = std::make_unique<core::Opened>(parent, O_PATH | O_DIRECTORY);
    const core::Opened made(
        openat(folder->number(), file.filename().c_str(), how, S_IRUSR | S_IWUSR));
    if (!made)
      throw CannotWrite(file.string() +
                        " cannot be made: " + std::generic_category().message(errno));
  }
  try {
    return Store(std::make_unique<File>(file, std::move(folder), patience));
  } catch (const DatabaseError& error) {
    throw CannotWrite(file.string() + " cannot be made: " + error.what());
  }
}

Store Store::in_memory() { return create(":memory:"); }

Store Store::of_image(std::span<const std::byte> image) try {
  return Store(std::make_unique<File>("an image", image));
} catch (const DatabaseError& error) {
  throw UnreadableFile(std::string("an image of a store cannot be read: ") + error.what());
}

bool Store::is_blank(const fs::path& file) try {
  return pragma(Database(file, Database::Mode::append, std::chrono::seconds(5)), "page_count") == 0;
} catch (const DatabaseError&) {
  return false;
}

Store Store::open(const fs::path& file, bool to_append) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) throw UnreadableFile(file.string() + ": there is no such file");
  constexpr std::chrono::seconds patience(5);
  const auto mode = to_append ? Database::Mode::append : Database::Mode::read;
  try {
    if (!to_append && is_exchangeable(file))
      return Store(std::make_unique<File>(file, bytes_at_once(file, patience)));
    if (!to_append && is_interrupted(file))
      return Store(std::make_unique<File>(file, bytes_before_write(file, patience)));
    return Store(std::make_unique<File>(file, mode, patience));
  } catch (const DatabaseError& error) {
    throw UnreadableFile(file.string() + " cannot be opened: " + error.what());
  }
}

Store Store::open(const fs::path& file) { return open(file, false); }

Store Store::append(const fs::path& file) { return open(file, true); }

template <class Write>
void Store::writing(Write write_it) {
  try {
    write_it(*file_);
  } catch (const DatabaseLocked& error) {
    throw StoreLocked(file_->name() + " cannot be written: " + error.what());
  } catch (const DatabaseError& error) {
    throw CannotWrite(file_->name() + " cannot be written: " + error.what());
  }
}

void Store::add(const Outcome& outcome) {
  writing([&](File& file) { file.add(1, [&](std::size_t) -> const Outcome& { return outcome; }); });
}

void Store::take_in(const Store& other) {
  writing([&](File& file) { file.take_in(other); });
}

template <class Read>
auto Store::reading(Read read_it) const {
  try {
    return read_it(file_->database());
  } catch (const DatabaseError& error) {
    throw UnreadableFile(file_->name() + " cannot be read: " + error.what());
  }
}

std::size_t Store::size() const { return file_->size(); }

Outcome Store::read(std::size_t i) const {
  return reading([this, i](const Database&) { return file_->read(i); });
}

Identity Store::identity(std::size_t i) const {
  return reading([i](const Database& database) { return read_identity(database, i + 1); });
}

std::vector<std::byte> Store::image() const { return file_->database().image(); }

std::vector<std::string> Store::tables() const {
  std::vector<std::string> names;
  for (const auto& [table, statement] : table_statements()) names.push_back(table);
  for (std::string& table : reading(fact_tables)) names.push_back(std::move(table));
  names.emplace_back("summary");
  return names;
}

std::vector<fs::path> Store::export_csv(const fs::path& directory,
                                        const std::vector<std::string>& only, mode_t rights) const {
  make_folder(directory);
  std::vector<fs::path> files;
  reading([&](const Database& database) {
    const Transaction at_one_moment(database);
    const Allowance* allowance = database.allowance();
    const std::uint64_t before = allowance != nullptr ? allowance->given() : 0;
    for (const std::string& table : only.empty() ? tables() : only) {
      const fs::path path = directory / (table + ".csv");
      WholeFile file(path, WholeFile::Name::implied, rights);
      write_csv(database, table, file.out());
      // Tables of a damaged file may share their rows.
      if (allowance != nullptr && !allowance->explains(allowance->given() - before))
        throw DatabaseError("it gives more than its file can hold");
      file.commit();
      files.push_back(path);
    }
  });
  return files;
}

std::vector<std::byte> packed(const Outcome& outcome) {
  Store store = Store::in_memory();
  store.add(outcome);
  return store.image();
}

Outcome unpacked(std::span<const std::byte> bytes) {
  const Store store = Store::of_image(bytes);
  if (store.size() != 1) throw UnreadableFile("what should be one outcome is not one");
  return store.read(0);
}

}  // namespace rhizome::scenarios
