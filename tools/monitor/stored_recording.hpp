// A finished run as a recording: a temporary file made from its store, removed with this object.
#pragma once

#include <cstddef>
#include <filesystem>

#include "scenarios/store/directory.hpp"

namespace rhizome::tools {

class StoredRecording {
 public:
  // The recording of the i-th outcome. Throws UnreadableFile if it has nothing to show, and
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
