#include "scenarios/world/workload/job_work.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "agents/work/kinds.hpp"
#include "core/child/exchangeable_program.hpp"
#include "core/child/links.hpp"
#include "core/child/own_folder.hpp"
#include "scenarios/text/json.hpp"
#include "scenarios/text/nearest.hpp"
#include "scenarios/text/setting_text.hpp"

namespace rhizome::scenarios {

namespace fs = std::filesystem;

using core::Objection;
using core::Setting;
using core::WorkKind;

struct JobWork::Word {
  std::string name;   // before "=", or all of it
  std::string value;  // behind it
  std::size_t column = 1;
  bool has_value = false;
};

namespace {

constexpr std::string_view blanks = " \t";

// How far the value goes that begins there; a quoted one to behind its second quote.
std::size_t end_of_value(std::string_view line, std::size_t at) {
  if (at >= line.size() || line[at] != '"')
    return std::min(line.find_first_of(blanks, at), line.size());
  for (std::size_t i = at + 1; i < line.size(); ++i) {
    if (line[i] == '\\')
      ++i;
    else if (line[i] == '"')
      return i + 1;
  }
  return std::string_view::npos;
}

std::string unquoted(const LineSource& lines, std::string_view word, std::size_t column) {
  if (!word.starts_with('"')) return std::string(word);
  const std::optional<Json> text = parse_json(std::string(word));
  if (!text) lines.refuse(column, "this is no JSON string");
  std::string value = text->get<std::string>();
  if (value.find('\0') != std::string::npos) lines.refuse(column, "a zero ends every name");
  return value;
}

std::string quoted_if_needed(const std::string& value) {
  const bool plain = !value.empty() && std::ranges::none_of(value, [](unsigned char c) {
    return c <= ' ' || c == '"' || c == '\\' || c == 0x7f;
  });
  return plain ? value : line_of(Json(value));
}

std::vector<std::string> words_between_blanks(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

core::WorkKindId id_of(const WorkKind& kind) {
  return static_cast<core::WorkKindId>(&kind - agents::work_kinds().data());
}

// The present state of a file: its length and its last change.
std::string state_of(const std::string& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  const auto changed = fs::last_write_time(file, error).time_since_epoch().count();
  return fmt::format(" {} {} {}", file, size, changed);
}

// All paths that a file of that name may have, for any numbers in its places.
std::vector<fs::path> places_of(const std::string& name) {
  std::string pattern;
  for (const char letter : name)
    pattern += std::string_view("*?[]\\").find(letter) == std::string_view::npos
                   ? std::string(1, letter)
                   : std::string("\\") + letter;
  for (const std::string_view place : {"{job}", "{task}"})
    for (std::size_t at = 0; (at = pattern.find(place, at)) != std::string::npos;)
      pattern.replace(at, place.size(), "*");
  glob_t found{};
  std::vector<fs::path> paths;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0)
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  return paths;
}

}  // namespace

JobWork::JobWork(const std::string& folder, std::string_view programs, bool judged,
                 std::string store)
    : programs_(words_between_blanks(programs)), judged_(judged), store_(std::move(store)) {
  std::error_code error;
  const fs::path absolute = fs::absolute(folder.empty() ? "." : folder).lexically_normal();
  const fs::path real = fs::canonical(absolute, error);
  folder_ = (error ? absolute : real).string();
  if (folder_.size() > 1 && folder_.ends_with('/')) folder_.pop_back();
  outputs_ = (fs::path(folder_) / outputs_folder).string();
  for (std::string& program : programs_) program = placed(program);
}

// The directory that a job works in may be another user's, and may hold a program of that name.
std::string JobWork::placed(const std::string& program) const {
  const bool is_path = program.find('/') != std::string::npos;
  return is_path ? (fs::path(folder_) / program).string() : program;
}

bool JobWork::is_within(const std::string& file) const {
  return file == folder_ || (file.starts_with(folder_ == "/" ? "/" : folder_ + "/") &&
                             !file.ends_with("/..") && file.find("/../") == std::string::npos);
}

// Hidden files are often settings of programs. A name that leads up has a dot there as well.
bool JobWork::is_output(const std::string& file) const {
  return file.starts_with(outputs_ + "/") && !file.ends_with('/') &&
         file.find("/.", outputs_.size()) == std::string::npos;
}

std::optional<Objection> JobWork::confined(const WorkKind& kind, std::any& options) const {
  for (const auto* list : {&kind.files, &kind.folders})
    for (const core::WorkFile& named : *list)
      if (const std::string& file = *named.name(options); !file.empty() && !is_within(file))
        return Objection{named.setting, "\"" + file + "\" is not in the folder of the jobs' files"};
  for (const core::WorkFile& output : kind.outputs)
    if (const std::string& file = *output.name(options); !file.empty() && !is_output(file))
      return Objection{output.setting,
                       "\"" + file + "\" leads out of \"" + outputs_ + "\", or is hidden by a dot"};
  for (const core::WorkFile& named : kind.programs) {
    const std::string& program = *named.name(options);
    if (std::ranges::find(programs_, program) == programs_.end())
      return Objection{named.setting, "\"" + program +
                                          "\" is none of the programs that jobs may name, in "
                                          "\"programs\" of [workload]"};
  }
  return {};
}

// Whether the process of a server may have SQLite hold the file open.
bool JobWork::is_of_server(const std::string& name) const {
  if (store_.empty()) return false;
  if (fs::path(name).filename().string().find(".sqlite") != std::string::npos) return true;
  if (!name.starts_with(store_)) return false;
  const std::string ending = name.substr(store_.size());
  return ending.empty() || ending == "-wal" || ending == "-shm" || ending == "-journal";
}

// Links are followed before it is asked where they lead.
std::optional<Objection> JobWork::confine(const WorkKind& kind, std::any& options) const {
  std::error_code error;
  if (kind.confine) kind.confine(options);
  // An empty name would be no file, and no fault.
  const auto real = [&](const core::WorkFile& named) -> std::optional<Objection> {
    std::string& name = *named.name(options);
    std::string led = fs::weakly_canonical(fs::path(folder_) / name, error).string();
    if (error) return Objection{named.setting, "\"" + name + "\": " + error.message()};
    if (led.size() > 1 && led.ends_with('/')) led.pop_back();
    name = std::move(led);
    return {};
  };
  for (const core::WorkFile& file : kind.files) {
    std::string& name = *file.name(options);
    if (name.empty()) continue;
    if (auto objection = real(file)) return objection;
    if (is_of_server(name))
      return Objection{file.setting, "\"" + name + "\" is a file of the server's own"};
  }
  for (const core::WorkFile& folder : kind.folders)
    if (auto objection = real(folder)) return objection;
  for (const core::WorkFile& output : kind.outputs)
    if (std::string& name = *output.name(options); !name.empty())
      name = (fs::path(outputs_) / name).lexically_normal().string();
  for (const core::WorkFile& program : kind.programs)
    *program.name(options) = placed(*program.name(options));
  if (auto objection = confined(kind, options)) return objection;
  for (const core::WorkFile& named : kind.programs)
    if (const std::string& program = *named.name(options); core::is_exchangeable_program(program))
      return Objection{named.setting, "\"" + program +
                                          "\" is a program that other users could exchange, or put "
                                          "one of its name into a folder of PATH: take "
                                          "their right to write there away (chmod go-w)"};
  for (const core::WorkFile& file : kind.files)
    if (const std::string& name = *file.name(options);
        !name.empty() && !fs::is_regular_file(name, error))
      return Objection{file.setting, "there is no file \"" + name + "\""};
  for (const core::WorkFile& folder : kind.folders)
    if (const std::string& name = *folder.name(options); !fs::is_directory(name, error))
      return Objection{folder.setting, "there is no directory \"" + name + "\""};
  for (const core::WorkFile& output : kind.outputs)
    if (auto objection = confined_output(output, *output.name(options))) return objection;
  return kind.objection ? kind.objection(options) : std::nullopt;
}

// An output goes into a plain file, through no link. The warden checks that again when it opens it.
std::optional<Objection> JobWork::confined_output(const core::WorkFile& output,
                                                  const std::string& name) const {
  std::error_code error;
  if (name.empty()) return {};
  const core::Opened outputs(outputs_, O_PATH | O_NOFOLLOW);
  if (!outputs.is(S_IFDIR) || outputs.owner() != geteuid())
    return Objection{output.setting,
                     "goes to the directory \"" + outputs_ + "\", which you are to make first"};
  const auto is_real = [&](const fs::path& folder) {
    return fs::weakly_canonical(folder, error) == folder;
  };
  if (!is_real(fs::path(name).parent_path()))
    return Objection{output.setting, "leads through a link"};
  for (const fs::path& path : places_of(name)) {
    if (!is_real(path.parent_path())) return Objection{output.setting, "leads through a link"};
    if (!fs::is_regular_file(fs::symlink_status(path, error)))
      return Objection{output.setting,
                       "would be written to \"" + path.string() + "\", which is no plain file"};
  }
  return {};
}

// No file system has so long a name. All else is as short as it can be.
void JobWork::name_nothing(const WorkKind& kind, std::any& options) const {
  std::any nothing = kind.defaults();
  for (const core::WorkFile& program : kind.programs)
    *program.name(nothing) = *program.name(options);
  std::string gone = folder_ + "/";
  while (gone.size() < folder_.size() + 300) gone += "-has-gone-since-the-job-was-taken";
  for (const core::WorkFile& folder : kind.folders) *folder.name(nothing) = folder_;
  const auto& first = kind.files.empty() ? kind.folders : kind.files;
  if (!first.empty()) *first.front().name(nothing) = gone;
  options = std::move(nothing);
}

core::Recipe JobWork::recipe_of(const WorkKind& kind, std::any options) {
  std::vector<std::any> all(agents::work_kinds().size());
  all[static_cast<std::size_t>(id_of(kind))] = std::move(options);
  return core::recipe_of(agents::work_kinds(), id_of(kind), all);
}

const WorkKind& JobWork::kind_named(const LineSource& lines, const Word& word) {
  std::vector<std::string> names;
  for (const WorkKind& kind : agents::work_kinds()) {
    if (kind.name == word.name && !word.has_value) return kind;
    names.emplace_back(kind.name);
  }
  lines.refuse(word.column,
               "there is no kind of work \"" + word.name + "\"" + suggestion(word.name, names));
}

void JobWork::assign(const LineSource& lines, const WorkKind& kind, const Word& word,
                     std::any& options) const {
  std::vector<std::string> names;
  for (const Setting& setting : kind.settings) names.push_back(setting.name);
  const auto setting = std::ranges::find_if(
      kind.settings, [&](const Setting& one) { return one.name == word.name; });
  if (setting == kind.settings.end())
    lines.refuse(word.column, "work of the kind \"" + std::string(kind.name) +
                                  "\" has no setting \"" + word.name + "\"" +
                                  suggestion(word.name, names));
  if (!word.has_value) lines.refuse(word.column, "say a value: " + word.name + "=VALUE");
  const auto value = setting_value(*setting, word.value);
  if (!value)
    lines.refuse(
        word.column,
        "\"" + word.name + "\" cannot be \"" + word.value + "\"" +
            (setting->choices.empty() ? std::string() : suggestion(word.value, setting->choices)));
  if (const std::string refusal = setting->refusal(*value); !refusal.empty())
    lines.refuse(word.column, "\"" + word.name + "\" " + refusal);
  setting->assign(kind.address(options), *value);
}

std::vector<JobWork::Word> JobWork::split(const LineSource& lines, std::string_view line,
                                          std::size_t column) {
  std::vector<Word> words;
  for (std::size_t at = column - 1; (at = line.find_first_not_of(blanks, at)) < line.size();) {
    const std::size_t name_end = std::min(line.find_first_of(" \t=", at), line.size());
    Word word{.name = std::string(line.substr(at, name_end - at)), .value = {}, .column = at + 1};
    word.has_value = name_end < line.size() && line[name_end] == '=';
    const std::size_t from = word.has_value ? name_end + 1 : name_end;
    const std::size_t end = word.has_value ? end_of_value(line, from) : from;
    if (end == std::string_view::npos) lines.refuse(from + 1, "a quote is not closed");
    if (word.has_value) word.value = unquoted(lines, line.substr(from, end - from), from + 1);
    if (end < line.size() && blanks.find(line[end]) == std::string_view::npos)
      lines.refuse(end + 1, "a blank is to follow a value");
    words.push_back(std::move(word));
    at = end;
  }
  return words;
}

std::any JobWork::options_in(const LineSource& lines, const WorkKind& kind,
                             const std::vector<Word>& words) const {
  std::any options = kind.defaults();
  std::map<std::string_view, std::size_t> columns;
  for (auto word = words.begin() + 1; word != words.end(); ++word) {
    if (!columns.emplace(word->name, word->column).second)
      lines.refuse(word->column, "\"" + word->name + "\" is said twice");
    assign(lines, kind, *word, options);
  }
  const auto objection = confine(kind, options);
  if (objection && judged_) {
    name_nothing(kind, options);
  } else if (objection) {
    const auto said = columns.find(objection->setting);
    lines.refuse(said == columns.end() ? words.front().column : said->second,
                 "\"" + std::string(objection->setting) + "\": " + objection->text);
  }
  return options;
}

core::Recipe JobWork::recipe_in(const LineSource& lines, std::string_view line,
                                std::size_t column) {
  const std::vector<Word> words = split(lines, line, column);
  const Word& first = words.front();
  const WorkKind& kind = kind_named(lines, first);
  std::any options = options_in(lines, kind, words);
  std::string key(line.substr(column - 1));
  for (const core::WorkFile& file : kind.files) key += state_of(*file.name(options));
  for (const core::WorkFile& folder : kind.folders) key += " " + *folder.name(options);
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  constexpr std::size_t most_known = 1024;
  if (known_.size() == most_known) known_.clear();
  core::Recipe recipe;
  try {
    recipe = recipe_of(kind, options);
  } catch (const std::invalid_argument& error) {  // a link may lead to a longer name by now
    if (!judged_) lines.refuse(first.column, error.what());
    name_nothing(kind, options);
    recipe = recipe_of(kind, options);
  }
  return known_.emplace(key, recipe).first->second;
}

bool JobWork::admits(const core::Recipe& recipe) const {
  const auto at = static_cast<std::size_t>(recipe.kind());
  if (recipe.kind() == core::WorkKindId::emulated) return recipe == core::Recipe{};
  if (at >= agents::work_kinds().size()) return false;
  const WorkKind& kind = agents::work_kinds()[at];
  std::optional<std::any> options = kind.options(recipe.spec());
  return options && !confined(kind, *options);
}

std::string words_of(const core::Recipe& recipe) {
  const auto at = static_cast<std::size_t>(recipe.kind());
  if (recipe.kind() == core::WorkKindId::emulated) return {};
  const WorkKind& kind = agents::work_kinds()[at];
  std::optional<std::any> options = kind.options(recipe.spec());
  std::any defaults = kind.defaults();
  std::string words(kind.name);
  for (const Setting& setting : kind.settings) {
    const core::SettingValue value = setting.read(kind.address(*options));
    if (value == setting.read(kind.address(defaults))) continue;
    words += " " + setting.name + "=" + quoted_if_needed(setting_text(value));
  }
  return words;
}

}  // namespace rhizome::scenarios
