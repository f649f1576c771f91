// The run directories below a root, and a rule that selects runs to remove.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rhizome::scenarios {

struct ListedRun {
  std::filesystem::path path;
  std::uint64_t device = 0;  // of the directory, which tells it from another of its name
  std::uint64_t inode = 0;
  std::string name;     // of the scenario; a long one is cut
  std::string started;  // UTC, ISO 8601
  std::string ended;    // of the last run that was stored
  std::size_t runs = 0;
  std::string
      verdict;  // as in its record, cut if it is long; empty where it has not ended, or was killed
  std::uintmax_t bytes = 0;
  bool own = false;        // this user's: only such runs are removed, and follow as `latest`
  bool under_way = false;  // a process is adding to it

  // Whether the experiment was interrupted or killed, so that it can be resumed.
  [[nodiscard]] bool broken_off() const { return verdict.empty() || verdict == "interrupted"; }
};

enum class Whose : std::uint8_t { everybodys, own };

// The newest first, and last those that say to have begun in the future. A folder without a record
// of a run is left out, and so is a link, and another user's whose record is longer than 1 MiB, or
// that of all others together than 64 MiB. Empty if there is no such folder.
[[nodiscard]] std::vector<ListedRun> list_runs(const std::filesystem::path& root,
                                               Whose whose = Whose::everybodys);

// Selects the runs to remove, of this user's that are not under way: those that satisfy every given
// condition. Runs of others do not count.
struct PruneRule {
  std::optional<std::size_t> keep{};            // all but so many of the newest
  std::optional<std::chrono::seconds> older{};  // ended longer ago
};
[[nodiscard]] std::vector<ListedRun> let_go(const std::vector<ListedRun>& newest_first,
                                            const PruneRule& rule, std::chrono::sys_seconds now);

struct Removal {
  std::vector<ListedRun> gone{};
  std::vector<std::string> failed{};  // says of each directory that cannot be removed why
};
// Removes their directories, but those to which a process adds by now; `latest` then points at the
// newest that is left, or at nothing. Throws CannotWrite if the folder itself is not to be trusted.
[[nodiscard]] Removal remove_runs(const std::filesystem::path& root,
                                  const std::vector<ListedRun>& runs);

}  // namespace rhizome::scenarios
