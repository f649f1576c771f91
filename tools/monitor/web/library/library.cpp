#include "tools/monitor/web/library/library.hpp"

#include "scenarios/store/directory.hpp"
#include "scenarios/text/input_error.hpp"

namespace rhizome::tools {

std::size_t Library::add_recording(const std::filesystem::path& file) {
  auto slot = std::make_unique<Slot>(Slot{.name = file.filename().string(), .path = file});
  slot->recording = std::make_unique<SeekableRecording>(file, slot->name);
  slots_.push_back(std::move(slot));
  return slots_.size() - 1;
}

std::size_t Library::add_run(const std::filesystem::path& directory) {
  const scenarios::StoredRun run = scenarios::open_run(directory);
  if (run.store.size() == 0)
    throw scenarios::UnreadableFile(
        directory.string() + ": nothing of it was finished, so that there is nothing to show");
  const std::size_t first = slots_.size();
  for (std::size_t i = 0; i < run.store.size(); ++i) {
    const scenarios::Identity identity = run.store.identity(i);
    const std::string cell = cell_text(identity);
    slots_.push_back(std::make_unique<Slot>(Slot{.name = identity.label + " #" +
                                                         std::to_string(identity.repetition + 1) +
                                                         (cell.empty() ? "" : ", " + cell),
                                                 .path = directory,
                                                 .stored = true,
                                                 .outcome = i}));
  }
  return first;
}

const SeekableRecording& Library::recording(std::size_t i) {
  const std::scoped_lock lock(mutex_);
  Slot& slot = *slots_[i];
  if (!slot.recording) {
    slot.made = std::make_unique<StoredRecording>(scenarios::open_run(slot.path), slot.outcome);
    slot.recording = std::make_unique<SeekableRecording>(slot.made->file(), slot.name);
  }
  return *slot.recording;
}

}  // namespace rhizome::tools
