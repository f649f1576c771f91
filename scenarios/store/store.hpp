// The results store: outcomes in one SQLite file, written as each run finishes and read back whole.
// It holds nothing of the wall clock or the host, so that two virtual runs of one seed give the
// same file to the byte. The one door to SQLite.
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

// The version of the tables, kept in PRAGMA user_version. Another one is refused.
inline constexpr int store_version = 12;

// Another program has held a store for seconds, so that nothing was written.
class StoreLocked : public CannotWrite {
 public:
  using CannotWrite::CannotWrite;
};

class Store {
 public:
  // A new file; throws CannotWrite if it exists or cannot be made. Another program that locks it is
  // waited for so long.
  [[nodiscard]] static Store create(const std::filesystem::path& file,
                                    std::chrono::milliseconds patience = std::chrono::seconds(5));
  // For reading, whoever made it; throws UnreadableFile (input_error.hpp) when the file is missing,
  // is no results store, is one of another version, or has anything in it but our tables.
  [[nodiscard]] static Store open(const std::filesystem::path& file);
  // For adding to; throws the same.
  [[nodiscard]] static Store append(const std::filesystem::path& file);
  // One that is nowhere but in memory, to be added to.
  [[nodiscard]] static Store in_memory();
  // One that was: for reading. Throws UnreadableFile.
  [[nodiscard]] static Store of_image(std::span<const std::byte> image);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  // Appends in one transaction: after a crash the file holds the outcomes added before. Throws
  // CannotWrite, and StoreLocked where that is why.
  void add(const Outcome& outcome);
  // The same for all of another, or none.
  void add_all(const Store& other);

  // Of one for reading: when it was opened.
  [[nodiscard]] std::size_t size() const;
  // The i-th outcome added, from 0, as it was except for its wall time. Throws UnreadableFile when
  // the file is damaged, as all readers do.
  [[nodiscard]] Outcome read(std::size_t i) const;
  [[nodiscard]] Identity identity(std::size_t i) const;

  // As its file would hold it.
  [[nodiscard]] std::vector<std::byte> image() const;

  // What export_csv can write: every table, and the summary.
  [[nodiscard]] std::vector<std::string> tables() const;
  // Writes these of the tables (csv.hpp has one more), or all if none is named, to
  // DIRECTORY/TABLE.csv (RFC 4180); returns the files. What begins like a formula has an apostrophe
  // before it.
  std::vector<std::filesystem::path> export_csv(const std::filesystem::path& directory,
                                                const std::vector<std::string>& only = {}) const;

 private:
  class File;
  [[nodiscard]] static Store open(const std::filesystem::path& file, bool to_append);
  // What `read_it` makes of the database; throws UnreadableFile when it is damaged.
  template <class Read>
  auto reading(Read read_it) const;
  // Does it, and says which file it was that could not be written.
  template <class Write>
  void writing(Write write_it);
  explicit Store(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

}  // namespace rhizome::scenarios
