#include "scenarios/store/directory.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <string>
#include <tuple>

#include "core/child/own_folder.hpp"
#include "scenarios/text/files.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/latest.hpp"
#include "scenarios/text/whole_file.hpp"

namespace rhizome::scenarios {

namespace fs = std::filesystem;
using std::chrono::sys_seconds;

namespace {

constexpr const char* results_name = "results.sqlite";
constexpr const char* waiting_name = "waiting.sqlite";

// Letters, digits, '.', '_' and '-' are good in any file system; a leading dot would hide it.
std::string file_name_of(const std::string& name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  std::string made = name.substr(0, 100);
  std::ranges::replace_if(
      made, [&](char c) { return !plain(c); }, '-');
  if (made.empty() || made.front() == '.' || made.front() == '-') made.insert(0, "run");
  return made;
}

// The format is given year, month, day, hours, minutes and seconds.
std::string formatted(sys_seconds time, const char* format) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format(fmt::runtime(format), static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

constexpr mode_t open_to_all = 0755;

// Who may enter a run directory, and the source that keeps out others who could reach it.
struct Readers {
  mode_t rights = open_to_all;
  fs::path kept_out_by{};
};

Readers readers_of(const DirectoryOptions& options) {
  const mode_t near = core::readers_of(options.root / "", options.root);
  Readers readers;
  for (const fs::path& source : options.sources) {
    const mode_t rights = readers.rights & readers_of_all({&source, 1}, options.root);
    if ((readers.rights & near & ~rights) != 0) readers.kept_out_by = source;
    readers.rights = rights;
  }
  return readers;
}

// A run is replayed by what stands in its directory: no other user writes there, whatever the
// user's umask and the access list of the folder let them. Makes a name for one process only: a
// number that is taken is passed over.
fs::path make_directory(const DirectoryOptions& options, mode_t rights) {
  const std::string stem = file_name_of(options.name) + "-" +
                           formatted(options.now, "{:04}{:02}{:02}T{:02}{:02}{:02}Z") + "-";
  for (unsigned n = 1;; ++n) {
    fs::path path = options.root / (stem + std::to_string(n));
    if (mkdir(path.c_str(), S_IRWXU) == 0) {
      removexattr(path.c_str(), "system.posix_acl_default");
      core::give_rights(core::Opened(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), rights,
                        options.root, core::Umask::counts);
      return path;
    }
    if (errno != EEXIST)
      throw CannotWrite("no run directory can be made in " + options.root.string() + ": " +
                        std::generic_category().message(errno));
  }
}

// The copy is a new file, which no other may write, nor read if they may not read the original. Of
// the rights of the original no more is copied: another user's file may be setuid, or have the name
// of a program. Takes its bytes from `left`: an original may have grown since it was looked at.
void copy_in(const fs::path& from, const fs::path& to, std::uintmax_t& left) {
  constexpr mode_t most = 0644;
  const auto refuse = [&](const std::string& why) {
    throw CannotWrite(from.string() + " cannot be copied to " + to.string() + why);
  };
  std::error_code error;
  fs::create_directories(to.parent_path(), error);
  const core::Opened opened(from, O_RDONLY | O_NONBLOCK);  // another may have the name by now
  std::ifstream in = open_regular(opened.path());
  if (error || !opened || !in) refuse(error ? ": " + error.message() : "");
  // By the way on which it is found now, which may not be that of its name.
  const fs::path found = fs::read_symlink(opened.path(), error);
  WholeFile copy(to, WholeFile::Name::implied,
                 core::rights_of(opened, to.parent_path()) &
                     core::readers_of(error ? from : found, to.parent_path()) & most);
  std::array<char, 65536> piece{};
  while (in.read(piece.data(), piece.size()) || in.gcount() > 0) {
    const auto size = static_cast<std::uintmax_t>(in.gcount());
    if (size > left) refuse(": it has grown beyond what a run keeps");
    left -= size;
    copy.out().write(piece.data(), in.gcount());
  }
  if (in.bad()) refuse(": it cannot be read to its end");
  copy.commit();
}

// Allowed only if the run has ended or was killed, since a run under way brings its waiting
// outcomes in itself.
void bring_in(const fs::path& home) {
  const fs::path waiting = home / waiting_name;
  // Both files must belong to the user, and must not be links to another store of the same user.
  for (const fs::path& file : {home / results_name, waiting})
    if (!is_own_file(file))
      throw UnreadableFile(file.string() +
                           ": is no file of this user's own, or has a further name (a hard link); "
                           "outcomes wait in " +
                           waiting.string());
  const std::optional<AddingLock> lock = AddingLock::unless_held(home);
  const auto goes_on = [&] {
    const auto now = record_of(read_plain_file(home / record_name).value_or(""));
    return !now || now->verdict.empty();
  };
  if (!lock && goes_on())
    throw UnreadableFile(home.string() +
                         " is under way, and another program has locked its store: " +
                         "outcomes of it wait in " + waiting.string());
  settle(home / results_name, waiting);
}

// A script that can be called from any folder, with further options of the command.
void write_script(const fs::path& file, const std::string& command) {
  write_whole(file,
              "#!/bin/sh\nCDPATH= cd -- \"$(dirname -- \"$0\")\" && " + command + " \"$@\"\n");
  fs::permissions(file, fs::perms::owner_exec, fs::perm_options::add);
}

}  // namespace

bool point_latest(const fs::path& directory) {
  const fs::path root = directory.parent_path();
  const fs::path fresh = root / (".latest-" + std::to_string(getpid()));
  std::error_code error;
  const fs::file_status there = fs::symlink_status(root / "latest", error);
  if (fs::exists(there) && !fs::is_symlink(there)) return false;
  fs::remove(fresh, error);
  fs::create_directory_symlink(directory.filename(), fresh, error);
  if (error) return false;
  fs::rename(fresh, root / "latest", error);
  if (!error) return true;
  fs::remove(fresh, error);
  return false;
}

std::string utc_text(sys_seconds time) {
  return formatted(time, "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z");
}

namespace {

RunRecord first_record(const DirectoryOptions& options, const Readers& readers) {
  RunRecord record{.name = options.name,
                   .started = utc_text(options.now),
                   .ended = utc_text(options.now),
                   .host = this_host(),
                   .versions = versions(),
                   .files = options.read,
                   .programs = options.programs,
                   .order = options.order};
  if (!readers.kept_out_by.empty())
    record.remarks.push_back(
        "others cannot enter the run directory, since they cannot read " +
        (readers.kept_out_by == "-" ? "standard input" : readers.kept_out_by.string()));
  return record;
}

// A run directory can be listed and pruned from its first file on, however the run ends. Where that
// file cannot be written, no directory is left.
AddingLock begin(const fs::path& path, const RunRecord& record) {
  AddingLock lock(path);
  try {
    write_whole(path / record_name, json_of(record));
  } catch (const CannotWrite&) {
    std::error_code ignored;
    fs::remove(path / lock_name, ignored);
    fs::remove(path, ignored);
    throw;
  }
  return lock;
}

}  // namespace

RunDirectory::RunDirectory(fs::path path, AddingLock lock, Store store)
    : path_(std::move(path)),
      lock_(std::move(lock)),
      store_(std::move(store), path_ / waiting_name) {}

RunDirectory RunDirectory::create(const DirectoryOptions& options) {
  make_folder(options.root);
  const Readers readers = readers_of(options);
  const fs::path path = make_directory(options, readers.rights);
  RunRecord record = first_record(options, readers);
  AddingLock lock = begin(path, record);
  write_whole(path / "scenario.toml", options.scenario);
  write_script(path / "replay", options.replay);
  std::uintmax_t left = options.most_copied;
  for (const auto& [from, to] : options.files) copy_in(from, path / to, left);
  RunDirectory made(path, std::move(lock), Store::create(path / results_name, options.patience));
  constexpr auto readable = fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read |
                            fs::perms::others_read;
  fs::permissions(path / results_name, fs::status(path).permissions() & readable);
  made.record_ = std::move(record);
  if (!point_latest(path))
    made.record_.remarks.emplace_back(
        "latest stands for another run: it could not be pointed here");
  made.write_record();
  return made;
}

mode_t readers_of_all(std::span<const fs::path> sources, const fs::path& folder) {
  mode_t rights = open_to_all;
  for (const fs::path& source : sources) {
    std::error_code error;
    if (source == "-") return S_IRWXU;
    if (fs::exists(source, error)) rights &= core::readers_of(source, folder);
  }
  return rights;
}

RunDirectory RunDirectory::reopen(const fs::path& path, RunRecord record) {
  // A link there leads to another store of the user, which would be written.
  if (!is_own_file(path / results_name))
    throw UnreadableFile((path / results_name).string() +
                         ": is no file of this user's own, or has a further name (a hard link)");
  RunDirectory again(path, AddingLock(path), Store::append(path / results_name));
  again.record_ = std::move(record);
  again.record_.verdict.clear();
  while (fs::exists(again.steered_file(again.steered_ + 1))) ++again.steered_;
  again.write_record();
  return again;
}

fs::path RunDirectory::steered_file(unsigned number) const {
  return path_ / (steered_name + (number == 1 ? "" : "-" + std::to_string(number)) + ".toml");
}

fs::path logs_of(const fs::path& run, const std::string& label) {
  return run / "logs" / file_name_of(label);
}

// The record goes first: what it tells of an outcome that was not stored is passed over.
void RunDirectory::add(const Outcome& outcome) {
  record_.walls.push_back({.label = outcome.identity.label,
                           .cell = cell_text(outcome.identity),
                           .repetition = outcome.identity.repetition,
                           .seconds = std::chrono::duration<double>(outcome.wall).count(),
                           .failure = outcome.failure,
                           .repeated = outcome.repeated,
                           .steered = outcome.steered.operator_commands,
                           .steered_as = fs::path(outcome.steered.again).filename().string()});
  write_record();
  store_.add(outcome);
}

std::string RunDirectory::add_steered(const std::string& scenario) {
  const fs::path file = steered_file(++steered_);
  write_whole(file, scenario);
  return file.string();
}

void RunDirectory::write_record() {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  record_.ended = utc_text(now);
  write_whole(path_ / record_name, json_of(record_));
}

std::optional<std::string> RunDirectory::settle() {
  const std::size_t waiting = store_.settle();
  if (waiting == 0) return {};
  return fmt::format(
      "{} is locked by another program: {} outcomes wait in {}, and go over when the run is read",
      results_name, waiting, waiting_name);
}

namespace {

// What run.json tells of the outcomes, in their order. A process that was killed may have stored an
// outcome of which it tells nothing yet.
std::vector<WallTime> walls_of(const Store& store, std::vector<WallTime> told) {
  using Key = std::tuple<std::string, std::string, std::uint32_t>;
  std::multimap<Key, std::size_t> places;
  for (std::size_t i = 0; i < told.size(); ++i)
    places.emplace(Key(told[i].label, told[i].cell, told[i].repetition), i);
  std::vector<WallTime> walls;
  for (std::size_t i = 0; i < store.size(); ++i) {
    const Identity identity = store.identity(i);
    walls.push_back(
        {.label = identity.label, .cell = cell_text(identity), .repetition = identity.repetition});
    const auto place = places.find(Key(walls[i].label, walls[i].cell, walls[i].repetition));
    if (place == places.end()) continue;
    walls[i] = std::move(told[place->second]);
    places.erase(place);
  }
  return walls;
}

}  // namespace

StoredRun open_run(const fs::path& path) {
  std::error_code error;
  const bool of_runs =
      !fs::exists(path / results_name, error) && fs::exists(path / "latest", error);
  const fs::path named = of_runs ? path / "latest" : path;
  if (!fs::exists(named, error)) throw UnreadableFile(path.string() + ": there is no such run");
  const fs::path real = led_by_latest(named, true);
  const bool directory = fs::is_directory(real, error);
  const fs::path home = directory ? real : real.parent_path();
  const fs::path results = directory ? home / results_name : real;
  if (directory && fs::is_symlink(results, error))
    throw UnreadableFile(results.string() +
                         " is a link, which no run makes, and may lead to another's results: name "
                         "the store itself");
  if (!fs::exists(results, error))
    throw UnreadableFile(path.string() + " is no run directory: it has no " + results_name);
  RunRecord record =
      record_of(read_plain_file(home / record_name).value_or("")).value_or(RunRecord{});
  const bool whole = directory || real.filename() == results_name;
  if (whole && fs::exists(home / waiting_name, error)) bring_in(home);
  Store store = Store::open(results);
  if (!record.walls.empty()) record.walls = walls_of(store, std::move(record.walls));
  return {.path = home, .results = results, .record = std::move(record), .store = std::move(store)};
}

// Outcomes keep their order: once one waits, all later ones wait, too.
void PatientStore::add(const Outcome& outcome) {
  if (!beside_) {
    try {
      store_.add(outcome);
      return;
    } catch (const StoreLocked&) {
      beside_ = Store::create(path_);
    }
  }
  beside_->add(outcome);
}

std::size_t PatientStore::settle() {
  if (!beside_) return 0;
  try {
    store_.take_in(*beside_);
  } catch (const StoreLocked&) {
    return beside_->size();
  }
  beside_.reset();
  fs::remove(path_);
  return 0;
}

void settle(const fs::path& store, const fs::path& beside) try {
  if (!Store::is_blank(beside)) Store::append(store).take_in(Store::append(beside));
  fs::remove(beside);
} catch (const StoreLocked& error) {
  throw UnreadableFile(std::string(error.what()) + "; outcomes of it wait in " + beside.string());
} catch (const UnreadableFile&) {
  if (fs::exists(beside)) throw;  // else another reader has brought them in meanwhile
}

}  // namespace rhizome::scenarios
