#include "tools/monitor/stored_recording.hpp"

#include <fcntl.h>

#include <cstdint>

#include "core/child/own_folder.hpp"
#include "scenarios/live/seen/reenactment.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/whole_file.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;

namespace {

// The descriptor of the file.
int recorded(const scenarios::StoredRun& run, std::size_t i) {
  const scenarios::Outcome outcome = run.read(i);
  if (!live::can_be_reenacted(outcome))
    throw scenarios::UnreadableFile(
        run.path.string() + ": its store holds no facts of " + outcome.identity.label +
        ", of which a replay would be made: while such a run goes on, rhizome monitor --record "
        "keeps what is seen");
  const live::ReenactmentOptions options{.number = static_cast<std::uint32_t>(i),
                                         .runs = run.store.size()};
  const core::OwnFolder folder;
  const std::filesystem::path file = folder.path() / "recording";
  const bool whole = live::reenact(outcome, file, options);
  const int opened = whole ? open(file.c_str(), O_RDONLY | O_CLOEXEC) : -1;
  if (opened < 0) throw scenarios::CannotWrite(file.string() + ": the replay cannot be written");
  return opened;
}

}  // namespace

StoredRecording::StoredRecording(const scenarios::StoredRun& run, std::size_t i)
    : file_(recorded(run, i)) {}

}  // namespace rhizome::tools
