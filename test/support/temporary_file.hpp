// A file that lives as long as a test: the input of a reader, so that the tree needs no file for
// each broken input.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <unistd.h>

#include "scenarios/text/files.hpp"

namespace rhizome::test {

class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view content) {
    static int files = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("rhizome_test_" + std::to_string(getpid()) + "_" + std::to_string(files++));
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] std::string name() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

// A file of the repository; defined with the main of the tests.
[[nodiscard]] std::string shipped(std::string_view path);

[[nodiscard]] inline std::string content_of(const std::string& name) {
  return scenarios::read_file(name).value_or("");
}

}  // namespace rhizome::test
