#include "tools/monitor/stored_recording.hpp"

#include <cstdint>
#include <string>
#include <system_error>

#include "scenarios/live/seen/reenactment.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/whole_file.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;
namespace fs = std::filesystem;

StoredRecording::StoredRecording(const scenarios::StoredRun& run, std::size_t i) {
  const scenarios::Outcome outcome = run.read(i);
  if (!live::can_be_reenacted(outcome))
    throw scenarios::UnreadableFile(
        run.path.string() + ": its store holds no facts of " + outcome.identity.label +
        ", of which a replay would be made: while such a run goes on, rhizome monitor --record "
        "keeps what is seen");
  file_ = scenarios::make_temporary_file();
  const live::ReenactmentOptions options{.number = static_cast<std::uint32_t>(i),
                                         .runs = run.store.size()};
  if (live::reenact(outcome, file_, options)) return;
  const std::string name = file_.string();
  fs::remove(file_);
  throw scenarios::CannotWrite(name + ": the replay cannot be written");
}

StoredRecording::~StoredRecording() {
  std::error_code ignored;
  fs::remove(file_, ignored);
}

}  // namespace rhizome::tools
