#include "scenarios/experiment/replay.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "agents/work/command_line.hpp"
#include "core/child/links.hpp"
#include "core/child/own_folder.hpp"
#include "scenarios/format/document.hpp"
#include "scenarios/format/effective.hpp"
#include "scenarios/format/work_keys.hpp"
#include "scenarios/text/files.hpp"
#include "scenarios/world/workload/job_list.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

namespace {

namespace fs = std::filesystem;

// The place of each file of the scenarios for the replay.
class Places {
 public:
  Places(Replay& replay, fs::path home, const Copying& copying)
      : replay_(replay), home_(std::move(home)), from_(copying.from), left_(copying.most) {}

  // The name by which the kept scenario finds it. `as_written`: at its own place beside the
  // scenario, if that is possible.
  std::string of(const std::string& file, bool as_written) {
    const auto [known, fresh] = names_.try_emplace(file);
    if (fresh) known->second = keep(file, as_written);
    return known->second;
  }

 private:
  std::string keep(const fs::path& file, bool as_written) {
    replay_.sources.push_back(file);
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    if (error || size > left_) return stay(file);
    if (is_elsewhere(file)) return stay(file, ": a link leads out of the scenario's folder to it");
    if (from_ == Copying::From::its_folder && !is_within(plain(file), plain(home_ / "")))
      return stay(file, ": it is not in the scenario's folder");
    if (from_ == Copying::From::its_folder && fs::hard_link_count(file, error) != 1)
      return stay(file, ": it has a further name (a hard link)");
    left_ -= size;
    const fs::path beside = file.lexically_relative(home_);
    fs::path to = as_written && is_free(beside) ? beside : "files" / file.filename();
    for (int n = 2; !taken_.insert(to.string()).second; ++n)
      to = "files" / fs::path(std::to_string(n) + "-" + file.filename().string());
    replay_.files.emplace_back(file, to);
    replay_.read.push_back(file_read(file, to.string()));
    return to.string();
  }

  // Whether a link leads out of the scenario's folder to it. Both may come from somebody else, and
  // the copy would go along with the run directory under a harmless name. Links that lead to the
  // scenario as well are the user's own.
  [[nodiscard]] bool is_elsewhere(const fs::path& file) const {
    const fs::path home = plain(home_ / "");
    bool linked = false;
    for (fs::path way = plain(file); !is_within(home, way); way = way.parent_path())
      linked = linked || fs::is_symlink(way);
    return linked && !is_within(fs::canonical(file), fs::canonical(home));
  }

  static fs::path plain(const fs::path& path) {
    const fs::path normal = (fs::current_path() / path).lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
  }

  static bool is_within(const fs::path& file, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first ==
           folder.end();
  }

  std::string stay(const fs::path& file, const char* why = "") {
    const std::string place = fs::absolute(file).lexically_normal().string();
    replay_.read.push_back(file_read(file, place));
    const FileRead& read = replay_.read.back();
    replay_.remarks.push_back(fmt::format("not copied: {}, {} bytes, FNV-1a {}{}", place,
                                          read.bytes, read.fingerprint, why));
    return place;
  }

  // Inside the directory, however the scenario goes about it, and nothing of a run has that name.
  static bool is_free(const fs::path& name) {
    static const std::set<std::string> of_a_run{"scenario.toml", "run.json",    "replay", "history",
                                                "logs",          "served.json", "csv"};
    const std::string first = name.empty() ? "" : name.begin()->string();
    const bool may_be_of_a_run = of_a_run.contains(first) || first.starts_with("steered") ||
                                 first.starts_with("results.sqlite") ||
                                 first.starts_with("waiting.sqlite") || first.starts_with(".");
    return !name.empty() && name != "files" &&
           std::find(name.begin(), name.end(), "..") == name.end() && name.is_relative() &&
           !may_be_of_a_run;
  }

