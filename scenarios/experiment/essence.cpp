#include "scenarios/experiment/essence.hpp"

#include <algorithm>
#include <sstream>

#include "scenarios/format/effective.hpp"

namespace rhizome::scenarios {

namespace fs = std::filesystem;

namespace {

std::string name_from(const fs::path& home, const std::string& file) {
  const fs::path full = fs::absolute(file).lexically_normal();
  const fs::path within = full.lexically_relative(fs::absolute(home).lexically_normal());
  return within.empty() || *within.begin() == ".." ? full.string() : within.string();
}

std::string text_of(Scenario scenario, const fs::path& home) {
  scenario.engine.at_once = 0;
  for (const auto& [key, file] : files_of(scenario))
    if (!file->empty()) *file = name_from(home, *file);
  return effective_toml(scenario, FileNames::as_they_are);
}

}  // namespace

std::vector<std::string> essence_of(std::span<const Cell> cells, const fs::path& home) {
  std::vector<std::string> lines;
  for (const Cell& cell : cells) {
    std::istringstream text(text_of(cell.scenario, home));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
  }
  return lines;
}

std::optional<std::string> difference(std::span<const std::string> one,
                                      std::span<const std::string> other) {
  const auto [a, b] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  if (a == one.end() && b == other.end()) return {};
  const auto said = [](auto line, auto end) {
    return line == end ? std::string("no more") : "\"" + *line + "\"";
  };
  return said(a, one.end()) + " in the one, " + said(b, other.end()) + " in the other";
}

}  // namespace rhizome::scenarios
