// A directory that lives as long as a test.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

namespace rhizome::test {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    static int directories = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("rhizome_test_directory_" + std::to_string(getpid()) + "_" +
             std::to_string(directories++));
    std::filesystem::create_directory(path_);
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace rhizome::test
