// A library of recordings: finished runs that a page can show. The recording of a stored run is
// made when it is first requested.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tools/monitor/stored_recording.hpp"
#include "tools/monitor/web/library/seekable_recording.hpp"

namespace rhizome::tools {

class Library {
 public:
  // Adds a recording; returns its index. Throws BadRecording.
  std::size_t add_recording(const std::filesystem::path& file);
  // Adds all outcomes of a stored run; returns the index of the first. Throws UnreadableFile.
  std::size_t add_run(const std::filesystem::path& directory);

  [[nodiscard]] std::size_t size() const { return slots_.size(); }
  [[nodiscard]] const std::string& name(std::size_t i) const { return slots_[i]->name; }
  // May be called from any thread. Throws BadRecording, UnreadableFile and CannotWrite.
  [[nodiscard]] const SeekableRecording& recording(std::size_t i);

 private:
  struct Slot {
    std::string name;
    std::filesystem::path path;  // of the recording, or of the stored run
    bool stored = false;
    std::size_t outcome = 0;  // its index in the store
    std::unique_ptr<StoredRecording> made{};
    std::unique_ptr<SeekableRecording> recording{};
  };
  std::vector<std::unique_ptr<Slot>> slots_;
  std::mutex mutex_;  // guards the recordings that are made
};

}  // namespace rhizome::tools