  Replay& replay_;
  fs::path home_;  // of the scenario
  Copying::From from_;
  std::uintmax_t left_;
  std::map<std::string, std::string> names_;  // by the file that was read
  std::set<std::string> taken_;
};

std::string text_of(SchedulerChoice& choice, const std::string& name) {
  for (const core::Setting& setting : choice.scheduler->settings)
    if (setting.name == name)
      return std::get<std::string>(setting.read(choice.scheduler->address(choice.options)));
  return {};
}

// The files among the words of a command, each once. What they import is not known.
void add_files(Replay& replay, const std::string& folder, const std::vector<std::string>& words) {
  if (words.empty()) return;
  if (const auto program = agents::program_place(words.front(), fs::current_path() / folder))
    replay.sources.push_back(*program);
  for (const std::string& word : words) {
    const fs::path file = fs::current_path() / folder / word;
    std::error_code error;
    const bool is_plain = fs::is_regular_file(file, error);
    if (fs::is_directory(file, error) || fs::is_fifo(file, error)) replay.sources.push_back(file);
    if (!is_plain) continue;
    const std::string name = file.lexically_normal().string();
    if (std::ranges::find(replay.programs, name, &FileRead::name) != replay.programs.end())
      continue;
    replay.programs.push_back(file_read(file, name));
    replay.sources.push_back(file);
  }
}

void add_schedulers(Replay& replay, std::vector<SchedulerChoice> schedulers) {
  for (SchedulerChoice& choice : schedulers) {
    const std::string folder = text_of(choice, "directory");
    const auto words = agents::words_in(text_of(choice, "command"));
    const bool runs = words && !words->empty();
    if (!folder.empty() || runs) replay.sources.push_back(fs::current_path() / folder);
    if (runs) add_files(replay, folder, *words);
  }
}

void add_programs(Replay& replay, Scenario scenario) {
  add_schedulers(replay, scenario.schedulers);
  const WorkCommand command = work_command(scenario.workload);
  add_files(replay, command.folder, command.words);
  for (const auto& [key, folder] : work_folders(scenario.workload))
    replay.sources.push_back(fs::current_path() / *folder);
  for (const std::string& program : programs_of_jobs(scenario.workload))
    add_files(replay, "", {program});
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + toml_text(name);
  return names.size() == 1 ? text : "[" + text + "]";
}

Replay replay_of_one(Scenario scenario, const Copying& copying) {
  Replay replay;
  replay.sources = {scenario.file};
  Places places(replay, fs::path(scenario.file).parent_path(), copying);
  add_programs(replay, scenario);
  const bool live = comes_live(scenario.workload);
  for (const auto& [key, file] : files_of(scenario))
    if (live && file == &scenario.workload.file)
      replay.sources.push_back(std::exchange(*file, recorded_jobs));
    else if (!file->empty())
      *file = places.of(*file, false);
  replay.scenario = effective_toml(scenario, FileNames::as_they_are);
  return replay;
}

// The files that a key names, each once, in the order of the cells, and whether one of these is not
// at the place that the scenario names.
struct Named {
  std::vector<std::string> files;
  bool moved = false;
};

std::map<std::string, Named> named_in(std::span<const Cell> cells, Places& places,
                                      const fs::path& home) {
  std::map<std::string, Named> keys;
  for (const Cell& cell : cells) {
    Scenario scenario = cell.scenario;
    for (const auto& [key, file] : files_of(scenario)) {
      if (file->empty()) continue;
      Named& named = keys[key];
      const std::string name = places.of(*file, true);
      named.moved = named.moved || name != fs::path(*file).lexically_relative(home).string();
      if (std::ranges::find(named.files, name) == named.files.end()) named.files.push_back(name);
    }
  }
  return keys;
}

// Folders stay where they are, in the order of the cells, each once.
std::map<std::string, std::vector<std::string>> folders_in(std::span<const Cell> cells) {
  std::map<std::string, std::vector<std::string>> keys;
  for (const Cell& cell : cells) {
    Scenario scenario = cell.scenario;
    for (const auto& [key, folder] : work_folders(scenario.workload)) {
      std::vector<std::string>& folders = keys["workload." + key];
      if (std::ranges::find(folders, *folder) == folders.end()) folders.push_back(*folder);
    }
    for (SchedulerChoice& choice : scenario.schedulers)
      if (const std::string folder = text_of(choice, "directory"); !folder.empty())
        keys[(scenario.protocols ? "protocol." : "scheduler.") + choice.label + ".directory"] = {
            folder};
  }
  return keys;
}

// Returns the place, or the first missing name on the way to it: the user who makes that name can
// make the rest. Many words with a slash name no place.
fs::path first_missing(fs::path place) {
  std::error_code error;
  if (fs::exists(place, error)) return place;
  while (place.has_relative_path() && !fs::exists(place.parent_path(), error))
    place = place.parent_path();
  return place;
}

// Whether it is a device, such as /dev/null, in a folder where no other user makes files, or a link
// to it in such a folder. Elsewhere a file may have the name a moment later.
bool is_known_device(const fs::path& place) try {
  const fs::path device = core::led_to(place);
  std::error_code error;
  return fs::is_character_file(fs::symlink_status(device, error)) && !core::open_to_others(place) &&
         !core::others_may_write(place.parent_path()) &&
         !core::others_may_write(device.parent_path());
} catch (const core::StrangeLink&) {
  return false;
}

}  // namespace

std::vector<fs::path> files_of_schedulers(const Scenario& scenario) {
  Replay replay;
  add_schedulers(replay, scenario.schedulers);
  for (SchedulerChoice choice : scenario.schedulers) {
    const auto words = agents::words_in(text_of(choice, "command"));
    if (!words || words->empty()) continue;
    const fs::path folder = fs::current_path() / text_of(choice, "directory");
    for (const std::string& word : *words) {
      std::error_code error;
      const bool is_name = word.find('/') == std::string::npos;
      const bool is_place = !is_name || fs::is_symlink(fs::symlink_status(folder / word, error));
      if (is_place && !is_known_device(folder / word))
        replay.sources.push_back(first_missing(folder / word));
      if (is_name && (&word == &words->front() || agents::program_place(word, "/")))
        replay.sources.emplace_back(word);  // env, nice and others begin a program by its name
    }
  }
  return replay.sources;
}

Replay replay_of(std::span<const Cell> cells, const Copying& copying) {
  if (cells.size() == 1) return replay_of_one(cells.front().scenario, copying);
  const std::string& file = cells.front().scenario.file;
  Replay replay;
  replay.sources = {file};
  const fs::path home = fs::path(file).parent_path();
  replay.scenario = *cells.front().text;
  const std::string& name = cells.front().scenario.name;
  if (name == fs::path(file).stem().string())  // it may have no other, and its copy has another
    replay.assignments.push_back("name=" + toml_text(name));
  for (const Cell& cell : cells) add_programs(replay, cell.scenario);
  Places places(replay, home, copying);
  for (const auto& [key, named] : named_in(cells, places, home))
    if (named.moved) replay.assignments.push_back(key + "=" + list_of(named.files));
  for (const auto& [key, folders] : folders_in(cells))
    replay.assignments.push_back(key + "=" + list_of(folders));
  return replay;
}

}  // namespace rhizome::scenarios
