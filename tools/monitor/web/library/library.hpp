// A library of tapes: what a page can be shown of runs that are over. Those of a stored run are
// made when somebody asks for them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tools/monitor/stored_recording.hpp"
#include "tools/monitor/web/library/tape.hpp"

namespace rhizome::tools {

class Library {
 public:
  // Of a recording; returns its place. Throws BadRecording.
  std::size_t add_recording(const std::filesystem::path& file);
  // Of all outcomes of a stored run; returns the place of the first. Throws UnreadableFile.
  std::size_t add_run(const std::filesystem::path& directory);

  [[nodiscard]] std::size_t size() const { return slots_.size(); }
  [[nodiscard]] const std::string& name(std::size_t i) const { return slots_[i]->name; }
  // From any thread. Throws BadRecording, UnreadableFile and CannotWrite.
  [[nodiscard]] const Tape& tape(std::size_t i);

 private:
  struct Slot {
    std::string name;
    std::filesystem::path path;  // of the recording, or of the stored run
    bool stored = false;
    std::size_t outcome = 0;  // where it is stored
    std::unique_ptr<StoredRecording> made{};
    std::unique_ptr<Tape> tape{};
  };
  std::vector<std::unique_ptr<Slot>> slots_;
  std::mutex mutex_;  // of what slots have made
};

}  // namespace rhizome::tools
