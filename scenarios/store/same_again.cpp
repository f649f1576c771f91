#include "scenarios/store/same_again.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

#include "scenarios/store/directory.hpp"
#include "scenarios/store/record.hpp"
#include "scenarios/text/files.hpp"
#include "scenarios/text/fingerprint.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/plain_text.hpp"

namespace rhizome::scenarios {

namespace fs = std::filesystem;

namespace {

// Of all files of a record: each of them may name the same one.
constexpr std::uint64_t most_summed = std::uint64_t{16} << 30U;

// The record may be a stranger's, and name what is no file and has no end: only a plain file of the
// same size is read, and of it no more than is ever summed: files of the kernel tell a size of 0.
void check(const fs::path& home, const FileRead& before) {
  const fs::path file = home / before.name;  // an absolute name stays as it is
  std::error_code error;
  if (!fs::exists(file, error))
    throw UnreadableFile(fmt::format(
        "{}: the run in {} read this file, and it is no longer there: bring it back, or name "
        "another with --set",
        file.string(), home.string()));
  if (!fs::is_regular_file(file, error))
    throw UnreadableFile(fmt::format(
        "{}: the run in {} read this file, and it is no plain file now: bring it back, or name "
        "another with --set",
        file.string(), home.string()));
  const std::uintmax_t bytes = fs::file_size(file, error);
  const std::string print = bytes == before.bytes ? fingerprint(file, bytes) : "another";
  if (bytes == before.bytes && print == before.fingerprint) return;
  throw UnreadableFile(fmt::format(
      "{} has changed since the run in {} read it ({} bytes, FNV-1a {}, now {} bytes, {}): bring "
      "it back, or name another with --set",
      file.string(), home.string(), before.bytes, before.fingerprint, bytes, print));
}

bool has_changed(const FileRead& before) {
  std::error_code error;
  return !fs::is_regular_file(before.name, error) ||
         fs::file_size(before.name, error) != before.bytes ||
         fingerprint(before.name, before.bytes) != before.fingerprint;
}

std::string version_in(const Versions& versions, const std::string& of) {
  const auto found =
      std::ranges::find_if(versions, [&](const auto& version) { return version.first == of; });
  return found == versions.end() ? "" : found->second;
}

std::string name_of_program(const Versions& versions) {
  return plain_text(version_in(versions, "rhizome") + " (FNV-1a " +
                    version_in(versions, "program") + ")");
}

}  // namespace

std::string check_same(const fs::path& scenario) {
  const fs::path home = fs::absolute(scenario).lexically_normal().parent_path();
  const std::string name = scenario.filename().string();
  if (name != "scenario.toml" && !name.starts_with(steered_name)) return {};
  const auto record = record_of(read_plain_file(home / "run.json").value_or(""));
  if (!record) return {};
  std::uint64_t summed = 0;
  for (const auto* files : {&record->files, &record->programs})
    for (const FileRead& file : *files) summed += std::min<std::uint64_t>(file.bytes, longest_sum);
  if (summed > most_summed)
    throw UnreadableFile(fmt::format(
        "{}: it names more than {} GiB of files, which would all be read to see whether "
        "they have changed: name another file with --set",
        (home / "run.json").string(), most_summed >> 30U));
  for (const FileRead& file : record->files) check(home, file);
  const auto changed = std::ranges::find_if(record->programs, has_changed);
  if (changed != record->programs.end())
    return fmt::format("{} has changed since the run in {}: its results may differ",
                       plain_text(changed->name), home.string());
  if (version_in(record->versions, "program") == this_program()) return {};
  return fmt::format("{} was run by rhizome {}, and this is {}: its results may differ",
                     scenario.string(), name_of_program(record->versions),
                     name_of_program(versions()));
}

}  // namespace rhizome::scenarios
