// The results store: outcomes in one SQLite file, written as each run finishes and read back whole.
// It holds nothing of the wall clock or the host, so that two virtual runs of one seed give the
// same file to the byte. The one door to SQLite.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/outcome/outcome.hpp"
#include "scenarios/text/whole_file.hpp"

namespace rhizome::scenarios {

// The version of the tables, kept in PRAGMA user_version. Another one is refused.
inline constexpr int store_version = 7;

class Store {
 public:
  // A new file; throws CannotWrite if it exists or cannot be made.
  [[nodiscard]] static Store create(const std::filesystem::path& file);
  // For reading; throws UnreadableFile (input_error.hpp) when the file is missing, is no results
  // store, or is one of another version.
  [[nodiscard]] static Store open(const std::filesystem::path& file);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  // Appends in one transaction: after a crash the file holds the outcomes added before.
  void add(const Outcome& outcome);

  [[nodiscard]] std::size_t size() const;
  // The i-th outcome added, from 0, as it was except for its wall time. Throws UnreadableFile when
  // the file is damaged, as all readers do.
  [[nodiscard]] Outcome read(std::size_t i) const;
  [[nodiscard]] Identity identity(std::size_t i) const;

  // Writes every table to DIRECTORY/TABLE.csv (RFC 4180); returns the files. What begins
  // like a formula has an apostrophe before it.
  std::vector<std::filesystem::path> export_csv(const std::filesystem::path& directory) const;

 private:
  class File;
  // What `read_it` makes of the database; throws UnreadableFile when it is damaged.
  template <class Read>
  auto reading(Read read_it) const;
  explicit Store(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

}  // namespace rhizome::scenarios
