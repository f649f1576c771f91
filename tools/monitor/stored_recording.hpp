// A finished run as a recording, made from its store: a file without a name, so that nothing is
// left of it however the program ends.
#pragma once

#include <cstddef>
#include <filesystem>

#include "core/child/links.hpp"
#include "scenarios/store/directory.hpp"

namespace rhizome::tools {

class StoredRecording {
 public:
  // The recording of the i-th outcome. Throws UnreadableFile if it has nothing to show, and
  // CannotWrite.
  StoredRecording(const scenarios::StoredRun& run, std::size_t i);

  // For this process, and while this object lives.
  [[nodiscard]] std::filesystem::path file() const { return file_.path(); }

 private:
  core::Opened file_;
};

}  // namespace rhizome::tools
