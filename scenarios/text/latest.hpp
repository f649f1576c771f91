// `latest` in a folder of runs, by which users name their newest run. Another user who may write to
// the folder can make it a link to a run of theirs, or a directory. A replay of that run runs their
// programs.
#pragma once

#include <filesystem>

namespace rhizome::scenarios {

// Where the path of a run leads (`is_run`), or that of any other file if a name on its way is
// `latest`; else the path. Others may exchange links at any time: only what this returns is to be
// used. Throws UnreadableFile if nothing is there, and if a name on the way that is `latest`, or
// the link that a run's last name is, or the run there is another user's, or others may exchange
// its files.
[[nodiscard]] std::filesystem::path led_by_latest(const std::filesystem::path& path, bool is_run);

}  // namespace rhizome::scenarios
