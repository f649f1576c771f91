#include "scenarios/experiment/essence.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "scenarios/experiment/replay.hpp"
#include "scenarios/format/effective.hpp"
#include "scenarios/text/fingerprint.hpp"

namespace rhizome::scenarios {

namespace {

// "faults.partition" of "[[faults.partition]]"; nothing of any other line.
std::string section_in(const std::string& line) {
  if (!line.starts_with('[')) return {};
  const std::size_t begin = line.find_first_not_of('[');
  return line.substr(begin, line.find(']') - begin);
}

}  // namespace

std::vector<core::Subject> keys_of(std::string_view toml) {
  std::vector<core::Subject> keys;  // with all lines of a key in the place of the fingerprint
  std::string section;
  std::istringstream lines{std::string(toml)};
  for (std::string line; std::getline(lines, line);) {
    if (const std::string next = section_in(line); !next.empty()) section = next + ".";
    const std::size_t equals = line.find(" = ");
    if (equals == std::string::npos || line.starts_with('[')) continue;
    const std::size_t begin = line.rfind(' ', equals - 1) + 1;  // behind a comment's text
    const std::string name = section + line.substr(begin, equals - begin);
    auto known =
        std::ranges::find_if(keys, [&name](const core::Subject& key) { return key.name == name; });
    if (known == keys.end()) known = keys.insert(known, {name, {}});
    known->fingerprint += line + "\n";
  }
  for (core::Subject& key : keys) key.fingerprint = fingerprint_of(key.fingerprint);
  return keys;
}

std::vector<core::Subject> subjects_of(std::span<const Cell> cells) {
  std::string all;
  for (const Cell& cell : cells) all += effective_toml(cell.scenario, FileNames::as_they_are);
  std::vector<core::Subject> subjects = keys_of(all);
  subjects.push_back({"the scenario", fingerprint_of(all)});
  const Replay replay = replay_of(cells, {.most = 0});
  for (const FileRead& file : replay.read) subjects.push_back({file.name, file.fingerprint});
  constexpr std::size_t most = 64;  // a descriptor has all of them
  std::string rest;
  for (std::size_t i = 0; i < replay.programs.size(); ++i)
    if (const FileRead& file = replay.programs[i]; i < most)
      subjects.push_back({file.name, file.fingerprint});
    else
      rest += file.name + "\n" + file.fingerprint + "\n";
  if (!rest.empty()) subjects.push_back({"one of its programs", fingerprint_of(rest)});
  return subjects;
}

}  // namespace rhizome::scenarios
