// The results store: outcomes in one SQLite file, each written when its run finishes and read back
// whole. It holds no wall time and nothing of the host, so that two virtual runs of one seed give
// the same file to the byte. Only the store uses SQLite.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scenarios/outcome/outcome.hpp"
#include "scenarios/text/whole_file.hpp"

namespace rhizome::scenarios {

// The version of the tables, kept in PRAGMA user_version. A store of another version is refused.
inline constexpr int store_version = 12;

// Another program has locked a store for seconds, so that nothing was written.
class StoreLocked : public CannotWrite {
 public:
  using CannotWrite::CannotWrite;
};

class Store {
 public:
  // A new file; throws CannotWrite if it exists or cannot be made. `patience`: how long to wait for
  // another program that locks it.
  [[nodiscard]] static Store create(const std::filesystem::path& file,
                                    std::chrono::milliseconds patience = std::chrono::seconds(5));
  // For reading a file that is not trusted, and is not written: an interrupted write is rolled back
  // in a copy. Throws UnreadableFile (input_error.hpp) when the file
  // is missing, is not a results store, is of another version, or has anything in it but our
  // tables.
  [[nodiscard]] static Store open(const std::filesystem::path& file);
  // Opens a store for adding, after an interrupted write is rolled back. Throws the same, also for
  // a file with a further name.
  [[nodiscard]] static Store append(const std::filesystem::path& file);
  // Whether a file is what create() leaves if it is ended before the store has its tables. Rolls
  // back as append() does.
  [[nodiscard]] static bool is_blank(const std::filesystem::path& file);
  // A store in memory, to be added to.
  [[nodiscard]] static Store in_memory();
  // Reads a store from its image. Throws UnreadableFile.
  [[nodiscard]] static Store of_image(std::span<const std::byte> image);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  // Appends in one transaction: after a crash the file holds the outcomes added before. Throws
  // CannotWrite, and StoreLocked where the store is locked.
  void add(const Outcome& outcome);
  // Appends all outcomes of another store in one transaction, unless these are its last ones
  // already. Throws the same.
  void take_in(const Store& other);

  // The number of outcomes. For a store opened for reading: their number when it was opened.
  [[nodiscard]] std::size_t size() const;
  // The i-th outcome added, from 0, as it was except for its wall time. Throws UnreadableFile when
  // the file is damaged, as all readers do.
  [[nodiscard]] Outcome read(std::size_t i) const;
  [[nodiscard]] Identity identity(std::size_t i) const;

  // The content of a file with this store.
  [[nodiscard]] std::vector<std::byte> image() const;

  // The names that export_csv accepts: every table, and the summary.
  [[nodiscard]] std::vector<std::string> tables() const;
  // Writes the named tables (csv.hpp has one more), or all if none is named, to DIRECTORY/TABLE.csv
  // (RFC 4180). Returns the files. A text that begins like a formula gets an apostrophe in front.
  // `rights`: of new files.
  std::vector<std::filesystem::path> export_csv(const std::filesystem::path& directory,
                                                const std::vector<std::string>& only = {},
                                                mode_t rights = 0644) const;

 private:
  class File;
  [[nodiscard]] static Store open(const std::filesystem::path& file, bool to_append);
  // Returns the result of `read_it` for the database. Throws UnreadableFile when the file is
  // damaged.
  template <class Read>
  auto reading(Read read_it) const;
  // Calls `write_it`. On failure throws CannotWrite, which names the file.
  template <class Write>
  void writing(Write write_it);
  explicit Store(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

// An outcome on its way to another process: the results store that it alone would make.
[[nodiscard]] std::vector<std::byte> packed(const Outcome& outcome);
// The outcome without its wall time, which a store does not hold. Throws UnreadableFile.
[[nodiscard]] Outcome unpacked(std::span<const std::byte> bytes);

}  // namespace rhizome::scenarios
