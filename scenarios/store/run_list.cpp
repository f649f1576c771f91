#include "scenarios/store/run_list.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "scenarios/store/directory.hpp"
#include "scenarios/store/record.hpp"
#include "scenarios/text/files.hpp"
#include "scenarios/text/whole_file.hpp"

namespace rhizome::scenarios {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t largest_record = std::uintmax_t{16} << 20U;  // of some 100,000 runs
constexpr std::uintmax_t largest_of_others = std::uintmax_t{1} << 20U;
constexpr std::uintmax_t most_of_others = std::uintmax_t{64} << 20U;  // together

// As far as they can be listed: others may remove some meanwhile.
std::uintmax_t bytes_in(const fs::path& directory) {
  std::uintmax_t bytes = 0;
  try {
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(directory)) {
      std::error_code gone;
      if (!file.is_regular_file(gone)) continue;
      const std::uintmax_t size = file.file_size(gone);
      if (!gone) bytes += size;
    }
  } catch (const fs::filesystem_error&) {
  }
  return bytes;
}

// Not within a character of UTF-8.
std::string cut(const std::string& text) {
  std::size_t length = 1000;
  if (text.size() <= length) return text;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0U) == 0x80U) --length;
  return text.substr(0, length);
}

// `others`: how many bytes of others' records may still be read.
std::optional<ListedRun> listed(const fs::path& path, std::uintmax_t& others) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return {};
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path / record_name, error);
  const bool own = status.st_uid == geteuid();
  if (error || size > (own ? largest_record : std::min(largest_of_others, others))) return {};
  if (!own) others -= size;
  const auto record = record_of(read_plain_file(path / record_name).value_or(""));
  if (!record) return {};
  return ListedRun{.path = path,
                   .device = status.st_dev,
                   .inode = status.st_ino,
                   .name = cut(record->name),
                   .started = cut(record->started),
                   .ended = cut(record->ended),
                   .runs = record->walls.size(),
                   .verdict = cut(record->verdict),
                   .bytes = bytes_in(path),
                   .own = own,
                   .under_way = is_added_to(path)};
}

// Times are written so that their texts are in order.
bool is_newer(const ListedRun& a, const ListedRun& b) {
  return std::tie(a.started, a.path) > std::tie(b.started, b.path);
}

}  // namespace

std::vector<ListedRun> list_runs(const fs::path& root, Whose whose) {
  std::vector<ListedRun> runs;
  std::uintmax_t others = whose == Whose::own ? 0 : most_of_others;
  std::error_code error;
  fs::directory_iterator entry(root, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error))
    if (auto run = listed(entry->path(), others)) runs.push_back(std::move(*run));
  std::ranges::sort(runs, is_newer);
  // A run that begins in the future was not made here: it is no newer than those that were.
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const std::string tomorrow = utc_text(now + std::chrono::hours(24));
  std::ranges::stable_partition(runs,
                                [&](const ListedRun& run) { return run.started <= tomorrow; });
  return runs;
}

std::vector<ListedRun> let_go(const std::vector<ListedRun>& newest_first, const PruneRule& rule,
                              std::chrono::sys_seconds now) {
  std::vector<ListedRun> gone;
  std::size_t newer = 0;
  for (const ListedRun& run : newest_first) {
    if (!run.own) continue;
    const bool beyond = !rule.keep || newer++ >= *rule.keep;
    const bool old = !rule.older || run.ended < utc_text(now - *rule.older);
    if (beyond && old && !run.under_way) gone.push_back(run);
  }
  return gone;
}

namespace {

bool is_it(const ListedRun& run, const fs::path& directory) {
  struct stat status {};
  return lstat(directory.c_str(), &status) == 0 && status.st_dev == run.device &&
         status.st_ino == run.inode;
}

// The first name of this form that no file has.
fs::path free_name(const fs::path& directory) {
  fs::path name = directory;
  name += ".removed";
  std::error_code ignored;
  for (int n = 2; fs::exists(fs::symlink_status(name, ignored)); ++n) {
    name = directory;
    name += ".removed-" + std::to_string(n);
  }
  return name;
}

// Renames the directory before removing it, so that nobody resumes the run meanwhile. A directory
// that another user has put in its place since it was listed is kept.
bool remove_run(const fs::path& folder, const ListedRun& run) {
  const fs::path directory = folder / run.path.filename();
  if (!is_it(run, directory)) return false;
  const std::optional<AddingLock> lock = AddingLock::unless_held(directory);
  if (!lock) return false;
  std::error_code error;
  const fs::path nameless = free_name(directory);
  fs::rename(directory, nameless, error);
  if (!error && !is_it(run, nameless)) {
    fs::rename(nameless, directory, error);
    return false;
  }
  if (!error) fs::remove_all(nameless, error);
  if (error) throw CannotWrite(run.path.string() + " cannot be removed: " + error.message());
  return true;
}

void renew_latest(const fs::path& root) {
  std::error_code ignored;
  const fs::path latest = root / "latest";
  if (!fs::is_symlink(fs::symlink_status(latest, ignored)) || fs::exists(latest, ignored)) return;
  const std::vector<ListedRun> left = list_runs(root, Whose::own);
  if (left.empty())
    fs::remove(latest, ignored);
  else
    static_cast<void>(point_latest(left.front().path));
}

}  // namespace

Removal remove_runs(const fs::path& root, const std::vector<ListedRun>& runs) {
  const HeldFolder folder(root);  // no link of another user leads to what is removed, at any time
  Removal removal;
  for (const ListedRun& run : runs) try {
      if (remove_run(folder.path(), run)) removal.gone.push_back(run);
    } catch (const CannotWrite& error) {
      removal.failed.emplace_back(error.what());
    }
  renew_latest(folder.path());
  return removal;
}

}  // namespace rhizome::scenarios
