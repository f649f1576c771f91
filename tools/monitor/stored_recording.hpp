// A finished run as a recording: the file is made of what its store holds, and goes with this.
#pragma once

#include <cstddef>
#include <filesystem>

#include "scenarios/store/directory.hpp"

namespace rhizome::tools {

class StoredRecording {
 public:
  // Of the i-th outcome. Throws UnreadableFile where it holds nothing that could be shown, and
  // CannotWrite.
  StoredRecording(const scenarios::StoredRun& run, std::size_t i);
  ~StoredRecording();
  StoredRecording(const StoredRecording&) = delete;
  StoredRecording& operator=(const StoredRecording&) = delete;

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path file_;
};

}  // namespace rhizome::tools
